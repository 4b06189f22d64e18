package pool_test

import (
	"fmt"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/rouse-go/rouse/pool"
)

// onPools runs a benchmark with one worker and with two, on the default
// backends.
func onPools(b *testing.B, f func(b *testing.B, p *pool.Pool)) {
	for _, workers := range []int{1, 2} {
		b.Run(fmt.Sprintf("impl=rouse/workers=%d", workers), func(b *testing.B) {
			p := newPool(b, pool.WithWorkers(workers))
			b.ReportAllocs()
			f(b, p)
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

func goFib(n int) int {
	if n < 2 {
		return n
	}
	var x int
	var wg sync.WaitGroup
	wg.Go(func() { x = goFib(n - 2) })
	y := goFib(n - 1)
	wg.Wait()
	return x + y
}

// perFork reports the time of a fork, the call that it stands for included.
func perFork(b *testing.B, forks int) {
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(forks), "ns/fork")
}

// BenchmarkFib forks at every call.
func BenchmarkFib(b *testing.B) {
	const n = 27
	check := func(b *testing.B, got int) {
		if got != 196418 {
			b.Fatalf("fib(%d) = %d", n, got)
		}
	}
	b.Run("impl=sequential", func(b *testing.B) {
		for b.Loop() {
			check(b, plainFib(n))
		}
		perFork(b, fibForks(n))
	})
	b.Run("impl=goroutine", func(b *testing.B) {
		for b.Loop() {
			check(b, goFib(n))
		}
		perFork(b, fibForks(n))
	})
	onPools(b, func(b *testing.B, p *pool.Pool) {
		for b.Loop() {
			check(b, mustRun(b, p, fib, n))
		}
		perFork(b, fibForks(n))
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
		check := func(b *testing.B, got int) {
			if got != nodes {
				b.Fatalf("sum of %d nodes is %d", nodes, got)
			}
		}
		b.Run(fmt.Sprintf("nodes=%d", nodes), func(b *testing.B) {
			b.Run("impl=sequential", func(b *testing.B) {
				for b.Loop() {
					check(b, plainSum(t))
				}
				perFork(b, nodes)
			})
			b.Run("impl=goroutine", func(b *testing.B) {
				for b.Loop() {
					check(b, goSum(t))
				}
				perFork(b, nodes)
			})
			onPools(b, func(b *testing.B, p *pool.Pool) {
				for b.Loop() {
					check(b, mustRun(b, p, sum, t))
				}
				perFork(b, nodes)
			})
		})
	}
}

// BenchmarkSubmit submits tiny jobs from one goroutine, and waits for the last.
func BenchmarkSubmit(b *testing.B) {
	b.Run("impl=sequential", func(b *testing.B) {
		n := 0
		f := func() { n++ }
		for b.Loop() {
			f()
		}
	})
	b.Run("impl=goroutine", func(b *testing.B) {
		var wg sync.WaitGroup
		b.ReportAllocs()
		for b.Loop() {
			wg.Go(func() {})
		}
		wg.Wait()
	})
	onPools(b, func(b *testing.B, p *pool.Pool) {
		var last *pool.Handle[int]
		for b.Loop() {
			h, err := pool.Submit(p, func(*pool.Worker) int { return 1 })
			if err != nil {
				b.Fatal(err)
			}
			last = h
		}
		last.Wait(background)
	})
}

// BenchmarkSubmitWait submits one tiny job after another, and waits for each.
func BenchmarkSubmitWait(b *testing.B) {
	b.Run("impl=goroutine", startAndWait)
	onPools(b, func(b *testing.B, p *pool.Pool) {
		for b.Loop() {
			h, err := pool.Submit(p, func(*pool.Worker) int { return 1 })
			if err != nil {
				b.Fatal(err)
			}
			h.Wait(background)
		}
	})
}

// startAndWait does with a goroutine and a channel what one tiny job does.
func startAndWait(b *testing.B) {
	done := make(chan int)
	for b.Loop() {
		go func() { done <- 1 }()
		<-done
	}
}

// BenchmarkForkCost measures what a fork and its join cost over the plain call,
// with one worker and nobody idle, as Fork and Join and as Invoke. The machine
// may be noisy, so the three alternate in short pieces, and the lower tenth of
// each counts.
func BenchmarkForkCost(b *testing.B) {
	const n = 20
	forks := float64(fibForks(n))
	p := newPool(b, pool.WithWorkers(1))
	mustRun(b, p, func(w *pool.Worker, _ int) int {
		x := fib(w, n) + invokeFib(w, n)
		var plain, forked, invoked []float64
		for b.Loop() {
			t0 := time.Now()
			x += plainFib(n)
			t1 := time.Now()
			x += fib(w, n)
			t2 := time.Now()
			x += invokeFib(w, n)
			t3 := time.Now()
			plain = append(plain, float64(t1.Sub(t0))/forks)
			forked = append(forked, float64(t2.Sub(t1))/forks)
			invoked = append(invoked, float64(t3.Sub(t2))/forks)
		}
		call := lowerTenth(plain)
		b.ReportMetric(call, "plain-ns/fork")
		b.ReportMetric(lowerTenth(forked), "forked-ns/fork")
		b.ReportMetric(lowerTenth(forked)-call, "over-ns/fork")
		b.ReportMetric(lowerTenth(invoked), "invoked-ns/fork")
		b.ReportMetric(lowerTenth(invoked)-call, "invoke-over-ns/fork")
		return x
	}, 0)
}

func lowerTenth(x []float64) float64 {
	slices.Sort(x)
	return x[len(x)/10]
}

// BenchmarkRun runs one tiny job after another from outside.
func BenchmarkRun(b *testing.B) {
	b.Run("impl=goroutine", startAndWait)
	onPools(b, func(b *testing.B, p *pool.Pool) {
		one := func(*pool.Worker, int) int { return 1 }
		for b.Loop() {
			mustRun(b, p, one, 0)
		}
		b.ReportMetric(float64(p.Stats().Borrowed)/float64(p.Stats().Borrowed+p.Stats().Injected), "borrowed/run")
	})
}

// BenchmarkAtRest calls Run and Submit on a pool at rest, with few workers and with
// many.
func BenchmarkAtRest(b *testing.B) {
	for _, workers := range []int{2, 16, 64, 256} {
		p := asleep(b, newPool(b, pool.WithWorkers(workers)))
		b.Run(fmt.Sprintf("Run/workers=%d", workers), func(b *testing.B) {
			for b.Loop() {
				mustRun(b, p, func(*pool.Worker, int) int { return 1 }, 0)
			}
		})
		b.Run(fmt.Sprintf("Submit/workers=%d", workers), func(b *testing.B) {
			for b.Loop() {
				h, err := pool.Submit(p, func(*pool.Worker) int { return 1 })
				if err != nil {
					b.Fatal(err)
				}
				h.Wait(background)
			}
		})
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
				if err != nil {
					b.Fatal(err)
				}
				if err := p.Close(); err != nil {
					b.Fatal(err)
				}
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
		asleep(b, newPool(b, pool.WithWorkers(workers)))
	}
	collect()
	after := memory()
	per := func(before, after uint64) float64 { return (float64(after) - float64(before)) / all }
	return per(before.HeapAlloc, after.HeapAlloc), per(before.StackInuse, after.StackInuse)
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
	for _, seat := range []string{"free", "none"} {
		for _, carries := range []bool{false, true} {
			for _, depth := range []int{1, 100, 1000} {
				b.Run(fmt.Sprintf("seat=%s/worker=%t/depth=%d", seat, carries, depth), func(b *testing.B) {
					workers := 1
					if seat == "free" {
						workers = 2
					}
					p := asleep(b, newPool(b, pool.WithWorkers(workers)))
					b.ReportAllocs()
					mustRun(b, p, func(w *pool.Worker, _ int) int {
						ctx := background
						if carries {
							ctx = pool.NewContext(background, w)
						}
						atDepth(depth, func() {
							for b.Loop() {
								if n, err := pool.Run(ctx, p, func(_ *pool.Worker, n int) int { return n }, 1); n != 1 || err != nil {
									b.Fatalf("Run returned %d, %v", n, err)
								}
							}
						})
						return 0
					}, 0)
				})
			}
		}
	}
}

// Gives the seat up and takes it back: nobody else wants it.
func BenchmarkBlock(b *testing.B) {
	p := newPool(b, pool.WithWorkers(2))
	pool.Run(background, p, func(w *pool.Worker, n int) int {
		for range n {
			w.Block(func() {})
		}
		return 0
	}, b.N)
}

// BenchmarkInBlock has so many jobs in Block at once, or goroutines that wait, and then lets
// them go on.
func BenchmarkInBlock(b *testing.B) {
	const n = 50_000
	many := func(start func(in, out *sync.WaitGroup, free chan bool)) {
		var in, out sync.WaitGroup
		free := make(chan bool)
		in.Add(n)
		out.Add(n)
		for range n {
			start(&in, &out, free)
		}
		in.Wait()
		close(free)
		out.Wait()
	}
	b.Run("impl=goroutine", func(b *testing.B) {
		for b.Loop() {
			many(func(in, out *sync.WaitGroup, free chan bool) {
				go func() {
					in.Done()
					<-free
					out.Done()
				}()
			})
		}
	})
	onPools(b, func(b *testing.B, p *pool.Pool) {
		for b.Loop() {
			many(func(in, out *sync.WaitGroup, free chan bool) {
				err := pool.Go(p, func(w *pool.Worker) {
					w.Block(func() { in.Done(); <-free })
					out.Done()
				})
				if err != nil {
					b.Fatal(err)
				}
			})
		}
	})
}

// BenchmarkQueueLimit submits a batch of tiny jobs to a pool with room for all of them, and
// waits for each: one at a time, or by SubmitAll.
func BenchmarkQueueLimit(b *testing.B) {
	const n = 256
	fns := slices.Repeat([]func(*pool.Worker) int{func(*pool.Worker) int { return 1 }}, n)
	for _, workers := range []int{1, 2} {
		for _, limited := range []bool{false, true} {
			opts, name := []pool.Option{pool.WithWorkers(workers)}, "none"
			if limited {
				opts, name = append(opts, pool.WithQueueLimit(4*n)), fmt.Sprint(4*n)
			}
			p := newPool(b, opts...)
			each := func(op func() []*pool.Handle[int]) func(b *testing.B) {
				return func(b *testing.B) {
					for b.Loop() {
						for _, h := range op() {
							if _, err := h.Wait(background); err != nil {
								b.Fatal(err)
							}
						}
					}
					b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/job")
				}
			}
			b.Run(fmt.Sprintf("Submit/limit=%s/workers=%d", name, workers), each(func() (all []*pool.Handle[int]) {
				for _, fn := range fns {
					h, err := pool.Submit(p, fn)
					if err != nil {
						b.Fatal(err)
					}
					all = append(all, h)
				}
				return all
			}))
			b.Run(fmt.Sprintf("SubmitAll/limit=%s/workers=%d", name, workers), each(func() []*pool.Handle[int] {
				all, err := pool.SubmitAll(p, fns)
				if err != nil {
					b.Fatal(err)
				}
				return all
			}))
		}
	}
}

// A job waits for another one that has not begun: that begins on the seat of the
// waiting one, and gives it back.
func BenchmarkHandOver(b *testing.B) {
	for _, workers := range []int{1, 2} {
		b.Run(fmt.Sprint("workers=", workers), func(b *testing.B) {
			p := newPool(b, pool.WithWorkers(workers))
			pool.Run(background, p, func(w *pool.Worker, n int) int {
				for range n {
					h, err := pool.Submit(p, func(*pool.Worker) int { return 1 })
					if err != nil {
						b.Error(err)
						break
					}
					h.Join(w)
				}
				return 0
			}, b.N)
		})
	}
}

// BenchmarkScope opens a scope in a job, whose body spawns a few jobs that do
// nothing; or, for a tree, each job of which spawns two more.
func BenchmarkScope(b *testing.B) {
	empty := func(*pool.Worker) {}
	for _, jobs := range []int{0, 1, 8, 1000} {
		b.Run(fmt.Sprintf("jobs=%d", jobs), func(b *testing.B) {
			onPools(b, func(b *testing.B, p *pool.Pool) {
				mustRun(b, p, func(w *pool.Worker, _ int) int {
					for b.Loop() {
						w.Scope(func(w *pool.Worker, s *pool.Scope) {
							for range jobs {
								s.Spawn(w, empty)
							}
						})
					}
					return 0
				}, 0)
			})
		})
	}
	b.Run("tree=1023", func(b *testing.B) {
		onPools(b, func(b *testing.B, p *pool.Pool) {
			mustRun(b, p, func(w *pool.Worker, _ int) int {
				for b.Loop() {
					w.Scope(func(w *pool.Worker, s *pool.Scope) { spawnTree(s, w, 9) })
				}
				return 0
			}, 0)
		})
	})
}

func spawnTree(s *pool.Scope, w *pool.Worker, depth int) {
	if depth > 0 {
		s.Spawn(w, func(w *pool.Worker) { spawnTree(s, w, depth-1) })
		s.Spawn(w, func(w *pool.Worker) { spawnTree(s, w, depth-1) })
	}
}
