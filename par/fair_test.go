package par_test

import (
	"fmt"
	"math"
	"runtime"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rouse-go/rouse/par"
	"github.com/rouse-go/rouse/pool"
)

// besideLoop returns how long calls of Run take, in order, beside a loop that goes on
// until they are over.
func besideLoop(t testing.TB, p *pool.Pool, calls int, element func(i int), job func()) []time.Duration {
	var over atomic.Bool
	looped := make(chan any)
	go func() {
		looped <- caught(func() {
			par.For(math.MaxInt, func(i int) {
				if over.Load() {
					panic("over")
				}
				element(i)
			}, par.On(p))
		})
	}()
	took := make([]time.Duration, calls)
	for k := range took {
		begun := time.Now()
		if _, err := pool.Run(background, p, func(*pool.Worker, int) int { job(); return 0 }, 0); err != nil {
			t.Errorf("F6: Run beside a loop returned %v", err)
		}
		took[k] = time.Since(begun)
	}
	over.Store(true)
	if v := <-looped; v != "over" {
		t.Errorf("F2: a body panics with over, and For with %v", v)
	}
	slices.Sort(took)
	return took
}

// A job of a millisecond does not wait long beside an endless loop. In a bubble only what
// sleeps takes time, so this holds on any machine.
func TestFair(t *testing.T) {
	const calls, most = 200, 20 * time.Millisecond
	for _, workers := range []int{1, 2, 3} {
		for _, long := range []time.Duration{30 * time.Microsecond, 100 * time.Microsecond, time.Millisecond} {
			t.Run(fmt.Sprintf("workers=%d/element=%v", workers, long), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					p := newPool(t, pool.WithWorkers(workers))
					took := besideLoop(t, p, calls, func(int) { time.Sleep(long) }, func() { time.Sleep(time.Millisecond) })
					if p99 := took[calls*99/100]; p99 > most {
						t.Errorf("F6: beside an endless loop of elements of %v, a Run of 1 ms takes %v at most in 99 %% of the cases, want %v", long, p99, most)
					}
				})
			})
		}
	}
}

// The same with jobs and elements that keep their processors busy.
func BenchmarkFair(b *testing.B) {
	for _, long := range []time.Duration{0, time.Microsecond, 100 * time.Microsecond} {
		b.Run(fmt.Sprintf("element=%v", long), func(b *testing.B) {
			p := newPool(b, pool.WithWorkers(2))
			took := besideLoop(b, p, b.N, func(int) {
				if runtime.GOARCH == "wasm" {
					runtime.Gosched()
				}
				spin(long)
			}, func() { spin(time.Millisecond) })
			b.ReportMetric(took[len(took)/2].Seconds()*1e3, "p50-ms")
			b.ReportMetric(took[len(took)*99/100].Seconds()*1e3, "p99-ms")
		})
	}
}
