package work

import "github.com/rouse-go/rouse/pool"

// What others have for forks is slower than an indirect call by far, so the shapes Nested and Flat
// are written once for all jobs. The shapes Sequential and Pool are written out.

// A halving is a job that is cut in two, again and again.
type halving[A, R any] struct {
	halves func(A) (first, second A, ok bool) // not ok: it is not cut any more
	plain  func(A) R                          // does all of it
	join   func(whole A, first, second R) R   // does what is left to do
}

func (h *halving[A, R]) nested(groups Groups, a A) R {
	first, second, ok := h.halves(a)
	if !ok {
		return h.plain(a)
	}
	var x R
	g := groups()
	g.Go(func() { x = h.nested(groups, first) })
	y := h.nested(groups, second)
	g.Wait()
	return h.join(a, x, y)
}

func (h *halving[A, R]) flat(groups Groups, pieces int, a A) R {
	g := groups()
	result := h.cut(g, pieces, a)
	g.Wait()
	return result()
}

// cut starts the pieces, and returns what joins their results when they are there.
func (h *halving[A, R]) cut(g Group, pieces int, a A) (result func() R) {
	if pieces > 1 {
		if first, second, ok := h.halves(a); ok {
			x, y := h.cut(g, pieces/2, first), h.cut(g, pieces-pieces/2, second)
			return func() R { return h.join(a, x(), y()) }
		}
	}
	var x R
	g.Go(func() { x = h.plain(a) })
	return func() R { return x }
}

// program is the job a. write writes a result as a number.
func (h *halving[A, R]) program(a A, write func(R) uint64, fork func(*pool.Worker, A) uint64) *Program {
	return &Program{
		Sequential: func() uint64 { return write(h.plain(a)) },
		Nested:     func(groups Groups) uint64 { return write(h.nested(groups, a)) },
		Flat:       func(groups Groups, pieces int) uint64 { return write(h.flat(groups, pieces, a)) },
		Pool:       onPool(fork, a),
	}
}

func number(x uint64) uint64  { return x }
func nothing(struct{}) uint64 { return 0 }

// A search is a job whose nodes have any number of children, and whose result is a sum.
type search[A any] struct {
	own      func(*A) uint64 // what a node adds to the sum by itself
	children func(*A) int
	child    func(*A, int) A
	plain    func(A) uint64 // searches all of it
}

func (s *search[A]) nested(groups Groups, a A) uint64 {
	n := s.children(&a)
	if n == 0 {
		return s.own(&a)
	}
	counts := make([]uint64, n)
	g := groups()
	for i := range n - 1 {
		g.Go(func() { counts[i] = s.nested(groups, s.child(&a, i)) })
	}
	counts[n-1] = s.nested(groups, s.child(&a, n-1))
	g.Wait()
	return s.own(&a) + total(counts)
}

// flat searches the largest parts, breadth first, until there are enough.
func (s *search[A]) flat(groups Groups, pieces int, a A) (sum uint64) {
	todo := []A{a}
	for len(todo) > 0 && len(todo) < pieces {
		node := todo[0]
		todo = todo[1:]
		sum += s.own(&node)
		for i := range s.children(&node) {
			todo = append(todo, s.child(&node, i))
		}
	}
	return sum + sumOf(groups, len(todo), func(i int) uint64 { return s.plain(todo[i]) })
}

func (s *search[A]) program(a A, fork func(*pool.Worker, A) uint64) *Program {
	return &Program{
		Sequential: func() uint64 { return s.plain(a) },
		Nested:     func(groups Groups) uint64 { return s.nested(groups, a) },
		Flat:       func(groups Groups, pieces int) uint64 { return s.flat(groups, pieces, a) },
		Pool:       onPool(fork, a),
	}
}
