package explore_test

import (
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/rouse-go/rouse/api/prim"
	"github.com/rouse-go/rouse/explore"
)

// Bugs that everybody knows, each with the fewest preemptions that show it, and
// beside it what is right.

// Of two threads that each write one variable and then read the other, one
// sees the other's write: Go's atomics are sequentially consistent.
func TestDekker(t *testing.T) {
	dekker := func(writesFirst bool) func(x *explore.Exec) {
		return func(x *explore.Exec) {
			var wrote [2]prim.Bool
			var saw [2]bool
			for i := range wrote {
				x.Go("thread", func() {
					if writesFirst {
						wrote[i].Store(true)
					}
					saw[i] = wrote[1-i].Load()
					if !writesFirst {
						wrote[i].Store(true)
					}
				})
			}
			x.Wait()
			if !saw[0] && !saw[1] {
				x.Errorf("neither saw the other")
			}
		}
	}
	if r := passes(t, dekker(true), explore.Bound(99)); !r.Exhausted {
		t.Errorf("%v: not exhausted", r)
	}
	find(t, explore.Asserted, 1, dekker(false))
}

// Who checks a condition and then waits misses what happens in between.
func TestCheckThenWait(t *testing.T) {
	wait := func(locked bool) func(x *explore.Exec) {
		return func(x *explore.Exec) {
			var mu prim.Mutex
			cond := prim.NewCond(&mu)
			var ready prim.Bool
			x.Go("waiter", func() {
				if locked {
					mu.Lock()
					for !ready.Load() {
						cond.Wait()
					}
					mu.Unlock()
				} else if !ready.Load() {
					mu.Lock()
					cond.Wait()
					mu.Unlock()
				}
			})
			x.Go("signaller", func() {
				mu.Lock()
				ready.Store(true)
				mu.Unlock()
				cond.Signal()
			})
		}
	}
	find(t, explore.Deadlock, 1, wait(false))
	passes(t, wait(true))
	passes(t, wait(true), explore.Spurious(2))
}

// The gate of the example is wrong, as the example says.
func TestGate(t *testing.T) {
	find(t, explore.Deadlock, 2, func(x *explore.Exec) {
		g := &gate{}
		g.cond = prim.NewCond(&g.mu)
		x.Go("visitor", g.wait)
		g.open.Store(true)
		g.cond.Broadcast()
	})
}

// A futex is waited on with the value that was seen. One that is loaded again
// hides the wake between.
func TestFutexValue(t *testing.T) {
	wait := func(again bool) func(x *explore.Exec) {
		return func(x *explore.Exec) {
			var word prim.Uint32
			var work prim.Bool
			x.Go("sleeper", func() {
				for {
					v := word.Load()
					if work.Load() {
						return
					}
					if again {
						v = word.Load()
					}
					prim.FutexWait(&word, v)
				}
			})
			x.Go("poster", func() {
				work.Store(true)
				word.Add(1)
				prim.FutexWake(&word)
			})
		}
	}
	find(t, explore.Deadlock, 1, wait(true))
	passes(t, wait(false), explore.Spurious(1))
}

// A condition that is tested by if takes a return for no reason for the news.
func TestSpuriousReturn(t *testing.T) {
	wait := func(futex, loop bool) func(x *explore.Exec) {
		return func(x *explore.Exec) {
			var mu prim.Mutex
			var word prim.Uint32
			cond := prim.NewCond(&mu)
			x.Go("waiter", func() {
				mu.Lock()
				for word.Load() == 0 {
					if futex {
						mu.Unlock()
						prim.FutexWait(&word, 0)
						mu.Lock()
					} else {
						cond.Wait()
					}
					if !loop {
						break
					}
				}
				if word.Load() == 0 {
					x.Errorf("woken before there was anything")
				}
				mu.Unlock()
			})
			x.Go("setter", func() {
				mu.Lock()
				word.Store(1)
				cond.Signal()
				mu.Unlock()
				prim.FutexWake(&word)
			})
		}
	}
	for _, futex := range []bool{false, true} {
		passes(t, wait(futex, false))
		find(t, explore.Asserted, 0, wait(futex, false), explore.Spurious(1))
		passes(t, wait(futex, true), explore.Spurious(2))
	}
}

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

