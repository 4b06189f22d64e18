package work

import "slices"

// mergeCutoff is the length up to which a merge is not split.
const mergeCutoff = 131072

// A merging is to merge the sorted x and y. out is as long as both.
type merging struct{ x, y, out []int64 }

// leaf does a short merge, and reports whether it is one.
func (m merging) leaf() bool {
	if len(m.out) > mergeCutoff {
		return false
	}
	m.merge()
	return true
}

// halves splits a merge at the middle of the longer slice, and where the value
// there belongs in the other.
func (m merging) halves() (merging, merging) {
	if len(m.out) == 0 {
		return m, m
	}
	if len(m.x) < len(m.y) {
		m.x, m.y = m.y, m.x
	}
	i := len(m.x) / 2
	j, _ := slices.BinarySearch(m.y, m.x[i])
	return merging{m.x[:i], m.y[:j], m.out[:i+j]}, merging{m.x[i:], m.y[j:], m.out[i+j:]}
}

// merge moves the least and the greatest of what is left at each step. No branch
// depends on the values, for every second one would be predicted wrongly. Each
// step waits for the one before at the same end, so two ends take half the time.
func (m merging) merge() {
	x, y, out := m.x, m.y, m.out
	for len(x) > 0 && len(y) > 0 {
		// No more than n elements of either slice are among the n least, nor
		// among the n greatest, so no step finds one empty.
		n := min(len(x), len(y))
		low, high := out[:n], out[len(out)-n:]
		i, j := 0, 0
		p, q := len(x)-1, len(y)-1
		for k := range n {
			a, b := x[i], y[j]
			low[k] = min(a, b)
			second := bit(b < a)
			i, j = i+1-second, j+second

			a, b = x[p], y[q]
			high[n-1-k] = max(a, b)
			first := bit(b < a)
			p, q = p-first, q-1+first
		}
		x, y, out = x[i:p+1], y[j:q+1], out[n:len(out)-n]
	}
	copy(out, x)
	copy(out, y)
}

// bit is 1 for true. The compiler makes no branch of it.
func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}
