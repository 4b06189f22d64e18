package work

import "slices"

// Sort sorts n pseudo-random integers: plainly by slices.Sort, otherwise by a
// merge sort that sorts the halves in parallel and then merges them in parallel,
// after the example in Cilk.
func Sort(n int) *Program {
	in := make([]int64, n)
	for i := range in {
		in[i] = int64(SplitMix64(1, uint64(i)))
	}
	whole := SortingOf(make([]int64, n))
	return &Program{
		Prepare:    func() { copy(whole.Slice, in) },
		Digest:     func() uint64 { return SortDigest(whole.Slice) },
		Sequential: func() uint64 { slices.Sort(whole.Slice); return 0 },
		Nested:     func(groups Groups) uint64 { nestedSort(groups, whole); return 0 },
		Flat:       func(groups Groups, pieces int) uint64 { SortFlat(groups, pieces, whole); return 0 },
		Pool:       onPool(forkSort, whole),
	}
}

// SortDigest is 0 if the slice is not sorted, else a number that depends on
// every element and its place.
func SortDigest(a []int64) (digest uint64) {
	if !slices.IsSorted(a) {
		return 0
	}
	for i, x := range a {
		digest += uint64(i) * uint64(x)
	}
	return digest
}

// SplitMix64 is the i-th number of the generator of that name (Steele, Lea and
// Flood, 2014).
func SplitMix64(seed, i uint64) uint64 {
	z := seed + (i+1)*0x9e3779b97f4a7c15
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}
