package pool_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"runtime/trace"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/rouse-go/rouse/pool"
	"github.com/rouse-go/rouse/pool/loops"
)

// onPools runs a benchmark on pools of so many workers, with the default backends.
func onPools(b *testing.B, sizes []int, f func(b *testing.B, p *pool.Pool)) {
	for _, n := range sizes {
		b.Run(fmt.Sprintf("impl=rouse/workers=%d", n), func(b *testing.B) {
			p := asleep(b, poolOf(b, n))
			b.ReportAllocs()
			f(b, p)
		})
	}
}

var few = []int{1, 2}

func lowerTenth(x []float64) float64 {
	slices.Sort(x)
	return x[len(x)/10]
}

// alternate calls the functions in turns, since the machine may be noisy, 16 times each. It reports
// the lower tenth of what a call of each takes, and the median.
func alternate(b *testing.B, fns map[string]func()) {
	times := make(map[string][]float64)
	for b.Loop() {
		for name, fn := range fns {
			start := time.Now()
			for range 16 {
				fn()
			}
			times[name] = append(times[name], float64(time.Since(start))/16)
		}
	}
	for name, x := range times {
		b.ReportMetric(lowerTenth(x), name+"-ns/op") // sorts
		b.ReportMetric(x[len(x)/2], name+"-median-ns/op")
	}
}

// BenchmarkFlightRecorder has what empty jobs take that one goroutine submits, and calls of Run, while a
// flight recorder of runtime/trace runs or none does, in turns; and how much more with one, in percent.
func BenchmarkFlightRecorder(b *testing.B) {
	const jobs = 1000
	handles := make([]*pool.Handle[int], jobs)
	for _, c := range []struct {
		name string
		call func(b *testing.B, p *pool.Pool)
	}{
		{"submit", func(b *testing.B, p *pool.Pool) {
			for i := range handles {
				handles[i] = submitted(b, p, nothing)
			}
			give(b, 0, handles, "P1: a job gave")
		}},
		{"run", func(b *testing.B, p *pool.Pool) {
			for range jobs {
				mustRun(b, p, func(*pool.Worker, int) int { return 1 }, 0)
			}
		}},
	} {
		b.Run(c.name, func(b *testing.B) {
			onPools(b, few, func(b *testing.B, p *pool.Pool) {
				var plain, recorded []float64
				takes := func() float64 {
					c.call(b, p)
					start := time.Now()
					for range 16 {
						c.call(b, p)
					}
					return float64(time.Since(start)) / (16 * jobs)
				}
				for b.Loop() {
					plain = append(plain, takes())
					r := trace.NewFlightRecorder(trace.FlightRecorderConfig{})
					noError(b, r.Start(), "FlightRecorder.Start returned")
					recorded = append(recorded, takes(), takes())
					r.Stop()
					plain = append(plain, takes()) // neither always comes first
				}
				without, with := lowerTenth(plain), lowerTenth(recorded)
				b.ReportMetric(without, "ns/job")
				b.ReportMetric(with, "recorded-ns/job")
				b.ReportMetric(100*(with/without-1), "more-%")
			})
		})
	}
}

// fibForks is the number of forks of fib(n), which is the number of calls that
// are no leaves.
func fibForks(n int) int {
	if n < 2 {
		return 0
	}
	return 1 + fibForks(n-1) + fibForks(n-2)
}

// BenchmarkForkCost measures what a fork and its join cost over the plain call,
// with one worker and nobody idle, as Fork and Join and as Invoke. The machine
// may be noisy, so the three alternate in short pieces, and the lower tenth of
// each counts.
func BenchmarkForkCost(b *testing.B) {
	const n = 20
	forks := float64(fibForks(n))
	do(b, poolOf(b, 1), func(w *pool.Worker) {
		x := 0
		ways := []func(){func() { x += plainFib(n) }, func() { x += fib(w, n) }, func() { x += invokeFib(w, n) }}
		var times [3][]float64
		for b.Loop() {
			for i, way := range ways {
				start := time.Now()
				way()
				times[i] = append(times[i], float64(time.Since(start))/forks)
			}
		}
		plain, forked, invoked := lowerTenth(times[0]), lowerTenth(times[1]), lowerTenth(times[2])
		b.ReportMetric(plain, "plain-ns/fork")
		b.ReportMetric(forked, "forked-ns/fork")
		b.ReportMetric(forked-plain, "over-ns/fork")
		b.ReportMetric(invoked, "invoked-ns/fork")
		b.ReportMetric(invoked-plain, "invoke-over-ns/fork")
	})
}

