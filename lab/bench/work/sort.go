package work

import "slices"

// Sort sorts n pseudo-random integers: plainly by slices.Sort, otherwise by a merge
// sort that sorts the halves in parallel and then merges them in parallel, after the example in Cilk.
// Short parts are left to slices.Sort.
func Sort(n int) *Program {
	in := make([]int64, n)
	for i := range in {
		in[i] = int64(SplitMix64(1, uint64(i)))
	}
	to, other := make([]int64, n), make([]int64, n)
	whole := sorting{to, other}.sort
	return &Program{
		Prepare:    func() { copy(to, in); copy(other, in) },
		Digest:     func() uint64 { return Digest(to) },
		Plain:      func() uint64 { slices.Sort(to); return 0 },
		Goroutines: func(int) uint64 { return whole(goroutines(0)) },
		Pool:       onPool(runJob, whole),
	}
}

// sortCutoff and mergeCutoff are the lengths up to which nothing is forked.
const sortCutoff, mergeCutoff = 8192, 131072

// A sorting is to sort a slice. The other one has the same elements, in the same order, so that the
// halves can leave theirs there, and merging them copies nothing.
type sorting struct{ to, other []int64 }

func (s sorting) sort(p Place) uint64 {
	n := len(s.to) / 2
	if len(s.to) <= sortCutoff {
		slices.Sort(s.to)
		return 0
	}
	p.both(sorting{s.other[:n], s.to[:n]}.sort, sorting{s.other[n:], s.to[n:]}.sort)
	return merging{s.other[:n], s.other[n:], s.to}.merge(p)
}

// A merging is to merge the sorted x and y. out is as long as both.
type merging struct{ x, y, out []int64 }

// merge splits a long merge at the middle of the longer slice, and where the value there belongs in the
// other.
func (m merging) merge(p Place) uint64 {
	if len(m.out) <= mergeCutoff {
		m.plainly()
		return 0
	}
	if len(m.x) < len(m.y) {
		m.x, m.y = m.y, m.x
	}
	i := len(m.x) / 2
	j, _ := slices.BinarySearch(m.y, m.x[i])
	return p.both(merging{m.x[:i], m.y[:j], m.out[:i+j]}.merge, merging{m.x[i:], m.y[j:], m.out[i+j:]}.merge)
}

// plainly takes the lesser of both heads. No branch depends on the values, for every second one
// would be predicted wrongly.
func (m merging) plainly() {
	x, y, out := m.x, m.y, m.out
	for len(x) > 0 && len(y) > 0 {
		// No slice is empty before as many steps as the shorter one has elements.
		n, i, j := min(len(x), len(y)), 0, 0
		for k := range n {
			a, b := x[i], y[j]
			out[k] = min(a, b)
			second := bit(b < a)
			i, j = i+1-second, j+second
		}
		x, y, out = x[i:], y[j:], out[n:]
	}
	copy(out, x)
	copy(out[len(x):], y)
}

// bit is 1 for true. The compiler makes no branch of it.
func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}
