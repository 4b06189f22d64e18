package explore_test

import (
	"context"
	"maps"
	"math/rand/v2"
	"testing"

	"github.com/rouse-go/rouse/api/prim"
	"github.com/rouse-go/rouse/conformance/explore"
)

// Either of two waiters is roused by one wake, be it a signal or a futex's.
func TestEitherWaiterIsRoused(t *testing.T) {
	needsTag(t)
	for name, futex := range map[string]bool{"cond": false, "futex": true} {
		t.Run(name, func(t *testing.T) {
			met := make(map[int]bool)
			passes(t, func(x *explore.Exec) {
				var mu prim.Mutex
				var word prim.Uint32
				cond := prim.NewCond(&mu)
				var waiting prim.Int32
				var first prim.Int32
				wait := func() {
					place := waiting.Add(1)
					if futex {
						prim.FutexWait(&word, 0)
						mu.Lock()
					} else {
						mu.Lock()
						cond.Wait()
					}
					first.CompareAndSwap(0, place)
					mu.Unlock()
				}
				wake := func() {
					if futex {
						prim.FutexWake(&word)
					} else {
						cond.Signal()
					}
				}
				x.Go("waiter", wait)
				x.Go("waiter", wait)
				// Without a preemption, one that has said so waits.
				for waiting.Load() < 2 {
					prim.Yield()
				}
				wake()
				for first.Load() == 0 {
					prim.Yield()
				}
				wake()
				x.Wait()
				met[int(first.Load())] = true
			}, explore.Bound(0))
			if !met[1] || !met[2] {
				t.Errorf("roused first were %v, want the one who came first and the one who came second", met)
			}
		})
	}
}

// A run that differs in its operations only is noticed, too.
func TestOtherOperations(t *testing.T) {
	needsTag(t)
	runs := 0
	f := explore.Explore(func(x *explore.Exec) {
		runs++
		odd := runs%2 == 1
		var n prim.Int32
		for range 2 {
			x.Go("thread", func() {
				if odd {
					n.Load()
				} else {
					n.Add(1)
				}
				n.Load()
				n.Load()
			})
		}
	}).Failure
	if f == nil || f.Kind != explore.Nondeterministic {
		t.Errorf("not noticed: %v", f)
	}
}

// Sleep sets leave out no result: of programs made at random, all values that
// all threads can read in all are met with and without them.
func TestReductionKeepsAllResults(t *testing.T) {
	needsTag(t)
	type operation struct {
		kind, variable int
	}
	for seed := range uint64(40) {
		rng := rand.New(rand.NewPCG(seed, 0))
		var program [3][2]operation
		for i := range program {
			for j := range program[i] {
				program[i][j] = operation{rng.IntN(3), rng.IntN(2)}
			}
		}
		results := func(opts ...explore.Option) map[[3][2]int32]bool {
			met := make(map[[3][2]int32]bool)
			r := explore.Explore(func(x *explore.Exec) {
				var variables [2]prim.Int32
				var got [3][2]int32
				for i := range program {
					x.Go("thread", func() {
						for j, op := range program[i] {
							switch v := &variables[op.variable]; op.kind {
							case 0:
								got[i][j] = v.Load()
							case 1:
								v.Store(int32(1 + 2*i + j))
							case 2:
								got[i][j] = v.Add(10)
							}
						}
					})
				}
				x.Wait()
				met[got] = true
			}, append(opts, explore.Unbounded())...)
			if r.Failure != nil {
				t.Fatal(r)
			}
			return met
		}
		if all, reduced := results(explore.NoReduction()), results(); !maps.Equal(all, reduced) {
			t.Errorf("program %v: %d results without the reduction, %d with it", program, len(all), len(reduced))
		}
	}
}

func TestPermitIsTaken(t *testing.T) {
	parks := func(n int) func(x *explore.Exec) {
		return func(x *explore.Exec) {
			p := prim.NewParker()
			x.Go("unparker", func() { p.Unpark(); p.Unpark() })
			for range n {
				p.Park()
			}
		}
	}
	passes(t, parks(1))
	find(t, explore.Deadlock, 0, parks(2))
}

// What is to be done when a context ends is done even if nothing else is left.
func TestAfterFuncRunsLast(t *testing.T) {
	find(t, explore.Asserted, 0, func(x *explore.Exec) {
		ctx, cancel := context.WithCancel(context.Background())
		prim.AfterFunc(ctx, func() { x.Errorf("run") })
		cancel()
	})
}