type tree struct {
	left, right *tree
	value       int
}

// newTree makes a complete tree of depth levels with a one in each node.
func newTree(depth int) *tree {
	if depth == 0 {
		return nil
	}
	return &tree{newTree(depth - 1), newTree(depth - 1), 1}
}

func plainSum(t *tree) int {
	if t == nil {
		return 0
	}
	return plainSum(t.left) + t.value + plainSum(t.right)
}

func sum(w *pool.Worker, t *tree) int {
	if t == nil {
		return 0
	}
	right := pool.Fork(w, sum, t.right)
	return sum(w, t.left) + t.value + right.Join(w)
}

func goSum(t *tree) int {
	if t == nil {
		return 0
	}
	var right int
	var wg sync.WaitGroup
	wg.Go(func() { right = goSum(t.right) })
	left := goSum(t.left)
	wg.Wait()
	return left + t.value + right
}

// BenchmarkTreeSum forks at every node.
func BenchmarkTreeSum(b *testing.B) {
	for _, depth := range []int{10, 22} {
		t, nodes := newTree(depth), 1<<depth-1
		each := func(b *testing.B, sum func() int) {
			for b.Loop() {
				check(b, sum() == nodes, "P1: the sum of %d nodes is another one", nodes)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(nodes), "ns/fork")
		}
		b.Run(fmt.Sprintf("nodes=%d", nodes), func(b *testing.B) {
			b.Run("impl=sequential", func(b *testing.B) { each(b, func() int { return plainSum(t) }) })
			b.Run("impl=goroutine", func(b *testing.B) { each(b, func() int { return goSum(t) }) })
			onPools(b, few, func(b *testing.B, p *pool.Pool) { each(b, func() int { return mustRun(b, p, sum, t) }) })
		})
	}
}

// BenchmarkJoinOrder has what a fork and its join take, with one worker, if so many are
// made and then joined in some order.
func BenchmarkJoinOrder(b *testing.B) {
	for _, n := range []int{2, 4, 16, 64, 256, 1000} {
		random := rand.New(rand.NewPCG(1, 2)).Perm(n)
		for name, at := range map[string]func(i int) int{
			"reverse": func(i int) int { return n - 1 - i },
			"forking": func(i int) int { return i },
			"halves":  func(i int) int { return (n/2 - 1 - i + n) % n },
			"random":  func(i int) int { return random[i] },
		} {
			b.Run(fmt.Sprintf("n=%d/order=%s", n, name), func(b *testing.B) {
				one := func(_ *pool.Worker, i int) int { return i }
				forks := make([]pool.Forked[int, int], n)
				do(b, poolOf(b, 1), func(w *pool.Worker) {
					for b.Loop() {
						for i := range forks {
							forks[i] = pool.Fork(w, one, i)
						}
						for i := range forks {
							forks[at(i)].Join(w)
						}
					}
				})
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/fork")
			})
		}
	}
}

// BenchmarkGroup has what a job pays to have other jobs run: to hand its seat over in Block and in
// Join, and for scopes and groups of so many jobs that do nothing, or that spawn two more.
func BenchmarkGroup(b *testing.B) {
	spawns := func(w *pool.Worker, n int) { scopeOfMany(w, n, func(*pool.Worker) {}) }
	groups := func(w *pool.Worker, n int) {
		w.Group(background, func(_ context.Context, w *pool.Worker, g *pool.Group) error {
			for range n {
				g.Spawn(w, func(context.Context, *pool.Worker) error { return nil })
			}
			return nil
		})
	}
	var grow func(s *pool.Scope, w *pool.Worker, depth int)
	grow = func(s *pool.Scope, w *pool.Worker, depth int) {
		for range 2 * min(depth, 1) {
			s.Spawn(w, func(w *pool.Worker) { grow(s, w, depth-1) })
		}
	}
	for _, c := range []struct {
		name string
		op   func(w *pool.Worker)
	}{
		{"block", func(w *pool.Worker) { w.Block(func() {}) }},
		{"join", func(w *pool.Worker) { submitted(b, w.Pool(), nothing).Join(w) }},
		{"scope/jobs=0", func(w *pool.Worker) { spawns(w, 0) }},
		{"scope/jobs=1", func(w *pool.Worker) { spawns(w, 1) }},
		{"scope/jobs=8", func(w *pool.Worker) { spawns(w, 8) }},
		{"scope/jobs=1000", func(w *pool.Worker) { spawns(w, 1000) }},
		{"scope/tree=1023", func(w *pool.Worker) { w.Scope(func(w *pool.Worker, s *pool.Scope) { grow(s, w, 9) }) }},
		{"jobs=1", func(w *pool.Worker) { groups(w, 1) }},
		{"jobs=8", func(w *pool.Worker) { groups(w, 8) }},
		{"jobs=1000", func(w *pool.Worker) { groups(w, 1000) }},
	} {
		b.Run(c.name, func(b *testing.B) {
			onPools(b, few, func(b *testing.B, p *pool.Pool) {
				do(b, p, func(w *pool.Worker) {
					for b.Loop() {
						c.op(w)
					}
				})
			})
		})
	}
}

