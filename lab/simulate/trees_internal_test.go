//go:build explore

package simulate

import (
	"context"
	"math/rand/v2"
	"reflect"
	"runtime/debug"
	"testing"

	"github.com/rouse-go/rouse/api"
	"github.com/rouse-go/rouse/api/prim"
	"github.com/rouse-go/rouse/pool"
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

// On a machine where nothing but work takes time, no processor is idle while a goroutine
// waits for one. So the time of each tree is between Graham's bounds: at least the work
// divided by the processors and at least the span, at most the sum of that quotient and
// the rest of the span (Graham, Bounds for Certain Multiprocessing Anomalies, 1966).
func TestGrahamsBoundOfGoroutines(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 200 {
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

// The report names the lines for what they hold. A second run is the first one again, although
// the memory lies elsewhere and the collector runs at other times. If it is not, the simulator
// looks at addresses, at maps in their order, or at the clock.
func TestReport(t *testing.T) {
	var word prim.Int64
	job := func(*pool.Worker) { word.Add(1); Work(us) }
	program := func() {
		p, err := pool.New(pool.WithWorkers(8), pool.WithSleep(func(n int) (api.Sleep, error) { return jec.New(n) }))
		if err != nil {
			t.Error(err)
			return
		}
		defer p.Close()
		Work(100 * us) // the workers fall asleep
		_, err = pool.Run(context.Background(), p, func(w *pool.Worker, jobs int) int {
			w.Scope(func(w *pool.Worker, s *pool.Scope) {
				for range jobs {
					s.Spawn(w, job)
				}
			})
			return jobs
		}, 100)
		if err != nil {
			t.Error(err)
		}
	}
	r := runOn(t, plain(8, 8), program)
	defer debug.SetGCPercent(debug.SetGCPercent(1))
	if second := runOn(t, plain(8, 8), program); !reflect.DeepEqual(r, second) {
		t.Errorf("reports\n%+v\nand\n%+v", r, second)
	}
	names := make(map[string]bool)
	for _, l := range r.Lines {
		names[l.Name] = true
	}
	for _, want := range []string{"Counters.bits", "Worker.wanted", "ChaseLev.top", "condition.mu", "slice of deque.newRing[...]", "undeclared"} {
		if !names[want] {
			t.Errorf("no line is named %q, only %v", want, names)
		}
	}
}
