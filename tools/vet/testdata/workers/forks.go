package workers

import (
	"iter"

	"github.com/rouse-go/rouse/pool"
)

type fork = pool.Forked[*tree, int]

// Forks that nobody joins.
func dropped(w *pool.Worker, t *tree, some bool) int {
	pool.Fork(w, sum, t)      // want `the fork is never joined, so nobody gets its result, and it may not run until its job returns: join it, or spawn a job in a Worker.Scope`
	_ = pool.Fork(w, sum, t)  // want `the fork is never joined`
	f := pool.Fork(w, sum, t) // want `the fork is never joined`
	_ = f
	var g = pool.Fork(w, sum, t) // want `the fork is never joined`
	g = pool.Fork(w, sum, t.left)
	h := pool.Fork(w, sum, t) // want `the fork is never joined`
	if some {
		h = pool.Fork(w, sum, t.left)
	} else {
		h = pool.Fork(w, sum, t.right)
	}
	for range 9 {
		w.Scope(func(w *pool.Worker, s *pool.Scope) {
			i := pool.Fork(w, sum, t) // want `the fork is never joined`
			_ = i
		})
	}
	return g.Join(w) + h.Join(w)
}

func droppedIn(w *pool.Worker, t *tree) {
	var forks []fork
	forks = append(forks, pool.Fork(w, sum, t)) // want `the forks in forks are never joined: join them, or spawn jobs in a Worker.Scope`
	kept := make(map[int]fork)
	for i := range kept {
		kept[i] = pool.Fork(w, sum, t) // want `the forks in kept are never joined`
	}
	var pair = [2]fork{pool.Fork(w, sum, t), pool.Fork(w, sum, t)} // want `the forks in pair are never joined`
	_ = pair
	begin(w, t) // want `the fork is never joined`
	endless(w)
}

func begin(w *pool.Worker, t *tree) fork { return (pool.Fork(w, sum, t)) }
func endless(w *pool.Worker) fork        { return endless(w) }

// What is kept elsewhere may be joined elsewhere.
type keeper struct {
	fork  fork
	forks []fork
}

func (k *keeper) keep(w *pool.Worker, t *tree) (f fork) {
	k.fork = pool.Fork(w, sum, t)
	k.forks = append(k.forks, pool.Fork(w, sum, t))
	g := pool.Fork(w, sum, t)
	defer g.Join(w)
	h := pool.Fork(w, sum, t)
	join := func() { h.Join(w) }
	h.Join(w)
	_ = join
	i, j := pool.Fork(w, sum, t), pool.Fork(w, sum, t)
	p := &i
	i.Join(w)
	take(p, j)
	i.Join(w)
	more, rest := []fork{pool.Fork(w, sum, t)}, []fork{pool.Fork(w, sum, t)}
	k.forks = append(more, k.fork)
	k.forks = append(k.forks, rest...)
	l := pool.Fork(w, sum, t)
	k.fork = l
	k.kept(w, t)
	m := k.kept(w, t)
	_ = m
	f = pool.Fork(w, sum, t)
	return
}

func (k *keeper) kept(w *pool.Worker, t *tree) fork {
	k.fork = pool.Fork(w, sum, t)
	return k.fork
}

func take(*fork, fork) {}

func list[A, R any](w *pool.Worker, fn func(*pool.Worker, A) R, args ...A) (results []R) {
	forks := make([]pool.Forked[A, R], len(args))
	for i, a := range args {
		forks[i] = pool.Fork[A, R](w, func(w *pool.Worker, a A) R { return fn(w, a) }, a)
	}
	var f pool.Forked[A, R]
	for _, f = range forks {
		results = append(results, f.Join(w))
	}
	return results
}

// Forks that every path to a join has joined before.
func again(w *pool.Worker, t *tree, some bool, f fork) int {
	n := f.Join(w) + f.Join(w) // want `the fork f was joined before, so this panics: keep the result of the first Join`
	g := pool.Fork(w, sum, t)
	if some {
		n += g.Join(w)
	} else {
		n -= g.Join(w)
	}
	for n > 0 {
		n -= g.Join(w) // want `the fork g was joined before`
	}
	h := pool.Fork(w, sum, t)
	for n < 9 {
		n += h.Join(w) // want `the fork h is joined in each iteration, and the second one panics: join it before the loop`
	}
	k := pool.Fork(w, sum, t)
	renew := func() { f = pool.Fork(w, sum, t) }
	late := func() {
		for range 3 {
			renew()
			n += k.Join(w) // want `the fork k is joined in each iteration`
			n += f.Join(w)
		}
	}
	for range 3 {
		late()
		n += k.Join(w) // want `the fork k is joined in each iteration`
		n += f.Join(w)
	}
	return n
}

