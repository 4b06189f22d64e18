//go:build explore

package simulate

import (
	"context"
	"fmt"
	"math/rand/v2"
	"reflect"
	"runtime"
	"testing"

	"github.com/rouse-go/rouse/api"
	"github.com/rouse-go/rouse/api/prim"
	"github.com/rouse-go/rouse/deque"
	"github.com/rouse-go/rouse/pool"
	"github.com/rouse-go/rouse/sleep/futex"
	"github.com/rouse-go/rouse/sleep/jec"
)

// A node of a tree of tasks works, lets its children run in parallel, and works again.
type node struct {
	before, after Time
	children      []*node
}

func randomTree(rng *rand.Rand, depth int) *node {
	n := &node{before: Time(rng.IntN(2000)) * ns, after: Time(rng.IntN(500)) * ns}
	if depth > 0 {
		for range rng.IntN(5) {
			n.children = append(n.children, randomTree(rng, depth-1))
		}
	}
	return n
}

// measure returns the work of the tree, and its span.
func (n *node) measure() (work, span Time) {
	for _, c := range n.children {
		w, s := c.measure()
		work += w
		span = max(span, s)
	}
	return work + n.before + n.after, span + n.before + n.after
}

// asGoroutines runs the tree with a goroutine for each child.
func (n *node) asGoroutines() {
	Work(n.before)
	var g prim.WaitGroup
	for _, c := range n.children {
		g.Go(c.asGoroutines)
	}
	g.Wait()
	Work(n.after)
}

// asForks runs the tree on a pool.
func (n *node) asForks(w *pool.Worker) {
	Work(n.before)
	forks := make([]pool.Forked[*node, int], len(n.children))
	for i, c := range n.children {
		forks[i] = pool.Fork(w, func(w *pool.Worker, n *node) int { n.asForks(w); return 0 }, c)
	}
	for i := len(forks) - 1; i >= 0; i-- {
		forks[i].Join(w)
	}
	Work(n.after)
}

// asScope runs the tree with a scope for each node.
func (n *node) asScope(w *pool.Worker) {
	Work(n.before)
	w.Scope(func(w *pool.Worker, s *pool.Scope) {
		for _, c := range n.children {
			s.Spawn(w, c.asScope)
		}
	})
	Work(n.after)
}

func trees(n int) int {
	if testing.Short() {
		return n / 10
	}
	return n
}

// On a machine where nothing but work takes time, no processor is idle while a goroutine
// waits for one. So the time of each tree is between Graham's bounds: at least the work
// divided by the processors and at least the span, at most the sum of that quotient and
// the rest of the span (Graham, Bounds for Certain Multiprocessing Anomalies, 1966).
func TestGrahamsBoundOfGoroutines(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range trees(200) {
		tree := randomTree(rng, 4)
		work, span := tree.measure()
		p := Time(1 + rng.IntN(16))
		r := runOn(t, Machine{Processors: int(p), cluster: 4}, tree.asGoroutines)
		if r.Elapsed*p < work || r.Elapsed < span {
			t.Fatalf("work %d, span %d, %d processors: done in %d, which is impossible", work, span, p, r.Elapsed)
		}
		if r.Elapsed*p > work+(p-1)*span {
			t.Fatalf("work %d, span %d, %d processors: %d, at most %d would be greedy", work, span, p, r.Elapsed, (work+(p-1)*span)/p)
		}
		if r.Work != work {
			t.Fatalf("work %d of %d was done", r.Work, work)
		}
	}
}

// parts are combinations of a pool's backends.
var parts = map[string][]pool.Option{
	"jec":    {onSleep(func(n int) (*jec.Sleep, error) { return jec.New(n) })},
	"futex":  {onSleep(func(n int) (*futex.Sleep, error) { return futex.New(n) })},
	"parker": {onSleep(func(n int) (*futex.Sleep, error) { return futex.New(n, futex.WithGoroutinePark()) })},
	"locked": {onSleep(func(n int) (*jec.Sleep, error) { return jec.New(n) }), pool.WithDeque(func() api.Deque[pool.Job] { return deque.NewLocked[pool.Job]() })},
}

