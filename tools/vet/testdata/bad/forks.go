package bad

import "github.com/rouse-go/rouse/pool"

// Forks that nobody joins.
func dropped(w *pool.Worker, t *tree) int {
	pool.Fork(w, sum, t)      // want `the fork is never joined`
	_ = pool.Fork(w, sum, t)  // want `the fork is never joined`
	forked(w, t)              // want `the fork is never joined`
	f := pool.Fork(w, sum, t) // want `the fork is never joined`
	_ = f
	var g = pool.Fork(w, sum, t) // want `the fork is never joined`
	g = pool.Fork(w, sum, t.left)
	h := pool.Fork(w, sum, t) // want `the fork is never joined`
	if t.value > 0 {
		h = pool.Fork(w, sum, t.left)
	} else {
		h = pool.Fork(w, sum, t.right)
	}
	for range t.value {
		i := pool.Fork(w, sum, t) // want `the fork is never joined`
		_ = i
	}
	var forks []pool.Forked[*tree, int]
	forks = append(forks, pool.Fork(w, sum, t)) // want `the forks in forks are never joined`
	kept := make([]pool.Forked[*tree, int], 2)
	for i := range kept {
		kept[i] = pool.Fork(w, sum, t) // want `the forks in kept are never joined`
	}
	pair := [2]pool.Forked[*tree, int]{pool.Fork(w, sum, t), pool.Fork(w, sum, t)} // want `the forks in pair are never joined`
	_ = pair
	w.Scope(func(w *pool.Worker, s *pool.Scope) {
		pool.Fork(w, sum, t) // want `the fork is never joined`
	})
	return g.Join(w) + h.Join(w)
}

func forked(w *pool.Worker, t *tree) pool.Forked[*tree, int] { return pool.Fork(w, sum, t) }

// Forks that are joined again.
func again(w *pool.Worker, t *tree) int {
	f := pool.Fork(w, sum, t)
	f.Join(w)
	f.Join(w) // want `the fork f was joined before, so this panics: keep the result of the first Join`
	g := pool.Fork(w, sum, t)
	n := g.Join(w) + g.Join(w) // want `the fork g was joined before`
	h := pool.Fork(w, sum, t)
	if t.left == nil {
		n += h.Join(w)
	} else {
		n -= h.Join(w)
	}
	if n > 0 {
		return h.Join(w) // want `the fork h was joined before`
	}
	i := pool.Fork(w, sum, t)
	for range 2 {
		n += i.Join(w) // want `the fork i is joined in each iteration, and the second one panics: join it before the loop`
	}
	return n + joinedFirst(w, pool.Fork(w, sum, t))
}

func joinedFirst(w *pool.Worker, f pool.Forked[*tree, int]) int {
	x := f.Join(w)
	println(x)
	return x + f.Join(w) // want `the fork f was joined before`
}

type pair struct{ a, b pool.Forked[*tree, int] }

// In fields and elements.
func places(w *pool.Worker, p *pair, forks []pool.Forked[*tree, int], i int) int {
	n := forks[i].Join(w) + forks[i].Join(w) // want `the fork forks\[i\] was joined before`
	p.a.Join(w)
	p.b.Join(w)
	m := p.a.Join(w) // want `the fork p.a was joined before`
	forks[0].Join(w)
	return n + m + forks[0].Join(w) // want `the fork forks\[0\] was joined before`
}
