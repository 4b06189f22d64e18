package par

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// swapped returns n integers in order, but for one in so many, which has changed places with the one
// at the other end.
func swapped(n, every int) []int {
	s := make([]int, n)
	for i := range s {
		s[i] = i
		if min(i, n-1-i)%every == every/2 {
			s[i] = n - 1 - i
		}
	}
	return s
}

// What is nearly in order is found to be so, or Sort takes several times as long. What has crossed the
// middle is not sorted apart.
func TestNearlyInOrder(t *testing.T) {
	// Some have been given other values, one in so many.
	changed := func(n, every int) []int {
		s := swapped(n, n)
		for i := range n / every {
			s[i*every+every/2] = i * 7919 % n
		}
		return s
	}
	falling := swapped(3000, 500)
	slices.Reverse(falling)
	half := make([]int, 3000)
	for i := range half {
		half[i] = i - 2*(i%3) // two fall, and one does not
	}
	kinds := make([]int, 1000)
	for i := range kinds {
		kinds[i] = i * 7919 % 1000 / 500
	}
	for _, test := range []struct {
		name        string
		s           []int
		done, falls bool
		apart       bool // some are sorted apart from the others
	}{
		{"in reverse, but for some", falling, true, true, false},
		{"half falling", half, false, false, false},
		{"in order, but for one in 100 that were swapped", swapped(1000, 100), true, false, false},
		{"in order, but for one in 20 that were swapped", swapped(20_000, 20), true, false, false},
		{"in order, but for one in 100", changed(3000, 100), true, false, true},
		{"in order, but for ten", changed(1000, 100), true, false, true},
		{"of two kinds", kinds, true, false, true},
	} {
		if falls := mostlyFalls(test.s); falls != test.falls {
			t.Errorf("Sort: Cost: whether integers mostly fall, %s: %t", test.name, falls)
		}
		apart := false
		done := naturalOrdered(test.s, 0, false, cmp.Compare[int], func(s []int) {
			apart = apart || len(s) > 1
			slices.Sort(s)
		})
		if done != test.done || apart != test.apart {
			t.Errorf("Sort: Cost: integers %s: done without a radix sort: %t, some apart: %t; want %t, %t", test.name, done, apart, test.done, test.apart)
		}
		if done && !slices.IsSorted(test.s) {
			t.Errorf("F1: Sort of integers %s does not sort", test.name)
		}
	}
}

// Only elements that belong to the other half of a slice that ascends are exchanged by one pass over
// all, or that pass is in vain. What it has not put right is sorted all the same.
func TestCrossed(t *testing.T) {
	saw, near, above := make([]int, 1000), make([]int, 1000), make([]int, 1000)
	for i := range 1000 {
		saw[i] = i % 50
		near[i] = i
		if i%20/2 == 5 {
			near[i] = i ^ 1
		}
		above[i] = (i + 500) % 1000
		if i%50 == 25 {
			above[i] = 2000
		}
	}
	for _, test := range []struct {
		name string
		s    []int
		want bool
	}{
		{"in order, but for some that were swapped across the middle", swapped(1000, 100), true},
		{"in order, but for few", swapped(1000, 250), false},
		{"in falling order", []int{5, 4, 3, 2, 1, 0}, false},
		{"in a saw", saw, false},
		{"in order, but for neighbours", near, false},
		{"in two halves, the upper one first", above, false},
	} {
		by := order[int]{cmp: cmp.Compare[int], ascends: ascends[int]}
		if got := crossed(test.s, ascends(test.s), by); got != test.want {
			t.Errorf("Sort: Cost: whether integers %s have crossed the middle: %t", test.name, got)
		}
	}
	s := swapped(1000, 100)
	s[1000-1-50] = 3 // comes to where 50 was
	s[700] = 650
	if done := naturalOrdered(s, 0, true, cmp.Compare[int], slices.Sort[[]int]); !done || !slices.IsSorted(s) {
		t.Errorf("F1: Sort of integers in order, but for some that were swapped and two others, does not sort; done without a radix sort: %t", done)
	}
}

