package par

import (
	"cmp"
	"slices"
	"strconv"
	"testing"
)

// What is nearly in order is found to be so, or Sort takes several times as long. What is left to
// package slices has no strays that are sorted apart.
func TestNearlyInOrder(t *testing.T) {
	// Some are swapped with the ones at the other end, one in so many.
	swapped := func(n, every int) []int {
		s := make([]int, n)
		for i := range s {
			s[i] = i
			if min(i, n-1-i)%every == every/2 {
				s[i] = n - 1 - i
			}
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
		strays      bool // are sorted apart
	}{
		{"in reverse, but for some", falling, true, true, false},
		{"half falling", half, false, false, false},
		{"in order, but for one in 100 of 1000", swapped(1000, 100), true, false, false},
		{"in order, but for one in 100 of 10000", swapped(10_000, 100), true, false, true},
		{"of two kinds", kinds, true, false, false},
	} {
		if falls := mostlyFalls(test.s); falls != test.falls {
			t.Errorf("Sort: Cost: whether integers mostly fall, %s: %t", test.name, falls)
		}
		strays := false
		done := naturalOrdered(test.s, 0, false, func(s []int) {
			strays = strays || len(s) > 1
			slices.Sort(s)
		})
		if done != test.done || strays != test.strays {
			t.Errorf("Sort: Cost: integers %s: done without a radix sort: %t, by strays: %t; want %t, %t", test.name, done, strays, test.done, test.strays)
		}
		if done && !slices.IsSorted(test.s) {
			t.Errorf("F1: Sort of integers %s does not sort", test.name)
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