// BenchmarkInBlock has so many jobs in Block at once, or goroutines that wait, and then lets
// them go on.
func BenchmarkInBlock(b *testing.B) {
	const n = 50_000
	block := func(b *testing.B, start func(wait, end func())) {
		for b.Loop() {
			var in, out sync.WaitGroup
			free := make(chan bool)
			in.Add(n)
			out.Add(n)
			for range n {
				start(func() { in.Done(); <-free }, out.Done)
			}
			in.Wait()
			close(free)
			out.Wait()
		}
	}
	b.Run("impl=goroutine", func(b *testing.B) {
		block(b, func(wait, end func()) { go func() { wait(); end() }() })
	})
	onPools(b, few, func(b *testing.B, p *pool.Pool) {
		block(b, func(wait, end func()) {
			noError(b, pool.Go(p, func(w *pool.Worker) { w.Block(wait); end() }), "P1: Go returned")
		})
	})
}

// atDepth calls f with n calls more on the stack.
//
//go:noinline
func atDepth(n int, f func()) {
	if n == 0 {
		f()
		return
	}
	atDepth(n-1, f)
	runtime.KeepAlive(n) // not a tail call
}

// BenchmarkNestedRun calls Run in a job, at a depth of so many calls: with a
// context that carries the worker or not, and with a free seat or none.
func BenchmarkNestedRun(b *testing.B) {
	for workers, seat := range map[int]string{2: "free", 1: "none"} {
		for _, carries := range []bool{false, true} {
			for _, depth := range []int{1, 100, 1000} {
				b.Run(fmt.Sprintf("seat=%s/worker=%t/depth=%d", seat, carries, depth), func(b *testing.B) {
					p := asleep(b, poolOf(b, workers))
					b.ReportAllocs()
					do(b, p, func(w *pool.Worker) {
						ctx := background
						if carries {
							ctx = pool.NewContext(background, w)
						}
						atDepth(depth, func() {
							for b.Loop() {
								returns(b, 1, "P1: Run returned")(pool.Run(ctx, p, func(_ *pool.Worker, n int) int { return n }, 1))
							}
						})
					})
				})
			}
		}
	}
}

// BenchmarkNew makes pools and closes them at once. new-ns/op is the time of New
// alone, gcs/op how many garbage collections there are meanwhile. What a pool holds
// whose workers sleep and have run no job is in heap-B/worker and stack-B/worker.
func BenchmarkNew(b *testing.B) {
	for _, workers := range []int{2, 64, 256} {
		b.Run(fmt.Sprintf("workers=%d", workers), func(b *testing.B) {
			b.ReportAllocs()
			before := memory()
			var made time.Duration
			for b.Loop() {
				start := time.Now()
				p, err := pool.New(pool.WithWorkers(workers))
				made += time.Since(start)
				check(b, err == nil && p.Close() == nil, "P29: New or Close returned an error")
			}
			n := float64(b.N)
			gcs := float64(memory().NumGC - before.NumGC)
			b.ReportMetric(float64(made.Nanoseconds())/n, "new-ns/op")
			b.ReportMetric(gcs/n, "gcs/op")
			heap, stack := heldAtRest(b, workers)
			b.ReportMetric(heap, "heap-B/worker")
			b.ReportMetric(stack, "stack-B/worker")
		})
	}
}

// heldAtRest returns what a worker of a new pool holds when it sleeps, in bytes,
// besides the descriptor of its goroutine. It makes enough pools that the rest of the
// program does not count.
func heldAtRest(b *testing.B, workers int) (heap, stack float64) {
	const all = 1024
	describe(3 * all)
	collect()
	before := memory()
	for range all / workers {
		asleep(b, poolOf(b, workers))
	}
	collect()
	after := memory()
	per := func(before, after uint64) float64 { return (float64(after) - float64(before)) / all }
	return per(before.HeapAlloc, after.HeapAlloc), per(before.StackInuse, after.StackInuse)
}

