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
	for i, j := lo, len(s)-1-lo; i < hi; i, j = i+1, j-1 {
		s[i], s[j] = s[j], s[i]
	}
	return nil
}
