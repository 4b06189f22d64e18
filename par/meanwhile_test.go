package par_test

import (
	"context"
	"errors"
	"math"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rouse-go/rouse/par"
	"github.com/rouse-go/rouse/pool"
)

// What a body has captured is not kept when the loop has ended, by a panic too. If it is, this
// has no end.
func TestForgotten(t *testing.T) {
	onPools(t, func(t *testing.T, p *pool.Pool) {
		var gone sync.WaitGroup
		for range 5 {
			gone.Add(1)
			captured := new([64]int)
			runtime.AddCleanup(captured, func(wg *sync.WaitGroup) { wg.Done() }, &gone)
			v := caught(func() {
				par.For(3000, func(i int) {
					if i%331 == 17 { // for others to come
						time.Sleep(50 * time.Microsecond)
					}
					if i == 2999 || captured[i%64] != 0 {
						panic(captured)
					}
				}, par.On(p))
			})
			if v != any(captured) {
				t.Errorf("F2: a body panics with %p, and For with %v", captured, v)
			}
		}
		collected := make(chan struct{})
		go func() { gone.Wait(); close(collected) }()
		for {
			runtime.GC()
			select {
			case <-collected:
				return
			default:
			}
		}
	})
}

// A loop ends whose caller holds a lock for which all workers wait.
func TestLockHeld(t *testing.T) {
	onPools(t, func(t *testing.T, p *pool.Pool) {
		var mu sync.Mutex
		mu.Lock()
		var begun, ended sync.WaitGroup
		for range p.Workers() {
			begun.Add(1)
			ended.Add(1)
			if err := pool.Go(p, func(*pool.Worker) {
				defer ended.Done()
				begun.Done()
				mu.Lock()
				defer mu.Unlock()
			}); err != nil {
				t.Fatal(err)
			}
		}
		begun.Wait()
		n := 0
		// A sleep can take a millisecond, and nobody helps.
		par.For(20, func(int) { time.Sleep(30 * time.Microsecond); n++ }, par.On(p))
		sum := par.Fold(make([]int, 20), func() int { return 0 },
			func(a, _ int) int { time.Sleep(30 * time.Microsecond); return a + 1 }, func(a, b int) int { return a + b }, par.On(p))
		if n != 20 || sum != 20 {
			t.Errorf("F5: loops of 20 whose caller holds a lock did %d and %d elements", n, sum)
		}
		mu.Unlock()
		ended.Wait()
	})
}

// Jobs are queued beside an endless loop of a worker, which ends when they have.
func TestQueuedBesideLoop(t *testing.T) {
	// A call takes nanoseconds, so these are thousands of times as many as a loop does between
	// two looks at the queue. They are counted, since a clock also counts what others do.
	const most = 1 << 27
	enough, late := errors.New("all jobs have ended"), errors.New("too many calls")
	onPools(t, func(t *testing.T, p *pool.Pool) {
		var left, calls atomic.Int64
		left.Store(int64(2*p.Workers() + 1))
		_, err := pool.RunErr(background, p, func(_ context.Context, w *pool.Worker, _ int) (int, error) {
			return 0, par.ForErr(background, math.MaxInt, func(_ context.Context, i int) error {
				if i == 0 {
					for range left.Load() {
						if err := pool.Go(p, func(*pool.Worker) { left.Add(-1) }); err != nil {
							return err
						}
					}
				}
				switch {
				case left.Load() <= 0:
					return enough
				case calls.Add(1) > most:
					return late
				}
				if runtime.GOARCH == "wasm" { // nothing preempts a loop there
					runtime.Gosched()
				}
				return nil
			}, par.In(w))
		}, 0)
		if err == late {
			t.Errorf("F6: beside a loop that has called its body %d times, %d jobs of the queue have not ended", most, left.Load())
		} else if err != enough {
			t.Errorf("F2: a loop returned %v, want the error of its body", err)
		}
	})
}
