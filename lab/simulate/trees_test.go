//go:build explore

package simulate_test

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
	"github.com/rouse-go/rouse/lab/simulate"
	"github.com/rouse-go/rouse/pool"
	"github.com/rouse-go/rouse/sleep/futex"
	"github.com/rouse-go/rouse/sleep/jec"
)

// A node of a tree of tasks works, lets its children run in parallel, and works
// again.
type node struct {
	before, after simulate.Time
	children      []*node
}

func randomTree(rng *rand.Rand, depth int) *node {
	n := &node{before: simulate.Time(rng.IntN(2000)) * ns, after: simulate.Time(rng.IntN(500)) * ns}
	if depth > 0 {
		for range rng.IntN(5) {
			n.children = append(n.children, randomTree(rng, depth-1))
		}
	}
	return n
}

// measure returns the work of the tree, and its span.
func (n *node) measure() (work, span simulate.Time) {
	for _, c := range n.children {
		w, s := c.measure()
		work += w
		span = max(span, s)
	}
	return work + n.before + n.after, span + n.before + n.after
}

// asGoroutines runs the tree with a goroutine for each child.
func (n *node) asGoroutines() {
	simulate.Work(n.before)
	var g prim.WaitGroup
	for _, c := range n.children {
		g.Go(c.asGoroutines)
	}
	g.Wait()
	simulate.Work(n.after)
}

// asForks runs the tree on a pool.
func (n *node) asForks(w *pool.Worker) {
	simulate.Work(n.before)
	forks := make([]pool.Forked[*node, int], len(n.children))
	for i, c := range n.children {
		forks[i] = pool.Fork(w, runNode, c)
	}
	for i := len(forks) - 1; i >= 0; i-- {
		forks[i].Join(w)
	}
	simulate.Work(n.after)
}

func runNode(w *pool.Worker, n *node) int {
	n.asForks(w)
	return 0
}

// asScope runs the tree with a scope for each node.
func (n *node) asScope(w *pool.Worker) {
	simulate.Work(n.before)
	w.Scope(func(w *pool.Worker, s *pool.Scope) {
		for _, c := range n.children {
			s.Spawn(w, c.asScope)
		}
	})
	simulate.Work(n.after)
}

// free are all costs of the scheduler and of memory, at nothing.
func free(processors int) *simulate.Machine {
	changes := []string{fmt.Sprintf("processors %d count", processors)}
	for _, c := range simulate.Plain().Constants() {
		if c.Name != "time-slice" {
			changes = append(changes, c.Name+" 0 ns")
		}
	}
	return simulate.Plain(changes...)
}

// On a machine where nothing but work takes time, no processor is idle while a
// goroutine waits for one. So the time of each tree is between Graham's bounds:
// at least the work divided by the processors and at least the span, at most the
// sum of that quotient and the rest of the span (Graham, Bounds for Certain
// Multiprocessing Anomalies, 1966).
func TestGrahamsBoundOfGoroutines(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range trees(200) {
		tree := randomTree(rng, 4)
		work, span := tree.measure()
		p := 1 + rng.IntN(16)
		r := run(t, free(p), tree.asGoroutines)
		P := simulate.Time(p)
		if r.Elapsed*P < work || r.Elapsed < span {
			t.Fatalf("work %v, span %v, %d processors: done in %v, which is impossible", work, span, p, r.Elapsed)
		}
		if r.Elapsed*P > work+(P-1)*span {
			t.Fatalf("work %v, span %v, %d processors: %v, at most %v would be greedy", work, span, p, r.Elapsed, (work+(P-1)*span)/P)
		}
		if got := r.Sections[0].Work; got != work {
			t.Fatalf("work %v of %v was done", got, work)
		}
	}
}

func trees(n int) int {
	if testing.Short() {
		return n / 10
	}
	return n
}

// parts are the combinations of a pool's backends.
var parts = []struct {
	name string
	opts []pool.Option
}{
	{"jec", []pool.Option{onSleep(func(n int) (api.Sleep, error) { return jec.New(n) })}},
	{"futex", []pool.Option{onSleep(func(n int) (api.Sleep, error) { return futex.New(n) })}},
	{"parker", []pool.Option{onSleep(func(n int) (api.Sleep, error) { return futex.New(n, futex.WithGoroutinePark()) })}},
	{"locked", []pool.Option{
		onSleep(func(n int) (api.Sleep, error) { return jec.New(n) }),
		pool.WithDeque(func() api.Deque[pool.Job] { return deque.NewLocked[pool.Job]() }),
	}},
}

