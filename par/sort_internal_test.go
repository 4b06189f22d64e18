package par

import (
	"math/rand/v2"
	"strconv"
	"testing"
)

// What package slices is quick with is left to it, what merges are quick with to them, and what neither is
// is found to be mixed; or a sort takes several times as long.
func TestMixed(t *testing.T) {
	const n = 3000
	for _, test := range []struct {
		name string
		at   func(i int, r *rand.Rand) int
		want shape
	}{
		{"random", func(i int, r *rand.Rand) int { return r.Int() }, isMixed},
		{"of a hundred kinds", func(i int, r *rand.Rand) int { return r.IntN(100) }, isMixed},
		{"of three kinds", func(i int, r *rand.Rand) int { return r.IntN(3) }, isFew},
		{"of one kind and many", func(i int, r *rand.Rand) int { return r.IntN(n) * (1 - min(1, r.IntN(10))) }, isFew},
		{"in order, but for one in 50", func(i int, r *rand.Rand) int { return i + (1-min(1, r.IntN(50)))*r.IntN(n) }, isRising},
		{"of sixteen kinds, and then in order", func(i int, r *rand.Rand) int { return max(r.IntN(16), min(i, i*4-n)) }, isOther},
		{"in reverse, but for one in ten", func(i int, r *rand.Rand) int { return (1-min(1, r.IntN(10)))*r.IntN(n) - i }, isOther},
		{"a few places off", func(i int, r *rand.Rand) int { return i + r.IntN(10) }, isRising},
		{"in turn", func(i int, r *rand.Rand) int { return i % 2 }, isFew},
	} {
		for seed := range uint64(20) {
			r, s := rand.New(rand.NewPCG(seed, 1)), make([]int64, n)
			for i := range s {
				s[i] = int64(test.at(i, r))
			}
			if got := int64s.sample(s); got != test.want {
				t.Errorf("Sort: Cost: integers %s, of seed %d, have the shape %d, want %d", test.name, seed, got, test.want)
			}
		}
	}
	for n := range 40 { // a sample of few has indices of them
		int64s.sample(make([]int64, n+1))
	}
}

// The sample of a slice that fills an eighth of the addresses of 32 bits has indices of it.
func TestSampleOfLongSlice(t *testing.T) {
	if strconv.IntSize > 32 {
		t.Skip("there are more addresses")
	}
	if uint8s.sample(make([]uint8, 1<<28)) == isMixed { // of which a few pages are touched
		t.Error("F1: zeros are taken for mixed")
	}
}