func onSleep[S api.Sleep](f func(int) (S, error)) pool.Option {
	return pool.WithSleep(func(n int) (api.Sleep, error) { return f(n) })
}

// onPool makes a pool of p workers, lets them fall asleep, measures the job there, and
// closes the pool.
func onPool(p int, job func(w *pool.Worker), opts ...pool.Option) {
	pl, err := pool.New(append(opts, pool.WithWorkers(p))...)
	if err != nil {
		panic(err)
	}
	Work(Time(p) * 100 * us)
	Measure(func() {
		_, err = pool.Run(context.Background(), pl, func(w *pool.Worker, job func(*pool.Worker)) int { job(w); return 0 }, job)
	})
	if err != nil {
		panic(err)
	}
	if err := pl.Close(); err != nil {
		panic(err)
	}
}

// A pool cannot be faster than its work on that many processors, or than its span,
// whatever it is made of and however the tree runs; and it does all work.
func TestGrahamsBoundOfPools(t *testing.T) {
	for name, opts := range parts {
		rng := rand.New(rand.NewPCG(3, 4))
		for i := range trees(20) {
			tree := randomTree(rng, 5)
			work, span := tree.measure()
			m := Server([]Variation{Low, Base, High}[i%3])
			m.Processors = []int{1, 2, 3, 8, 64}[rng.IntN(5)]
			job := tree.asForks
			if i%2 == 0 {
				job = tree.asScope
			}
			r := runOn(t, m, func() { onPool(m.Processors, job, opts...) })
			what := fmt.Sprintf("%s, %d workers, work %d, span %d", name, m.Processors, work, span)
			if r.Work != work {
				t.Errorf("%s: work %d was done", what, r.Work)
			}
			if r.Elapsed*Time(m.Processors) < work || r.Elapsed < span {
				t.Errorf("%s: done in %d, which is impossible", what, r.Elapsed)
			}
			if m.Processors == 1 && r.Elapsed > work+work/2+20*us {
				t.Errorf("%s: takes %d", what, r.Elapsed)
			}
		}
	}
}

// A second run is the first one again, although the memory lies elsewhere and the
// collector runs at other times. If it is not, the simulator looks at addresses, at maps
// in their order, or at the clock.
func TestSameReport(t *testing.T) {
	tree := randomTree(rand.New(rand.NewPCG(5, 6)), 6)
	m := Server(Base)
	m.Processors = 16
	var litter [][]byte
	program := func() {
		onPool(16, func(w *pool.Worker) {
			tree.asForks(w)
			if litter != nil {
				litter = append(litter, make([]byte, 12345))
				runtime.GC()
			}
			tree.asScope(w)
		}, parts["jec"]...)
	}
	first := runOn(t, m, program)
	for range 1000 {
		litter = append(litter, make([]byte, 48))
	}
	if second := runOn(t, m, program); !reflect.DeepEqual(first, second) {
		t.Errorf("reports\n%+v\nand\n%+v", first, second)
	}
}

// The report names the lines for what they hold.
func TestNames(t *testing.T) {
	names := make(map[string]bool)
	r := runOn(t, plain(8, 8), func() {
		var word prim.Int64
		onPool(8, func(w *pool.Worker) {
			w.Scope(func(w *pool.Worker, s *pool.Scope) {
				for range 100 {
					s.Spawn(w, func(*pool.Worker) { word.Add(1); Work(us) })
				}
			})
		}, parts["jec"]...)
	})
	for _, l := range r.Lines {
		names[l.Name] = true
	}
	for _, want := range []string{"Counters.bits", "Worker.wanted", "ChaseLev.top", "condition.mu", "slice of deque.newRing[...]", "undeclared"} {
		if !names[want] {
			t.Errorf("no line is named %q, only %v", want, names)
		}
	}
}
