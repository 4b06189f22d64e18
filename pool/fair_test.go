package pool_test

import (
	"fmt"
	"runtime"
	"sync/atomic"
	"testing"

	"github.com/rouse-go/rouse/pool"
)

// occupied returns a pool of which all workers have jobs that call work again and again
// until release is called. They have begun.
func occupied(t testing.TB, workers int, work func(w *pool.Worker)) (p *pool.Pool, release func()) {
	p = newPool(t, pool.WithWorkers(workers))
	var end atomic.Bool
	var begun atomic.Int32
	all := make([]*pool.Handle[int], workers)
	for i := range all {
		all[i] = submitted(t, p, func(w *pool.Worker) int {
			// Before that a worker without work would take what others fork, and those
			// would have to wait.
			for begun.Add(1); begun.Load() < int32(workers); {
				runtime.Gosched()
			}
			for !end.Load() {
				work(w)
				if runtime.GOARCH == "wasm" {
					runtime.Gosched() // nothing preempts the job there, so that the caller goes on
				}
			}
			return 0
		})
	}
	for begun.Load() < int32(workers) {
		runtime.Gosched()
	}
	return p, func() {
		end.Store(true)
		for _, h := range all {
			if _, err := h.Wait(background); err != nil {
				t.Errorf("P1: a job that keeps its worker ended with %v", err)
			}
		}
	}
}

// ways to keep a worker for long, each of which lets others begin.
var keeps = map[string]func(w *pool.Worker){
	"fork":   func(w *pool.Worker) { fib(w, 12) },
	"invoke": func(w *pool.Worker) { invokeFib(w, 12) },
	"scope": func(w *pool.Worker) {
		w.Scope(func(w *pool.Worker, s *pool.Scope) {
			for range 50 {
				s.Spawn(w, func(*pool.Worker) {})
			}
		})
	},
	"endless_scope": func(w *pool.Worker) {
		w.Scope(func(w *pool.Worker, s *pool.Scope) {
			n := 0
			var again func(w *pool.Worker)
			again = func(w *pool.Worker) {
				if n++; n < 1000 {
					s.Spawn(w, again)
				}
			}
			s.Spawn(w, again)
		})
	},
}

// If this fails, what is submitted waits for the end of jobs that may be endless.
func TestQueuedBeginsBesideWork(t *testing.T) {
	for name, work := range keeps {
		for _, workers := range []int{1, 2, 5} {
			t.Run(fmt.Sprintf("%s/workers=%d", name, workers), func(t *testing.T) {
				p, release := occupied(t, workers, work)
				during(t, "P32", "Run, Submit, Go and SubmitAll beside jobs that "+name, func() {
					if n := mustRun(t, p, fib, 10); n != 55 {
						t.Errorf("P1: fib(10) is %d beside others, want 55", n)
					}
					wait(t, submitted(t, p, func(w *pool.Worker) int { return fib(w, 10) }), 55)
					told := make(chan bool)
					if err := pool.Go(p, func(*pool.Worker) { close(told) }); err != nil {
						t.Errorf("P1: Go returned the error %v", err)
					}
					<-told
					hs, err := pool.SubmitAll(p, slicesOf(40, func(w *pool.Worker) int { return fib(w, 5) }))
					if err != nil {
						t.Errorf("P1: SubmitAll returned the error %v", err)
					}
					for _, h := range hs {
						wait(t, h, 5)
					}
					release()
				})
			})
		}
	}
}

func wait(t *testing.T, h *pool.Handle[int], want int) {
	t.Helper()
	if n, err := h.Wait(background); n != want || err != nil {
		t.Errorf("P1: a submitted job gave %d and %v, want %d", n, err, want)
	}
}

func slicesOf[T any](n int, x T) []T {
	all := make([]T, n)
	for i := range all {
		all[i] = x
	}
	return all
}

// At most as many jobs as there are workers run beside others at once, also if each of them
// has waited.
func TestBesideIsBounded(t *testing.T) {
	for _, workers := range []int{1, 2, 3} {
		t.Run(fmt.Sprint("workers=", workers), func(t *testing.T) {
			var works atomic.Int64
			p, release := occupied(t, workers, func(w *pool.Worker) { fib(w, 8); works.Add(1) })
			var running, ended atomic.Int32
			var end atomic.Bool
			endless := func(w *pool.Worker) int {
				w.Block(func() {})
				running.Add(1)
				for !end.Load() {
					runtime.Gosched()
				}
				return int(ended.Add(1))
			}
			during(t, "P32", "endless jobs that have been in Block run beside others", func() {
				var hs []*pool.Handle[int]
				for range workers {
					hs = append(hs, submitted(t, p, endless))
				}
				until(t, "as many jobs as there are workers run beside others", func() bool { return running.Load() == int32(workers) })
				for range 3 {
					hs = append(hs, submitted(t, p, endless))
				}
				// A worker that has forked so often does not wait any longer.
				before := works.Load()
				until(t, "the workers go on", func() bool { return works.Load() > before+int64(workers)*3000 })
				if n := running.Load(); n != int32(workers) {
					t.Errorf("P32: %d jobs run beside others, on %d workers", n, workers)
				}
				end.Store(true)
				for _, h := range hs {
					h.Wait(background)
				}
				release()
			})
		})
	}
}