func TestTryLock(t *testing.T) {
	// That an attempt fails shows only if it comes between Lock and Unlock.
	find(t, explore.Asserted, 1, func(x *explore.Exec) {
		var mu prim.Mutex
		n := 0
		x.Go("holder", func() { mu.Lock(); n++; mu.Unlock() })
		x.Go("trier", func() {
			if !mu.TryLock() {
				x.Fatalf("busy")
			}
			n++
			mu.Unlock()
		})
	})
}

func TestWaitGroup(t *testing.T) {
	group := func(early bool) func(x *explore.Exec) {
		return func(x *explore.Exec) {
			var g prim.WaitGroup
			n := 0
			var mu prim.Mutex
			for range 2 {
				if early {
					g.Add(1)
				}
				prim.Go(func() {
					if !early {
						g.Add(1)
					}
					mu.Lock()
					n++
					mu.Unlock()
					g.Done()
				})
			}
			g.Wait()
			mu.Lock()
			defer mu.Unlock()
			if n != 2 {
				x.Errorf("%d have ended, want 2", n)
			}
		}
	}
	passes(t, group(true))
	find(t, explore.Asserted, 0, group(false))
	find(t, explore.Panicked, 0, func(*explore.Exec) { new(prim.WaitGroup).Done() })
}

// Two locks that the explorer does not see, in opposite order: it must not say that all
// is well, for it tried no other order.
func TestUnseen(t *testing.T) {
	both := func(x *explore.Exec) {
		var a, b sync.Mutex
		n := 0
		lock := func(first, second *sync.Mutex) func() {
			return func() {
				first.Lock()
				second.Lock()
				n++
				second.Unlock()
				first.Unlock()
			}
		}
		x.Go("ab", lock(&a, &b))
		x.Go("ba", lock(&b, &a))
		x.Wait()
	}
	f := find(t, explore.Unseen, 0, both)
	for _, want := range []string{`"ab"`, `"ba"`, "package prim"} {
		if !contains(f.Message, want) {
			t.Errorf("the message does not say %s: %s", want, f.Message)
		}
	}
	for _, o := range []explore.Option{explore.Random(1, 5), explore.MaxSchedules(1)} {
		if f := explore.Explore(both, o).Failure; f == nil || f.Kind != explore.Unseen {
			t.Errorf("two threads of which nothing is seen: %v", f)
		}
	}
	passes(t, both, explore.MayBeUnseen("ab", "ba"))
	if f := find(t, explore.Unseen, 0, both, explore.MayBeUnseen("ab")); contains(f.Message, `"ab"`) || !contains(f.Message, `"ba"`) {
		t.Errorf("only ba was not to be unseen: %s", f.Message)
	}
	// A function is called by where it begins.
	each := func(yield func(int) bool) { yield(1) }
	inLoop := func(*explore.Exec) {
		for range each {
			prim.Go(func() {})
		}
	}
	f = find(t, explore.Unseen, 0, inLoop)
	_, place, _ := strings.Cut(f.Message, `of "`)
	place, _, _ = strings.Cut(place, `"`)
	if !regexp.MustCompile(`^bugs_test.go:\d+$`).MatchString(place) {
		t.Errorf("the message does not say where it begins: %s", f.Message)
	}
	passes(t, inLoop, explore.MayBeUnseen(place))
	// One that does something in some schedules is seen.
	passes(t, func(x *explore.Exec) {
		var n prim.Int32
		more := x.Choose(2) == 1
		x.Go("sometimes", func() {
			if more {
				n.Add(1)
			}
		})
		x.Wait()
	})
}