func onSleep(f func(int) (api.Sleep, error)) pool.Option { return pool.WithSleep(f) }

// onPool makes a pool of p workers, lets them fall asleep, runs the job there in a
// section of its own, and closes the pool.
func onPool(p int, job func(w *pool.Worker), opts ...pool.Option) {
	pl, err := pool.New(append(opts, pool.WithWorkers(p))...)
	if err != nil {
		panic(err)
	}
	simulate.Work(simulate.Time(p) * 100 * us)
	simulate.Mark("run")
	if _, err := pool.Run(context.Background(), pl, func(w *pool.Worker, job func(*pool.Worker)) int { job(w); return 0 }, job); err != nil {
		panic(err)
	}
	simulate.Mark("close")
	if err := pl.Close(); err != nil {
		panic(err)
	}
}

// The pool cannot be faster than its work on that many processors, or than its
// span, whatever it is made of and however the tree runs; and it does all work.
func TestGrahamsBoundOfPools(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for i := range trees(60) {
		tree := randomTree(rng, 5)
		work, span := tree.measure()
		part := parts[i%len(parts)]
		p := []int{1, 2, 3, 8, 64}[rng.IntN(5)]
		job := tree.asForks
		if i%3 == 0 {
			job = tree.asScope
		}
		for _, v := range []simulate.Variation{simulate.Low, simulate.Base, simulate.High} {
			m, err := simulate.Load("one-socket-64")
			if err != nil {
				t.Fatal(err)
			}
			m = m.With(v)
			m.Processors = p
			r := run(t, m, func() { onPool(p, job, part.opts...) })
			s := r.Sections[1]
			if s.Work != work {
				t.Errorf("%s, %d workers: work %v of %v was done", part.name, p, s.Work, work)
			}
			if s.Elapsed*simulate.Time(p) < work || s.Elapsed < span {
				t.Errorf("%s, %d workers, %v: work %v, span %v done in %v, which is impossible", part.name, p, v, work, span, s.Elapsed)
			}
			if p == 1 && s.Elapsed > work+work/2+20*us {
				t.Errorf("%s, one worker, %v: work %v takes %v", part.name, v, work, s.Elapsed)
			}
		}
	}
}

// A second run is the first one again, although the memory lies elsewhere and the
// collector runs at other times. If it is not, the simulator looks at addresses,
// at maps in their order, or at the clock.
func TestSameDigest(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	tree := randomTree(rng, 6)
	m, err := simulate.Load("one-socket-64")
	if err != nil {
		t.Fatal(err)
	}
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
		}, parts[0].opts...)
	}
	first := run(t, m, program)
	litter = append(litter, make([]byte, 1<<20))
	for range 1000 {
		litter = append(litter, make([]byte, 48))
	}
	second := run(t, m, program)
	if first.Digest != second.Digest {
		t.Errorf("digests %x and %x", first.Digest, second.Digest)
	}
	if !reflect.DeepEqual(first, second) {
		t.Errorf("reports\n%+v\nand\n%+v", first, second)
	}
	tree.before++
	if third := run(t, m, program); third.Digest == first.Digest {
		t.Error("another program has the same digest")
	}
}

// The report names the lines for what they hold.
func TestNames(t *testing.T) {
	names := make(map[string]bool)
	r := run(t, simulate.Plain("cluster 8 count"), func() {
		var word prim.Int64
		onPool(8, func(w *pool.Worker) {
			w.Scope(func(w *pool.Worker, s *pool.Scope) {
				for range 100 {
					s.Spawn(w, func(*pool.Worker) { word.Add(1); simulate.Work(us) })
				}
			})
		}, parts[0].opts...)
	})
	for _, s := range r.Sections {
		for _, l := range s.Lines {
			names[l.Name] = true
		}
	}
	for _, want := range []string{
		"Counters.bits", "Worker.wanted", "ChaseLev.top", "Scope.pending.pending", "condition.mu",
		"[]Pointer of deque.newRing[...]", "undeclared in simulate_test.TestNames.func1.1.1.1",
	} {
		if !names[want] {
			t.Errorf("no line is named %q, only %v", want, names)
		}
	}
}
