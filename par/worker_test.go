package par_test

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rouse-go/rouse/par"
	"github.com/rouse-go/rouse/pool"
)

// busy returns what calls a function for a body, which no other body of the same worker may be in.
func busy(t *testing.T, where string) func(w *pool.Worker, f func()) {
	var workers sync.Map
	return func(w *pool.Worker, f func()) {
		if _, taken := workers.LoadOrStore(w, true); taken {
			t.Errorf("F1: two bodies of ForWorker%s have the same worker at the same time", where)
		}
		f()
		workers.Delete(w)
	}
}

// Each body has a worker of its own for as long as it runs, also where loops nest and where a limit is
// above the number of workers, and forks of it run on others.
func TestForWorker(t *testing.T) {
	onLimits(t, func(t *testing.T, where string, o ...par.Option) {
		for _, n := range []int{1, 2, 30} {
			var all atomic.Int64
			mine := busy(t, where)
			for range 3 { // the third call may be the caller's alone
				par.ForWorker(n, func(w *pool.Worker, i int) {
					mine(w, func() { all.Add(int64(fib(w, 10+i%5))); runtime.Gosched() })
					par.ForWorker(2, func(w *pool.Worker, i int) {
						mine(w, func() { fib(w, 5); runtime.Gosched() })
					}, par.In(w))
				}, o...)
			}
			want := 0
			for i := range n {
				want += 3 * []int{55, 89, 144, 233, 377}[i%5]
			}
			if int(all.Load()) != want {
				t.Errorf("F5: ForWorker of %d bodies%s: sum %d, want %d", n, where, all.Load(), want)
			}
		}
	})
}

// Bodies that sleep at the same time, as two do here at once, have workers of their own.
func TestForWorkerAsleep(t *testing.T) {
	inBubble(t, 2, func(t *testing.T, p *pool.Pool) {
		mine := busy(t, ", which sleep,")
		par.ForWorker(9, func(w *pool.Worker, _ int) {
			mine(w, func() { time.Sleep(time.Millisecond) })
		}, par.On(p))
	})
}

// The lowest index that fails says how the call ends, whatever forks it has left behind; and none of
// these runs then, or begins later. A body's context carries its worker.
func TestForWorkerFails(t *testing.T) {
	onLimits(t, func(t *testing.T, where string, o ...par.Option) {
		for how := byError; how <= byGoexit; how++ {
			for _, n := range []int{1, 40} {
				at := n / 2
				var over atomic.Bool
				var running level
				late := func(*pool.Worker, int) int {
					if over.Load() {
						t.Errorf("F4: ForWorkerErr%s is over, and a fork of it begins", where)
					}
					running.during(func() { time.Sleep(10 * time.Microsecond) })
					panic("of a fork")
				}
				call := func() (any, bool, error) {
					defer over.Store(true)
					return ended(func() error {
						return par.ForWorkerErr(background, n, func(ctx context.Context, w *pool.Worker, i int) error {
							if got, _ := pool.FromContext(ctx); got != w {
								t.Errorf("F3: the context of ForWorkerErr%s carries another worker than that of the body", where)
							}
							time.Sleep(10 * time.Microsecond)
							if fib(w, 5); i < at {
								return nil
							}
							if how != byError {
								//lint:ignore rouseworker left behind
								pool.Fork(w, late, i)
							}
							return how.fail(i)
						}, o...)
					})
				}
				value, exited, err := call()
				if !how.is(at, value, exited, err) || running.now.Load() != 0 {
					t.Errorf("F2: ForWorkerErr%s, of which bodies fail from %d of %d on, by %d: panic %v, exited: %t, error %v; %d forks run", where, at, n, how, value, exited, err, running.now.Load())
				}
			}
		}
	})
}
