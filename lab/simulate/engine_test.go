//go:build explore

package simulate_test

import (
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/rouse-go/rouse/api/prim"
	"github.com/rouse-go/rouse/lab/simulate"
	"github.com/rouse-go/rouse/pool"
)

// A program that cannot go on, or panics, or has a machine that cannot be, gets an
// error that says so.
func TestFailures(t *testing.T) {
	var mu prim.Mutex
	for want, program := range map[string]func(){
		"all virtual threads are blocked: thread 0 in WaitGroup.Wait, thread 1 in Parker.Park": func() {
			p := prim.NewParker()
			var g prim.WaitGroup
			g.Go(p.Park)
			g.Wait()
		},
		"thread 1 panics: boo": func() {
			prim.Go(func() { panic("boo") })
			simulate.Work(simulate.Second)
			prim.Yield()
		},
		"unlock of unlocked mutex": func() { mu.Unlock() },
		"a context that can end":   func() { prim.NewParker().ParkContext(t.Context()) },
		"can end is not simulated": func() { prim.AfterFunc(t.Context(), func() {}) },
	} {
		if r, err := simulate.Run(simulate.Plain(), program); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("report %v, error %v, want one that says %q", r, err, want)
		}
	}
	bad := simulate.Plain()
	bad.Processors = 257
	for want, m := range map[string]*simulate.Machine{
		"make it with Load": {Processors: 2}, "has 257 processors, must be 1 to 256": bad,
	} {
		if _, err := simulate.Run(m, func() {}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one that says %q", err, want)
		}
	}
}

// Threads that are left at the end are unwound, with their deferred calls, and
// leave no goroutine.
func TestLeftBehind(t *testing.T) {
	before := runtime.NumGoroutine()
	var unwound int
	run(t, simulate.Plain(), func() {
		p := prim.NewParker()
		var mu prim.Mutex
		for range 5 {
			prim.Go(func() {
				defer func() {
					mu.Lock() // ends the goroutine again
					unwound = -100
				}()
				defer func() { unwound++ }()
				p.Park()
			})
		}
		simulate.Work(100 * us)
		prim.Yield()
		prim.Go(func() { unwound = -100 }) // has no time to start
	})
	if unwound != 5 {
		t.Errorf("%d of 5 threads were unwound", unwound)
	}
	noGoroutines(t, before)
}

// noGoroutines fails the test if there are more goroutines than before.
func noGoroutines(t *testing.T, before int) {
	t.Helper()
	for range 10_000 { // that each sleep returns shows that the process gets processors
		if runtime.NumGoroutine() <= before {
			return
		}
		time.Sleep(time.Millisecond)
	}
	t.Errorf("%d goroutines, %d before the run", runtime.NumGoroutine(), before)
}

// A thread that ends by Goexit is one that has ended.
func TestGoexit(t *testing.T) {
	defer noGoroutines(t, runtime.NumGoroutine())
	run(t, simulate.Plain(), func() {
		var g prim.WaitGroup
		for range 3 {
			g.Go(func() { simulate.Work(us); runtime.Goexit() })
		}
		g.Wait()
		onPool(2, func(w *pool.Worker) {
			h, err := pool.Submit(w.Pool(), func(*pool.Worker) int { runtime.Goexit(); return 0 })
			if err != nil {
				panic(err)
			}
			if _, err := h.Join(w); err != pool.ErrGoexit {
				panic(err)
			}
		})
	})
}

// A thread that does not give its processor up loses it after a time slice, if
// others wait for one.
func TestTimeSlice(t *testing.T) {
	r := run(t, simulate.Plain("processors 1 count", "cluster 1 count", "socket 1 count"), func() {
		var flag prim.Bool
		prim.Go(func() { flag.Store(true) })
		for !flag.Load() {
			simulate.Work(us)
		}
	})
	if r.Elapsed < 10*simulate.Millisecond || r.Elapsed > 11*simulate.Millisecond {
		t.Errorf("the program took %v, want a time slice of 10 ms", r.Elapsed)
	}
}

// A thread that parks gives its processor to one that waits, one that works does
// not: k threads on one processor work one after the other.
func TestOneProcessor(t *testing.T) {
	const k = 5
	var ends [k]simulate.Time
	r := run(t, simulate.Plain("processors 1 count", "cluster 1 count", "socket 1 count"), func() {
		var g prim.WaitGroup
		for i := range k {
			g.Go(func() {
				simulate.Work(20 * us)
				ends[i] = simulate.Now()
			})
		}
		g.Wait()
	})
	for i := 1; i < k; i++ {
		// The counter goes down, and the next one is dispatched.
		if got, want := ends[i]-ends[i-1], 20*us+5*ns+700+171*ns; got != want {
			t.Errorf("thread %d is done %d ps after the one before, want %d", i, got, want)
		}
	}
	if s := r.Sections[0]; s.Idle != 0 {
		t.Errorf("one processor was idle for %v", s.Idle)
	}
}

