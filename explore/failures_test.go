package explore_test

import (
	"context"
	"runtime"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/api/prim"
	"github.com/rouse-go/rouse/explore"
)

func contains(text, part string) bool { return strings.Contains(text, part) }

func TestPanicIsFound(t *testing.T) {
	f := find(t, explore.Panicked, 1, func(x *explore.Exec) {
		var n prim.Int32
		x.Go("writer", func() { n.Store(1); n.Store(0) })
		x.Go("reader", func() {
			if n.Load() == 1 {
				panic("one")
			}
		})
	})
	for _, want := range []string{"reader: one", "failures_test.go"} {
		if !contains(f.Message, want) {
			t.Errorf("the message does not say %q: %s", want, f.Message)
		}
	}
	for _, want := range []string{"1 writer", "Store Int32#0 ← 1", "Load Int32#0 = 1", "failures_test.go:"} {
		if !contains(f.Trace, want) {
			t.Errorf("the trace does not say %q:\n%s", want, f.Trace)
		}
	}
}

// Who polls without giving way does not get on if it is never interrupted.
// Who gives way does.
func TestLivelock(t *testing.T) {
	poll := func(pause func()) func(x *explore.Exec) {
		return func(x *explore.Exec) {
			var ready prim.Bool
			x.Go("poller", func() {
				for !ready.Load() {
					pause()
				}
			})
			x.Go("setter", func() { ready.Store(true) })
		}
	}
	find(t, explore.Livelock, 0, poll(func() {}), explore.MaxSteps(100))
	passes(t, poll(prim.Yield), explore.MaxSteps(100))
	passes(t, poll(func() { prim.Spin(10) }), explore.MaxSteps(100))
	// Two that give way to each other let the third one through.
	passes(t, func(x *explore.Exec) {
		var ready prim.Bool
		for range 2 {
			x.Go("poller", func() {
				for !ready.Load() {
					prim.Yield()
				}
			})
		}
		x.Go("setter", func() { ready.Store(true) })
	}, explore.MaxSteps(100), explore.Bound(3))
}

// A thread that was started by prim.Go and is still blocked when the scenario
// has returned is a deadlock, too.
func TestLeftBehind(t *testing.T) {
	f := find(t, explore.Deadlock, 0, func(x *explore.Exec) {
		p := prim.NewParker()
		prim.Go(p.Park)
	})
	if !contains(f.Message, "Parker") || !contains(f.Message, "Park #0") {
		t.Errorf("the message does not say who is blocked: %s", f.Message)
	}
}

// A run that differs in the number of its operations, in what they do or in its end is noticed.
func TestNotDeterministic(t *testing.T) {
	needsTag(t)
	adders := func(add func(n *prim.Int32)) func(x *explore.Exec) {
		return func(x *explore.Exec) {
			var n prim.Int32
			for range 2 {
				x.Go("adder", func() { add(&n); n.Load() })
			}
		}
	}
	for name, scenario := range map[string]func(run int, x *explore.Exec){
		"number": func(run int, x *explore.Exec) {
			adders(func(n *prim.Int32) {
				for range 1 + run%2 {
					n.Add(1)
				}
			})(x)
		},
		"operation": func(run int, x *explore.Exec) {
			adders([]func(n *prim.Int32){func(n *prim.Int32) { n.Add(1) }, func(n *prim.Int32) { n.Load() }}[run%2])(x)
		},
		"end": func(run int, x *explore.Exec) {
			if run == 1 {
				x.Errorf("only now")
			}
		},
	} {
		runs := 0
		f := explore.Explore(func(x *explore.Exec) { runs++; scenario(runs, x) }).Failure
		if f == nil || f.Kind != explore.Nondeterministic || name == "end" && !contains(f.Message, "only now") {
			t.Errorf("%s: not noticed: %v", name, f)
		}
	}
}

func TestTooManyThreads(t *testing.T) {
	find(t, explore.TooManyThreads, 0, func(x *explore.Exec) {
		var n prim.Int32
		for range 3 {
			x.Go("another", func() { n.Add(1) })
		}
	}, explore.MaxThreads(3))
	// Those that have ended are not there any more.
	passes(t, func(x *explore.Exec) {
		var n prim.Int32
		for range 40 {
			x.Go("another", func() { n.Add(1) })
			x.Wait()
		}
	}, explore.MaxThreads(3))
}

func TestScheduleDoesNotFit(t *testing.T) {
	needsTag(t)
	scenario := func(x *explore.Exec) {
		var n prim.Int32
		x.Go("adder", func() { n.Add(1) })
		x.Go("adder", func() { n.Add(1) })
		x.Wait()
	}
	for _, schedule := range []string{"3:1", "1:2", "1:1 2:1 0:1 1:1", "?1", "1!1", "1:1 2:1 0:2"} {
		f := explore.Explore(scenario, explore.Replay(schedule)).Failure
		if f == nil || f.Kind != explore.Diverged {
			t.Errorf("%s: %v", schedule, f)
		}
	}
	for _, schedule := range []string{"", "2:1", "1:1 2:1 0:1"} {
		if f := explore.Explore(scenario, explore.Replay(schedule)).Failure; f != nil {
			t.Errorf("%s: %v", schedule, f)
		}
	}
}