// Each is joined once, on whatever path.
func once(w *pool.Worker, t *tree, some bool) int {
	f := pool.Fork(w, sum, t)
	if t.left == nil {
		return 0 // it runs before the job ends
	}
	if some {
		return f.Join(w)
	}
	n := f.Join(w)
	g := pool.Fork(w, sum, t)
	if some {
		n += g.Join(w)
	}
	if !some {
		n -= g.Join(w)
	}
	h := pool.Fork(w, sum, t)
	for i := range 3 {
		if i == 1 {
			n += h.Join(w)
		}
	}
	k := pool.Fork(w, sum, t)
	for {
		n += k.Join(w)
		if n > 0 {
			break
		}
		k = pool.Fork(w, sum, t)
	}
	l := pool.Fork(w, sum, t)
	for range 3 {
		n += l.Join(w)
		return n
	}
	m := pool.Fork(w, sum, t)
	_ = some && m.Join(w) > 0 || m.Join(w) < 0
	if some {
		panic("it drops the forks")
	}
	return n
}

// Of a select, only one clause happens.
func selected(w *pool.Worker, t *tree, from <-chan fork, c chan<- int) int {
	f, g := pool.Fork(w, sum, t), pool.Fork(w, sum, t)
	n := f.Join(w)
	select {
	case f = <-from:
		return n + f.Join(w)
	case g = <-from:
	case c <- n:
		n += f.Join(w) // want `the fork f was joined before`
	}
	return n + g.Join(w)
}

// Forks in fields and elements, the same ones and others.
func (k *keeper) places(w *pool.Worker, t *tree, i int, from <-chan fork) int {
	k.fork.Join(w)
	k.forks[0].Join(w)
	k.forks[1].Join(w)
	n := k.fork.Join(w) + k.forks[0].Join(w) // want `the fork k.fork was joined before` `the fork k.forks\[0\] was joined before`
	k.again(w, t)
	k.fork.Join(w)
	k.fork = pool.Fork(w, sum, t)
	k.fork.Join(w)
	<-from
	k.fork.Join(w)
	k.forks[i].Join(w)
	i++
	k.forks[i].Join(w)
	i = 0
	k.forks[i].Join(w)
	for range k.each(w, t) {
		k.fork.Join(w)
	}
	for j := range k.forks {
		k.forks[j].Join(w)
		k.fork.Join(w) // want `the fork k.fork is joined in each iteration`
	}
	n += k.forks[i].Join(w) + (<-from).Join(w) + k.next(w).Join(w) + (<-from).Join(w) + k.next(w).Join(w)
	return n + k.forks[i].Join(w) + k.forks[i].Join(w) // want `the fork k.forks\[i\] was joined before`
}

// A fork, and in each iteration first the one from before, if that is left.
func (k *keeper) behind(w *pool.Worker, all []*tree) (n int) {
	f, left := pool.Fork(w, sum, nil), true
	for _, t := range all {
		if left {
			n += f.Join(w)
		}
		f, left = pool.Fork(w, sum, t), false
		n += f.Join(w)
	}
	if left {
		n += f.Join(w)
	}
	for range all {
		n += f.Join(w) // want `the fork f is joined in each iteration`
	}
	return n + f.Join(w) + k.forks[0].Join(w) + k.fork.Join(w)
}

func (k *keeper) each(w *pool.Worker, t *tree) iter.Seq[int] {
	return func(yield func(int) bool) {
		for k.again(w, t); yield(0); k.again(w, t) {
		}
	}
}

func (k *keeper) again(w *pool.Worker, t *tree) { k.fork = pool.Fork(w, sum, t) }
func (k *keeper) next(w *pool.Worker) fork      { return k.fork }