// Threads that sleep have no processor, and need one in the end: many on two
// processors sleep at the same time, and work one after the other.
func TestSleep(t *testing.T) {
	const k = 10
	r := run(t, simulate.Plain("processors 2 count", "cluster 2 count", "socket 2 count"), func() {
		var g prim.WaitGroup
		for range k {
			g.Go(func() {
				simulate.Sleep(simulate.Millisecond)
				simulate.Work(100 * us)
			})
		}
		g.Wait()
	})
	s := r.Sections[0]
	if least := simulate.Millisecond + 37*us + k/2*100*us; s.Elapsed < least || s.Elapsed > least+50*us {
		t.Errorf("%d threads sleep for 1 ms and work for 100 us on 2 processors: %v, want %v and little more", k, s.Elapsed, least)
	}
	if s.Idle < 2*900*us || len(s.FirstWork) != k || s.FirstWork[k-1] > 20*us {
		t.Errorf("idle for %v, first work or sleep %v", s.Idle, s.FirstWork)
	}

	var end simulate.Time
	run(t, simulate.Plain(), func() {
		simulate.Sleep(simulate.Millisecond)
		end = simulate.Now()
	})
	if want := simulate.Millisecond + 37*us + 4700*ns + 95*ns + 151*ns; end != want {
		t.Errorf("a sleep of 1 ms ends at %v, want %v", end, want)
	}
}

// A thread that yields gives its turn to those whose sleep is over, each time: also
// when the processor looks into the global queue first.
func TestYieldToSleepers(t *testing.T) {
	const n = 200
	turns := 0
	run(t, simulate.Plain("processors 1 count", "cluster 1 count", "socket 1 count"), func() {
		prim.Go(func() {
			for range n {
				simulate.Sleep(10 * us)
				turns++
			}
		})
		prim.Yield()
		for i := range n {
			simulate.Work(20 * us)
			prim.Yield()
			if turns != i+1 {
				t.Errorf("after yield %d the sleeper has had %d turns", i+1, turns)
			}
		}
	})
}

// A locker spins while that may help, and then parks.
func TestMutex(t *testing.T) {
	for held, parks := range map[simulate.Time]int{us: 0, 50 * us: 1} {
		var entered, left simulate.Time
		r := run(t, simulate.Plain("cluster 8 count"), func() {
			var mu prim.Mutex
			mu.Lock()
			var g prim.WaitGroup
			g.Go(func() {
				simulate.Work(10*us - simulate.Now())
				simulate.Mark("locking")
				mu.Lock()
				entered = simulate.Now()
				mu.Unlock()
			})
			simulate.Work(10*us + held - simulate.Now())
			simulate.Mark("unlocked")
			mu.Unlock()
			left = simulate.Now()
			g.Wait()
		})
		if s := r.Sections[1]; s.Parks != parks || parks == 0 && entered-left > us {
			t.Errorf("a mutex was held for %v: %d parks until then, want %d, and the next holder came after %v", held, s.Parks, parks, entered-left)
		}
	}
}

// A thread that is released while it parks does not block.
func TestReleasedWhileParking(t *testing.T) {
	r := run(t, simulate.Plain("cluster 8 count", "ready 0 ns"), func() {
		p := prim.NewParker()
		crew(2, func(i int) {
			if i == 0 {
				p.Park()
				return
			}
			simulate.Work(45 * ns)
			p.Unpark()
		})
	})
	if s := r.Sections[0]; s.Wakes != 2 || s.Parks != 1 {
		t.Errorf("%d parks of the program and a thread that was released before, %d wakes of both", s.Parks, s.Wakes)
	}
}

// While a line stays with one that has obtained it, no other thread's write takes
// effect, although it was requested.
func TestEffectWhenTheLineHasCome(t *testing.T) {
	var seen uint64
	run(t, simulate.Plain("cluster 8 count", "hold 100 ns"), func() {
		var word prim.Uint64
		word.Store(0) // the line is elsewhere
		crew(2, func(i int) {
			if i == 0 {
				word.Add(1)
				simulate.Work(20 * ns)
				seen = word.Add(1)
				return
			}
			simulate.Work(40 * ns)
			word.Store(100)
		})
	})
	if seen != 2 {
		t.Errorf("two adds while the line stays make %d, want 2", seen)
	}
}

// Sections that are marked more than once add up, and the ramp of a section begins
// with it.
func TestSections(t *testing.T) {
	r := run(t, simulate.Plain("cluster 8 count", "socket 8 count"), func() {
		for range 3 {
			simulate.Mark("a")
			simulate.Work(2 * us)
			simulate.Mark("b")
			crew(4, func(int) { simulate.Work(5 * us) })
		}
	})
	a, b := r.Sections[0], r.Sections[1]
	if len(r.Sections) != 2 || a.Name != "a" || a.Elapsed != 6*us || a.Work != 6*us {
		t.Errorf("sections %+v, want a of 6 us and b", r.Sections)
	}
	if b.Work < 60*us || len(b.FirstWork) != 4 || b.FirstWork[0] <= 0 || b.FirstWork[3] >= b.Elapsed/3 {
		t.Errorf("section %+v, want 60 us of work, and the first of 4 of them", b)
	}
}