// Most elements are found to be equal, or of two kinds, wherever the others are.
func TestMostOf(t *testing.T) {
	s := make([]int, 1000)
	for shift := range 1000 {
		for i := range s {
			s[i] = 7
			if (i*7919+shift*3)%1000 < 100 {
				s[i] = 1000 + i
			}
		}
		if x, room := mostOf(s, cmp.Compare[int]); x != 7 || room < 100+gatherBlock {
			t.Fatalf("Sort: Cost: of integers of which nine in ten are 7, most are found to be %d, with room for %d others", x, room)
		}
	}
	for i := range s {
		s[i] = i
	}
	var asked []int // the second one of the sample and the first, and so on
	mostOf(s, func(a, b int) int {
		asked = append(asked, a, b)
		return cmp.Compare(a, b)
	})
	for i := range s {
		if i != asked[0] && i != asked[1] {
			s[i] = -7
		}
	}
	if x, _ := mostOf(s, cmp.Compare[int]); x != -7 {
		t.Errorf("Sort: Cost: of integers that are -7, but for the first two that are looked at, most are found to be %d", x)
	}
	for i := range s {
		s[i] = i % 2
	}
	if _, room := mostOf(s, cmp.Compare[int]); room < 500+gatherBlock {
		t.Errorf("Sort: Cost: of integers of two kinds in turn, there is room for %d of the other one", room)
	}
	for i := range s {
		s[i] = i
	}
	if x, room := mostOf(s, cmp.Compare[int]); room > 0 {
		t.Errorf("Sort: Cost: of integers of which no two are equal, most are found to be %d", x)
	}
}

// Strings that part late, or not at all, have no keys, unless they are short.
func TestPartsSlowly(t *testing.T) {
	for _, test := range []struct {
		name string
		at   func(i int) string
		want bool
	}{
		{"suffixes of one letter", func(i int) string { return strings.Repeat("a", i*7919%1000) }, true},
		{"of eight kinds, long ones", func(i int) string { return strconv.Itoa(i%8) + strings.Repeat("a", 100) }, true},
		{"of eight kinds, short ones", func(i int) string { return strconv.Itoa(i % 8) }, false},
		{"random", func(i int) string { return strconv.Itoa(i * 7919 % 1000) }, false},
	} {
		s := make([]string, 1000)
		for i := range s {
			s[i] = test.at(i * 37)
		}
		if got := partsSlowly(s); got != test.want {
			t.Errorf("Sort: Cost: whether strings, %s, part slowly: %t", test.name, got)
		}
	}
}

// The sample of a slice that fills an eighth of the addresses of 32 bits has indices of it.
func TestSampleOfLongSlice(t *testing.T) {
	if strconv.IntSize > 32 {
		t.Skip("there are more addresses")
	}
	s := make([]uint8, 1<<28) // of which a few pages are touched
	s[0] = 1
	if mostlyFalls(s) {
		t.Error("F1: Sort of a slice of one 1 and zeros takes it for one that falls")
	}
}

// Floats that compare equal keep their order where others are nearly in order, too.
func TestSortZerosNearlyInOrder(t *testing.T) {
	negative := -1 / inf
	for name, at := range map[string]func(i int) float64{
		"falling":                    func(i int) float64 { return float64(500 - i) },
		"in order, but for some":     func(i int) float64 { return float64((i - 500) * (1 - 2*min(1, i%50/49))) },
		"of two kinds, but for some": func(i int) float64 { return float64(i % 2) },
	} {
		s := make([]float64, 1000)
		for i := range s {
			s[i] = at(i)
			switch {
			case s[i] == 0 && i%4 < 2, i%100 == 98:
				s[i] = negative
			case i%100 == 99:
				s[i] = 0
			}
		}
		want := slices.Clone(s)
		slices.SortStableFunc(want, cmp.Compare)
		if Sort(s); !slices.EqualFunc(s, want, func(a, b float64) bool { return a == b && 1/a == 1/b }) {
			t.Errorf("F1: Sort of floats %s does not keep the order of zeros", name)
		}
	}
}

var inf = 1 / *new(float64)
