package par_test

import (
	"context"
	"math/rand/v2"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rouse-go/rouse/par"
	"github.com/rouse-go/rouse/pool"
)

// eachInOrder are the operations on elements that come one after the other. Each calls nap for
// the elements 0 to n-1.
var eachInOrder = map[string]func(n int, nap func(i int), o ...par.Option){
	"MapSeq": consumed,
	"MapSeq of a live source": func(n int, nap func(int), o ...par.Option) {
		consumed(n, nap, append(o, par.WithLiveSource())...)
	},
	"Pipe": func(n int, nap func(int), o ...par.Option) {
		p := par.NewPipe(background, func(_ context.Context, i int) (int, error) { nap(i); return i, nil }, func(int) error { return nil }, o...)
		for i := range n {
			p.Push(i)
		}
		p.Close()
	},
}

func consumed(n int, nap func(int), o ...par.Option) {
	for range par.MapSeq(background, (&upTo{n: n}).each, func(_ context.Context, i int) (int, error) { nap(i); return i, nil }, o...) {
	}
}

// No element of a stream holds others up: see TestNothingHeldUp.
func TestNothingHeldUpInStreams(t *testing.T) {
	for _, workers := range []int{2, 8, 64} {
		for what, of := range shapes {
			for name, call := range eachInOrder {
				for _, n := range []int{2, workers, 400} {
					inBubble(t, workers, func(t *testing.T, p *pool.Pool) {
						d := of(rand.New(rand.NewPCG(1, uint64(n))), n)
						most := mostFor(d, workers)
						for round := range 3 {
							for where, in := range places(p) {
								begun := time.Now()
								in(func() { call(n, func(i int) { time.Sleep(d[i]) }, par.On(p)) })
								took := time.Since(begun)
								if took > most {
									t.Errorf("F7: %s of %d elements, %s, on %d workers, use %d, %s: %v, want at most %v", name, n, what, workers, round, where, took, most)
								}
							}
						}
					})
				}
			}
		}
	}
}

// places are where a call may be.
func places(p *pool.Pool) map[string]func(call func()) {
	return map[string]func(func()){
		"outside of jobs": func(call func()) { call() },
		"in a job": func(call func()) {
			pool.Run(background, p, func(*pool.Worker, int) int { call(); return 0 }, 0)
		},
	}
}

// A stream with a limit has as many elements under way, and no more, also more than there are
// workers, and on a closed pool. None holds others up.
func TestLimitInStreams(t *testing.T) {
	for _, workers := range []int{1, 8} {
		for _, limit := range []int{1, 2, 7, 16} {
			for what, of := range shapes {
				for name, call := range eachInOrder {
					for _, ends := range []bool{false, true} {
						inBubble(t, workers, func(t *testing.T, p *pool.Pool) {
							if ends {
								p.Close()
							}
							const n = 100
							d := of(rand.New(rand.NewPCG(1, n)), n)
							for where, in := range places(p) {
								if ends && where == "in a job" {
									continue
								}
								var running, most atomic.Int32
								begun := time.Now()
								in(func() {
									call(n, func(i int) {
										now := running.Add(1)
										for old := most.Load(); now > old && !most.CompareAndSwap(old, now); old = most.Load() {
										}
										time.Sleep(d[i])
										running.Add(-1)
									}, par.On(p), par.WithLimit(limit))
								})
								if took := time.Since(begun); took > mostFor(d, limit) {
									t.Errorf("F7: %s of %d elements, %s, with a limit of %d, on %d workers, closed: %t, %s, took %v, want at most %v", name, n, what, limit, workers, ends, where, took, mostFor(d, limit))
								}
								if int(most.Load()) > limit {
									t.Errorf("F7: %s with a limit of %d had %d elements under way", name, limit, most.Load())
								}
							}
						})
					}
				}
			}
		}
	}
}

// Elements that wait all do so at the same time.
func TestLimitOfWaits(t *testing.T) {
	const n, nap = 40, 50 * time.Millisecond
	for _, limit := range []int{1, 2, 7, 16, 100} {
		for name, call := range eachInOrder {
			inBubble(t, 2, func(t *testing.T, p *pool.Pool) {
				begun := time.Now()
				call(n, func(int) { time.Sleep(nap) }, par.On(p), par.WithLimit(limit))
				if took, best := time.Since(begun), time.Duration((n+limit-1)/limit)*nap; took != best {
					t.Errorf("F7: %s of %d elements of %v, %d at a time, took %v, want %v", name, n, nap, limit, took, best)
				}
			})
		}
	}
}

// The consumer does the first element itself, if that of the last two uses was short. One that is
// long ends that.
func TestFirstOfStream(t *testing.T) {
	const short, long = 0, 20 * time.Millisecond
	for name, call := range map[string]func(int, func(int), ...par.Option){"MapSeq": consumed, "Pipe": eachInOrder["Pipe"]} {
		inBubble(t, 2, func(t *testing.T, p *pool.Pool) {
			for use, c := range []struct{ first, want time.Duration }{
				{long, long},
				{short, long},
				{long, long},
				{short, long},
				{long, long}, // one short one was before
				{short, long},
				{short, long},
				{long, 2 * long}, // two short ones were before
				{long, long},
			} {
				begun := time.Now()
				call(2, func(i int) { time.Sleep(max(c.first, time.Duration(i)*long)) }, par.On(p))
				if took := time.Since(begun); took != c.want {
					t.Errorf("F7: use %d of %s, of two elements of %v and %v, took %v, want %v", use, name, c.first, long, took, c.want)
				}
			}
		})
	}
}
