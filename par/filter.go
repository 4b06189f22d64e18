package par

import (
	"context"
	"encoding/binary"
	"math/bits"

	"github.com/rouse-go/rouse/api/prim"
)

// Filter returns the elements for which keep is true, in order, in memory of exactly their
// size. It calls keep once for each element. The result is nil if s is.
//
// Besides the result it allocates a byte for each element, and a word for each 4096.
func Filter[S ~[]E, E any](s S, keep func(E) bool, opts ...Option) S {
	refuse("Filter", 0, keep == nil)
	f := &filtering[E]{keep: keep}
	to, _ := f.chosen(f, f.over(s, configured(codeOf(keep), opts)))
	return nilLike(s, to)
}

// FilterErr is [Filter] for a function that may fail, and that wants a context: see [ForErr].
// With an error it returns nil.
func FilterErr[S ~[]E, E any](ctx context.Context, s S, keep func(context.Context, E) (bool, error), opts ...Option) (S, error) {
	refuse("FilterErr", 0, keep == nil)
	mustContext("FilterErr", ctx)
	f := &selection[E]{}
	c := f.over(s, configured(codeOf(keep), opts))
	c.ctx = ctx
	to, err := f.chosen(tries(func(ctx context.Context, i int) error {
		ok, err := keep(ctx, s[i])
		f.marks[i] = bit(ok)
		return err
	}), c)
	return nilLike(s, to), err
}

// Partition returns the elements for which first is true, and the others, each in order,
// in memory of exactly their size. It calls first once for each element. The results are
// nil if s is.
//
// It allocates the results, and the same as [Filter] besides.
func Partition[S ~[]E, E any](s S, first func(E) bool, opts ...Option) (yes, no S) {
	refuse("Partition", 0, first == nil)
	f := &filtering[E]{keep: first}
	c := f.over(s, configured(codeOf(first), opts))
	all := c.stages(len(s), 4*len(s))
	f.mark(f, all)
	all = all.further()
	yes, no = S(f.picked(false, all)), S(f.picked(true, all))
	c.finished(len(s))
	return nilLike(s, yes), nilLike(s, no)
}

// FilterMap returns the results of f for the elements for which it returns true, in order, in
// memory of exactly their size. It calls f once for each element. The result is nil if s is.
//
// It allocates the result, the same as [Filter] besides, and room for f's results of
// all elements.
func FilterMap[S ~[]E, E, R any](s S, f func(E) (R, bool), opts ...Option) []R {
	refuse("FilterMap", 0, f == nil)
	m := &selection[R]{}
	c := m.over(uncleared[R](len(s)), configured(codeOf(f), opts))
	to, _ := m.chosen(each(func(i int) {
		x, ok := f(s[i])
		m.from[i], m.marks[i] = x, bit(ok)
	}), c)
	return nilLike(s, to)
}

// A selection of elements is made in two passes: one marks each element, and the other
// moves those that are marked. So the function that decides is called once, and the
// processor does not have to guess what it says.
type selection[E any] struct {
	loop *loop
	from []E
	// marks is 1 for each element that is chosen. before has how many are in front of
	// each block of elements, and in all.
	marks  []uint8
	before []int
	to     []E
	others bool // those that are not chosen are moved
}

// pickBlock is how many elements are counted, and moved, as one.
const pickBlock = 4096

// over makes it a selection of these elements, and returns how to run its loops.
func (m *selection[E]) over(from []E, c config) config {
	m.from, m.marks = from, uncleared[uint8](len(from))
	m.before = make([]int, partsOf(len(from), prim.Size(pickBlock))+1)
	c.loop = &m.loop
	return c
}

// chosen returns the elements that a body marks, unless that fails.
func (m *selection[E]) chosen(b elements, c config) ([]E, error) {
	all := c.stages(len(m.from), 3*len(m.from))
	if err := m.mark(b, all); err != nil {
		return nil, err
	}
	to := m.picked(false, all.further())
	c.finished(len(m.from))
	return to, nil
}

// mark has a body mark the elements, and counts the marks unless that fails.
func (m *selection[E]) mark(b elements, c config) error {
	if err := c.each(len(m.marks), b); err != nil {
		return err
	}
	do(m.blocks(), (*tally[E])(m), c.further())
	m.add()
	return nil
}

// add makes of how many each block has how many are in front of it.
func (m *selection[E]) add() {
	for i := range m.blocks() {
		m.before[i+1] += m.before[i]
	}
}

func (m *selection[E]) blocks() int { return len(m.before) - 1 }

// span returns the elements of a block.
func (m *selection[E]) span(block int) (lo, hi int) {
	return part(block, prim.Size(pickBlock), len(m.from))
}

// picked returns the elements that are marked, or the others.
func (m *selection[E]) picked(others bool, c config) []E {
	n := m.before[m.blocks()]
	if others {
		n = len(m.from) - n
	}
	m.to, m.others = uncleared[E](n), others
	do(m.blocks(), (*picking[E])(m), c)
	return m.to
}

// A tally counts the marks of blocks.
type tally[E any] selection[E]

func (t *tally[E]) run(lo, hi int) error {
	for block := lo; block < hi; block++ {
		from, to := (*selection[E])(t).span(block)
		t.before[block+1] = ones(t.marks[from:to])
	}
	return nil
}

// ones returns how many marks are 1, eight at a time.
func ones(marks []uint8) (n int) {
	for ; len(marks) >= 8; marks = marks[8:] {
		n += bits.OnesCount64(binary.NativeEndian.Uint64(marks))
	}
	for _, m := range marks {
		n += int(m)
	}
	return n
}

// A picking moves elements, by blocks.
type picking[E any] selection[E]

func (p *picking[E]) run(lo, hi int) error {
	flip := bit(p.others)
	for block := lo; block < hi; block++ {
		from, to := (*selection[E])(p).span(block)
		at, end := p.before[block], p.before[block+1]
		if p.others {
			at, end = from-at, to-end
		}
		move(p.to[at:end], p.from[from:to], p.marks[from:to], flip)
	}
	return nil
}

// move moves the elements whose marks are not flip, of which to has just the length. It
// writes each one where the next that is chosen belongs: that is no jump to be guessed.
func move[E any](to, from []E, marks []uint8, flip uint8) {
	at := 0
	for i, m := range marks {
		if at == len(to) {
			return
		}
		to[at] = from[i]
		at += int(m ^ flip)
	}
}

// bit is 1 if b is true. It compiles to no jump.
func bit(b bool) (n uint8) {
	if b {
		n = 1
	}
	return n
}

type filtering[E any] struct {
	selection[E]
	keep func(E) bool
}

func (f *filtering[E]) run(_ context.Context, lo, hi int, stop *prim.Bool) (at int, err error) {
	marks, from, keep := f.marks[lo:hi], f.from[lo:hi], f.keep
	for i := range marks {
		marks[i] = bit(keep(from[i]))
		if stop.Load() {
			return lo + i + 1, nil
		}
	}
	return hi, nil
}
