package par

// Compact returns the elements of s that are not equal to the one before, in order, in
// memory of exactly their size. Other than [slices.Compact] it leaves s as it is. The
// result is nil if s is.
//
// It allocates the result, and the same as [Filter] besides.
func Compact[S ~[]E, E comparable](s S, opts ...Option) S {
	f := &changes[E]{}
	c := f.over(s, configured(0, opts))
	all := c.stages(len(s), 2*len(s))
	do(f.blocks(), f, all)
	f.add()
	to := S(f.picked(false, all))
	c.finished(len(s))
	return nilLike(s, to)
}

// CompactFunc is [Compact] with a function of whether an element is equal to the one before:
// it calls eq(s[i], s[i-1]) once for each index but 0.
func CompactFunc[S ~[]E, E any](s S, eq func(a, b E) bool, opts ...Option) S {
	refuse("CompactFunc", 0, eq == nil)
	f := &selection[E]{}
	c := f.over(s, configured(codeOf(eq), opts))
	to, _ := f.chosen(each(func(i int) { f.marks[i] = bit(i == 0 || !eq(s[i], s[i-1])) }), c)
	return nilLike(s, to)
}

// A changes marks elements that are not equal to the one before, by blocks, and counts the marks.
type changes[E comparable] struct{ selection[E] }

func (f *changes[E]) run(lo, hi int) error {
	for block := lo; block < hi; block++ {
		from, to := f.span(block)
		f.markRange(from, to)
		f.before[block+1] = ones(f.marks[from:to])
	}
	return nil
}

func (f *changes[E]) markRange(lo, hi int) {
	if lo == 0 {
		f.marks[0], lo = 1, 1
	}
	marks, s := f.marks[lo:hi], f.from[lo-1:hi]
	for ; len(marks) >= 4 && len(s) > 4; marks, s = marks[4:], s[4:] {
		marks[0] = bit(s[1] != s[0])
		marks[1] = bit(s[2] != s[1])
		marks[2] = bit(s[3] != s[2])
		marks[3] = bit(s[4] != s[3])
	}
	for i := range marks {
		marks[i] = bit(s[i+1] != s[i])
	}
}
