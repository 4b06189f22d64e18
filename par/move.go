package par

// copyAll copies src to dst, of the same length, in parallel.
func copyAll[E any](dst, src []E, c config) {
	do(len(src), &copying[E]{dst, src}, c)
}

type copying[E any] struct{ to, from []E }

func (m *copying[E]) run(lo, hi int) error {
	copy(m.to[lo:hi], m.from[lo:hi])
	return nil
}

// reverseAll reverses s in parallel.
func reverseAll[E any](s []E, c config) {
	do(len(s)/2, reversing[E](s), c)
}

type reversing[E any] []E

func (s reversing[E]) run(lo, hi int) error {
	mirror(s, 0, len(s), lo, hi)
	return nil
}

// mirror exchanges the elements from to mid-1 of s[lo:hi] with those at the other end of it.
func mirror[E any](s []E, lo, hi, from, mid int) {
	for i, j := from, hi-1-(from-lo); i < mid; i, j = i+1, j-1 {
		s[i], s[j] = s[j], s[i]
	}
}