// eachUse runs a benchmark for some ways to use a pool.
func eachUse(b *testing.B, f func(b *testing.B, use func(p *pool.Pool))) {
	small, large := newTree(10), newTree(16)
	for _, c := range []struct {
		name string
		op   func(p *pool.Pool)
	}{
		{"run", func(p *pool.Pool) { enter(b, p, nothing) }},
		{"submit", func(p *pool.Pool) { result(b, submitted(b, p, nothing)) }},
		{"tree/nodes=1023", func(p *pool.Pool) { mustRun(b, p, sum, small) }},
		{"tree/nodes=65535", func(p *pool.Pool) { mustRun(b, p, sum, large) }},
		{"fib/n=20", func(p *pool.Pool) { mustRun(b, p, fib, 20) }},
		{"fill", func(p *pool.Pool) { mustRun(b, p, spread, p.Workers()) }},
		{"burst", func(p *pool.Pool) { // 16 jobs of some microseconds each
			var all [16]*pool.Handle[int]
			for i := range all {
				all[i] = submitted(b, p, func(w *pool.Worker) int { return fib(w, 12) })
			}
			for _, h := range all {
				result(b, h)
			}
		}},
	} {
		b.Run(c.name, func(b *testing.B) { f(b, c.op) })
	}
}

// spread has each worker begin one of n jobs, which all wait until all have begun: so
// each worker that sleeps must be woken.
func spread(w *pool.Worker, n int) int {
	var begun sync.WaitGroup
	begun.Add(n - 1)
	w.Scope(func(w *pool.Worker, s *pool.Scope) {
		for range n - 1 {
			s.Spawn(w, func(*pool.Worker) { begun.Done(); begun.Wait() })
		}
		begun.Wait()
	})
	return n
}

// BenchmarkProcessors shows what it costs that GOMAXPROCS changes while a pool lives: the
// pool is made with as many workers as there are processors then, and used with another
// number, beside one that is made at that.
func BenchmarkProcessors(b *testing.B) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for _, change := range [][2]int{{2, 1}, {1, 2}} {
		b.Run(fmt.Sprintf("made=%d/used=%d", change[0], change[1]), func(b *testing.B) {
			runtime.GOMAXPROCS(change[0])
			before := newPool(b)
			runtime.GOMAXPROCS(change[1])
			after := newPool(b)
			eachUse(b, func(b *testing.B, use func(p *pool.Pool)) {
				alternate(b, map[string]func(){"before": func() { use(before) }, "after": func() { use(after) }})
			})
		})
	}
}

// BenchmarkDefault compares the built-in default pool, whose workers sleep without a
// goroutine, with a pool of New of the same size.
func BenchmarkDefault(b *testing.B) {
	p := newPool(b)
	eachUse(b, func(b *testing.B, use func(p *pool.Pool)) {
		alternate(b, map[string]func(){"new": func() { use(p) }, "default": func() { use(pool.Default()) }})
	})
}

// BenchmarkDefaultCall shows what the call of Default costs: alone, and before a Run of nothing.
func BenchmarkDefaultCall(b *testing.B) {
	p := pool.Default()
	for name, op := range map[string]func(){
		"last":        func() { p = loops.LastDefault() },
		"default":     func() { p = pool.Default() },
		"run":         func() { enter(b, p, nothing) },
		"default-run": func() { enter(b, pool.Default(), nothing) },
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				op()
			}
		})
	}
}

// What it costs to measure a recursion that forks at each call, and one with leaves of 10 µs: the
// time that a Measure takes beside that of a Run.
func BenchmarkMeasure(b *testing.B) {
	p := newPool(b, pool.WithWorkers(1))
	for _, of := range []struct {
		name string
		fn   func(w *pool.Worker, n int) int
		arg  int
	}{{"fib", fib, 25}, {"leaves=10us", spinTree, 8}} {
		b.Run("of="+of.name+"/impl=run", func(b *testing.B) {
			for b.Loop() {
				mustRun(b, p, of.fn, of.arg)
			}
		})
		b.Run("of="+of.name+"/impl=measure", func(b *testing.B) {
			for b.Loop() {
				if _, err := p.Measure(background, func(w *pool.Worker) { of.fn(w, of.arg) }); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
