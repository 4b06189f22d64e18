package pool_test

import (
	"fmt"
	"runtime"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/rouse-go/rouse/pool"
)

// occupied returns a pool of which all workers have jobs that call work again and again
// until release is called. They have begun.
func occupied(t testing.TB, workers int, work func(w *pool.Worker)) (p *pool.Pool, release func()) {
	p = poolOf(t, workers)
	var end atomic.Bool
	var begun atomic.Int32
	all := submittedTimes(t, p, workers, func(w *pool.Worker) int {
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
	for begun.Load() < int32(workers) {
		runtime.Gosched()
	}
	return p, func() {
		end.Store(true)
		give(t, 0, all, "P1: a job that has worked gave")
	}
}

// ways to keep a worker for long, each of which lets others begin.
var keeps = map[string]func(w *pool.Worker){
	"fork":   func(w *pool.Worker) { fib(w, 12) },
	"invoke": func(w *pool.Worker) { invokeFib(w, 12) },
	"scope":  func(w *pool.Worker) { scopeOfMany(w, 50, func(*pool.Worker) {}) },
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
			subtest(t, fmt.Sprintf("%s/workers=%d", name, workers), "P32", "Run, Submit and Go beside jobs that "+name, func(t *testing.T) {
				p, release := occupied(t, workers, work)
				equal(t, mustRun(t, p, fib, 10), 55, "P1: beside others fib(10) is")
				job := func(w *pool.Worker) int { return fib(w, 5) }
				equal(t, result(t, submitted(t, p, job)), 5, "P1: beside others a submitted job gave")
				told := make(chan bool)
				noError(t, pool.Go(p, func(*pool.Worker) { close(told) }), "P1: Go returned")
				<-told
				all := submittedAll(t, p, slices.Repeat([]func(*pool.Worker) int{job}, 40)...)
				give(t, 5, all, "P1: beside others one of many jobs gave")
				release()
			})
		}
	}
}

// At most as many jobs as there are workers run beside others at once, also if each of them
// has waited.
func TestBesideIsBounded(t *testing.T) {
	for _, workers := range []int{1, 2, 3} {
		subtest(t, fmt.Sprint("workers=", workers), "P32", "endless jobs that have been in Block run beside others", func(t *testing.T) {
			var works atomic.Int64
			p, release := occupied(t, workers, func(w *pool.Worker) { fib(w, 8); works.Add(1) })
			var running atomic.Int32
			var end atomic.Bool
			endless := func(w *pool.Worker) int {
				w.Block(func() {})
				running.Add(1)
				for !end.Load() {
					runtime.Gosched()
				}
				return 0
			}
			hs := submittedTimes(t, p, workers, endless)
			until(t, "as many jobs as there are workers run beside others", func() bool { return running.Load() == int32(workers) })
			hs = append(hs, submittedAll(t, p, endless, endless, endless)...)
			// A worker that has forked so often does not wait any longer.
			before := works.Load()
			until(t, "the workers go on", func() bool { return works.Load() > before+int64(workers)*3000 })
			expect(t, running.Load() == int32(workers), "P32: %d jobs run beside others, on %d workers", running.Load(), workers)
			end.Store(true)
			give(t, 0, hs, "P1: a job beside others gave")
			release()
		})
	}
}