// However a thread is written, an execution that has failed is brought to an
// end, and the next exploration finds nothing of it.
func TestAbortUnwinds(t *testing.T) {
	var n prim.Int32
	for name, stubborn := range map[string]func(){
		"deferred operation": func() {
			defer n.Add(1)
			defer n.Add(1)
			prim.NewParker().Park()
		},
		"recover": func() {
			defer func() {
				recover()
				n.Add(1)
				recover()
			}()
			prim.NewParker().Park()
		},
		"deferred lock": func() {
			var mu prim.Mutex
			mu.Lock()
			defer mu.Unlock()
			prim.NewParker().Park()
		},
		"starts again": func() {
			var again func()
			again = func() {
				defer prim.Go(again)
				prim.NewParker().Park()
			}
			again()
		},
		"never has enough": func() {
			var again func()
			again = func() {
				defer func() { again() }()
				prim.NewParker().Park()
			}
			again()
		},
	} {
		t.Run(name, func(t *testing.T) {
			find(t, explore.Deadlock, 0, func(x *explore.Exec) {
				x.Go("stubborn", stubborn)
				x.Go("blocked", prim.NewParker().Park)
			})
			find(t, explore.Asserted, 0, func(x *explore.Exec) {
				x.Go("stubborn", stubborn)
				x.Fatalf("enough")
			})
			passes(t, func(x *explore.Exec) {
				x.Go("adder", func() { n.Add(1) })
				x.Wait()
			})
		})
	}
}

// A thread may end by Goexit.
func TestGoexit(t *testing.T) {
	passes(t, func(x *explore.Exec) {
		var n prim.Int32
		for range 2 {
			x.Go("exits", func() {
				defer n.Add(1)
				n.Add(1)
				runtime.Goexit()
			})
		}
		x.Wait()
		if n.Load() != 4 {
			x.Errorf("%d, want 4", n.Load())
		}
	})
}

func TestForeignGoroutine(t *testing.T) {
	needsTag(t)
	quit := make(chan struct{})
	defer close(quit)
	f := explore.Explore(func(x *explore.Exec) { go leftBehind(quit) }).Failure
	if f == nil || f.Kind != explore.Foreign || !contains(f.Message, "started by github.com/rouse-go/rouse/explore_test.TestForeignGoroutine.func1: start it with prim.Go") || !contains(f.Message, "leftBehind(") {
		t.Errorf("a goroutine that is left behind: %v", f)
	}
	f = explore.Explore(func(x *explore.Exec) {
		var n prim.Int32
		ended := make(chan struct{})
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		context.AfterFunc(ctx, func() {
			defer close(ended)
			n.Add(1)
		})
		<-ended
	}).Failure
	if f == nil || f.Kind != explore.Foreign || !contains(f.Message, "started by context.") || !contains(f.Message, "the standard library is not rewritten") {
		t.Errorf("a goroutine of the standard library: %v", f)
	}
	f = explore.Explore(func(x *explore.Exec) {
		var n prim.Int32
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			n.Add(1)
		}()
		<-ended
	}).Failure
	if f == nil || f.Kind != explore.Foreign || !contains(f.Message, "TestForeignGoroutine") || contains(f.Message, "intruder") {
		t.Errorf("a goroutine that performs an operation: %v", f)
	}
}

func leftBehind(quit chan struct{}) { <-quit }

// A wait ends with the permit or with the context, and if there are both, with
// either.
func TestParkContext(t *testing.T) {
	met := make(map[error]bool)
	passes(t, func(x *explore.Exec) {
		ctx, cancel := context.WithCancel(context.Background())
		p := prim.NewParker()
		x.Go("waiter", func() { met[p.ParkContext(ctx)] = true })
		p.Unpark()
		var n prim.Int32
		n.Add(1)
		cancel()
	})
	if !met[nil] || !met[context.Canceled] {
		t.Errorf("met %v, want both ends", met)
	}
	find(t, explore.Deadlock, 0, func(x *explore.Exec) {
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		_ = prim.NewParker().ParkContext(ctx)
	})
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

func TestAfterFunc(t *testing.T) {
	type end struct{ ran, stopped bool }
	met := make(map[end]bool)
	passes(t, func(x *explore.Exec) {
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		var ran prim.Bool
		stop := prim.AfterFunc(ctx, func() { ran.Store(true) })
		x.Go("canceller", func() {
			var n prim.Int32
			n.Add(1)
			cancel()
		})
		stopped := stop()
		x.Wait()
		e := end{stopped: stopped}
		for !stopped && !ran.Load() {
			prim.Yield()
		}
		e.ran = ran.Load()
		met[e] = true
	})
	if len(met) != 2 || !met[end{true, false}] || !met[end{false, true}] {
		t.Errorf("met %v, want run and not stopped, and the reverse", met)
	}
	// One whose context does not end is no deadlock.
	passes(t, func(x *explore.Exec) {
		ctx, cancel := context.WithCancel(context.Background())
		_ = cancel
		prim.AfterFunc(ctx, func() { x.Errorf("run") })
	})
}

// What is to be done when a context ends is done even if nothing else is left.
func TestAfterFuncRunsLast(t *testing.T) {
	find(t, explore.Asserted, 0, func(x *explore.Exec) {
		ctx, cancel := context.WithCancel(context.Background())
		prim.AfterFunc(ctx, func() { x.Errorf("run") })
		cancel()
	})
}
