package good

import "github.com/rouse-go/rouse/pool"

// Each fork is joined once, on whatever path.
func once(w *pool.Worker, t *tree, some bool) int {
	f := pool.Fork(w, sum, t)
	if some {
		return f.Join(w)
	}
	n := f.Join(w)
	f = pool.Fork(w, sum, t)
	n += f.Join(w)
	for range 3 {
		f = pool.Fork(w, sum, t)
		n += f.Join(w)
	}
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
	_ = some && l.Join(w) > 0 || l.Join(w) < 0
	return n
}

// An early return leaves a fork, which runs before the job ends; a panic drops it.
func early(w *pool.Worker, t *tree) int {
	f := pool.Fork(w, sum, t)
	if t.left == nil {
		return 0
	}
	if t.right == nil {
		panic("no right")
	}
	return f.Join(w)
}

// What is kept elsewhere may be joined elsewhere.
type kept struct {
	fork pool.Forked[*tree, int]
	all  []pool.Forked[*tree, int]
}

func (k *kept) keep(w *pool.Worker, t *tree) (f pool.Forked[*tree, int]) {
	k.fork = pool.Fork(w, sum, t)
	k.all = append(k.all, pool.Fork(w, sum, t))
	g := pool.Fork(w, sum, t)
	defer g.Join(w)
	h := pool.Fork(w, sum, t)
	join := func() { h.Join(w) }
	join()
	i := pool.Fork(w, sum, t)
	take(&i)
	j := pool.Fork(w, sum, t)
	k.fork = j
	f = pool.Fork(w, sum, t)
	return
}

func take(f *pool.Forked[*tree, int]) {}

func list(w *pool.Worker, t *tree) (all []pool.Forked[*tree, int], n int) {
	all = append(all, pool.Fork(w, sum, t))
	var forks [2]pool.Forked[*tree, int]
	for i := range forks {
		forks[i] = pool.Fork(w, sum, t)
	}
	for _, f := range forks {
		n += f.Join(w)
	}
	var f pool.Forked[*tree, int]
	for _, f = range forks[:0] {
		n += f.Join(w)
	}
	return all, n
}

// Other forks in the same places, or in others.
func (k *kept) places(w *pool.Worker, t *tree, i int) int {
	n := k.all[0].Join(w) + k.all[1].Join(w)
	k.fork.Join(w)
	k.again(w, t)
	n += k.fork.Join(w)
	k.fork = pool.Fork(w, sum, t)
	n += k.fork.Join(w)
	k.all[i].Join(w)
	i++
	k.all[i].Join(w)
	i = 0
	k.all[i].Join(w)
	if i > 0 {
		k.all[i] = pool.Fork(w, sum, t)
	}
	return n + k.all[i].Join(w) + k.next(w).Join(w) + k.next(w).Join(w)
}

func (k *kept) again(w *pool.Worker, t *tree) { k.fork = pool.Fork(w, sum, t) }

func (k *kept) next(w *pool.Worker) pool.Forked[*tree, int] { return k.fork }

// This is what the author wants.
func suppressed(w *pool.Worker, t *tree) {
	//lint:ignore rouseworker nobody needs the result
	pool.Fork(w, sum, t)
	pool.Fork(w, sum, t) //lint:ignore rouseworker,SA9999 nobody needs the result
	//lint:ignore rouse* nobody needs the result
	pool.Fork(w, sum, t)
}

func received(w *pool.Worker, from <-chan pool.Forked[*tree, int]) {
	(<-from).Join(w)
	(<-from).Join(w)
}
