//go:build explore

package simulate

import (
	"slices"
	"testing"

	"github.com/rouse-go/rouse/api/prim"
)

// Closed forms: what the model says of small programs can be calculated, and the
// simulator agrees to the picosecond. If one of these fails, no prediction is worth
// anything.

const (
	ns = Nanosecond
	us = Microsecond
)

// plain is a machine whose costs are all different, so that one that is charged for
// another shows.
func plain(processors, cluster int) Machine {
	return Machine{Processors: processors, cluster: cluster, costs: costs{
		load: 300, atomicOp: 5 * ns, instructions: 700, spin: 1100, callers: 1700 * ns,
		near: 31 * ns, far: 101 * ns, share: 13 * ns, hold: 0,
		yield: 71 * ns, schedulerLock: 43 * ns, spawn: 301 * ns, ready: 151 * ns, switching: 161 * ns,
		startThread: 1900 * ns, threadLatency: 4700 * ns, mutexSpin: 1300 * ns,
		syscall: 181 * ns, futexWait: 1200 * ns, futexWake: 2300 * ns, futexLatency: 5900 * ns,
	}}
}

// with returns the machine with another value of a constant.
func (m Machine) with(c cost, value Time) Machine {
	m.costs[c] = value
	return m
}

// runOn runs a program, and checks what holds for all: time is conserved.
func runOn(t testing.TB, m Machine, program func()) *Report {
	t.Helper()
	r, err := Run(m, program)
	if err != nil {
		t.Fatal(err)
	}
	if sum, want := r.Work+r.Local+r.Miss+r.Idle, Time(m.Processors)*r.Elapsed; sum != want {
		t.Errorf("%d processors did %d ps of something in %d ps, want %d: %+v", m.Processors, sum, r.Elapsed, want, r)
	}
	if min(r.Work, r.Local, r.Miss, r.Idle) < 0 {
		t.Errorf("less than nothing: %+v", r)
	}
	return r
}

// now is the clock of the thread that calls.
func now() Time { return running.Load().current.clock }

// crew starts n threads, which call f at the same time, and returns when each of them
// has returned, counted from then. Thread i is on processor i+1 if there are as many.
func crew(n int, f func(i int)) []Time {
	at := now() + 600*us // by then all have been started
	ends := make([]Time, n)
	var g prim.WaitGroup
	for i := range n {
		g.Go(func() {
			Work(at - now())
			f(i)
			ends[i] = now() - at
		})
	}
	for now() < at-40*us { // the processor of this thread is none of theirs if others are idle
		prim.Spin(1000)
	}
	g.Wait()
	return ends
}

// A line that goes to and fro between two processors takes, for each way: its transfer
// to the writer, the write, the time that it stays, its transfer to the reader, the
// read, and the instructions around that.
func TestPingPong(t *testing.T) {
	for _, c := range []struct {
		cluster    int
		hold, away Time
	}{{2, 0, 31 * ns}, {2, 17 * ns, 31 * ns}, {1, 9 * ns, 101 * ns}} {
		const rounds = 50
		var at [rounds]Time
		runOn(t, plain(2, c.cluster).with(hold, c.hold), func() {
			var ball prim.Uint64
			prim.Go(func() {
				for i := range uint64(rounds) {
					for ball.Load() != 2*i+1 {
					}
					ball.Store(2*i + 2)
				}
			})
			for i := range uint64(rounds) {
				ball.Store(2*i + 1)
				for ball.Load() != 2*i+2 {
				}
				at[i] = now()
			}
		})
		want := 2 * (c.away + 5*ns + c.hold + c.away + 300 + 700)
		for i := 2; i < rounds; i++ {
			if got := at[i] - at[i-1]; got != want {
				t.Fatalf("%+v: round %d took %d ps, want %d", c, i, got, want)
			}
		}
	}
}

// When k processors add to one word, they have its line one after the other, each for as
// many adds as it can make while the line stays. So the time at which the last one is
// done can be calculated.
func TestContention(t *testing.T) {
	const away, add, op = 31 * ns, 5 * ns, 700
	for _, stay := range []Time{0, 17 * ns, 40 * ns} {
		for _, k := range []int{2, 3, 8, 63} {
			adds := Time(1)
			if stay > 0 {
				adds = 1 + (add+stay)/(add+op)
			}
			turns := Time(k) * 5
			var ends []Time
			runOn(t, plain(64, 64).with(hold, stay), func() {
				var word prim.Uint64
				word.Store(1) // the line is elsewhere when they begin
				ends = crew(k, func(int) {
					for range 5 * adds {
						word.Add(1)
					}
				})
			})
			want := (turns-1)*(away+add+stay) + away + adds*(add+op)
			if got := slices.Max(ends); got != want {
				t.Errorf("%d processors, hold %d: all adds take %d ps, want %d", k, stay, got, want)
			}
		}
	}
}

// Processors that share a line read it from a cache, at the same time except for the
// share of each. A reader gets it from the nearest one that has it, a writer from the
// farthest.
func TestReaders(t *testing.T) {
	const k = 7
	var ends []Time
	runOn(t, plain(8, 8), func() {
		var word prim.Uint64
		word.Store(1)
		ends = crew(k, func(int) { word.Load(); word.Load() })
	})
	slices.Sort(ends)
	for i, got := range ends {
		if want := Time(i)*13*ns + 31*ns + 2*(300+700); got != want {
			t.Errorf("reader %d is done after %d ps, want %d", i, got, want)
		}
	}

	runOn(t, plain(8, 4), func() {
		var word prim.Uint64
		word.Store(1)
		ends = crew(6, func(i int) {
			switch i {
			case 4: // in the other cluster
				word.Load()
			case 5:
				Work(us)
				word.Load()
			case 0:
				Work(2 * us)
				word.Store(2)
			}
		})
	})
	for i, want := range map[int]Time{4: 101*ns + 1000, 5: us + 31*ns + 1000, 0: 2*us + 101*ns + 5700} {
		if ends[i] != want {
			t.Errorf("thread %d is done after %d ps, want %d", i, ends[i], want)
		}
	}
}

// While a line stays with the thread that has obtained it, no other thread's write takes
// effect, although it was requested.
func TestEffectWhenTheLineHasCome(t *testing.T) {
	var seen uint64
	runOn(t, plain(8, 8).with(hold, 100*ns), func() {
		var word prim.Uint64
		word.Store(0) // the line is elsewhere
		crew(2, func(i int) {
			if i == 0 {
				word.Add(1)
				Work(20 * ns)
				seen = word.Add(1)
				return
			}
			Work(40 * ns)
			word.Store(100)
		})
	})
	if seen != 2 {
		t.Errorf("two adds while the line stays make %d, want 2", seen)
	}
}

// What is declared shares lines by its layout, and nothing else does.
func TestLayout(t *testing.T) {
	type record struct {
		a, b prim.Uint32 // one line
		_    [56]byte
		c    prim.Uint32 // another one
	}
	var shared, apart, alone Time
	runOn(t, plain(8, 4), func() {
		contend := func(words ...*prim.Uint32) Time {
			return slices.Max(crew(2, func(i int) {
				for range 10 {
					words[i].Add(1)
				}
			}))
		}
		r, undeclared := new(record), new(record)
		prim.Declare(r)
		shared, apart, alone = contend(&r.a, &r.b), contend(&r.a, &r.c), contend(&undeclared.a, &undeclared.b)
	})
	if want := 10 * (5*ns + 700); apart > want+62*ns || alone > want+62*ns {
		t.Errorf("two words of two lines take %d ps, of no layout %d, want about %d", apart, alone, want)
	}
	if shared < 19*31*ns {
		t.Errorf("two words of one line take %d ps, want a transfer for each add", shared)
	}
}

// A plain access to a line that another one writes is a miss; to one that is here it
// takes the instructions only. A look at the stack takes its time, whatever is on it.
func TestTouch(t *testing.T) {
	var took [4]Time
	runOn(t, plain(8, 8), func() {
		type pair struct {
			plain int
			_     [56]byte
			big   [128]byte
		}
		p := new(pair)
		prim.Declare(p)
		prim.Touch(&p.plain, true)
		prim.Touch(&p.big, true)
		crew(1, func(int) {
			for i, f := range []func(){
				func() { prim.Touch(&p.plain, false) },
				func() { prim.Touch(&p.plain, false) },
				func() { prim.Touch(&p.big, true) },
				func() { prim.Callers(0, make([]uintptr, 9)) },
			} {
				before := now()
				f()
				took[i] = now() - before
			}
		})
	})
	if want := [4]Time{31*ns + 300 + 700, 700, 2*31*ns + 700, 1700 * ns}; took != want {
		t.Errorf("the accesses took %d ps, want %d", took, want)
	}
}

// Yields of many processors go through the lock of Go's scheduler, one at a time.
func TestYieldContention(t *testing.T) {
	const k, n = 7, 20
	var ends []Time
	runOn(t, plain(8, 8), func() {
		ends = crew(k, func(int) {
			for range n {
				prim.Yield()
			}
		})
	})
	// The lock is elsewhere when they begin, and always goes to another one.
	if got, want := slices.Max(ends), 71*ns+k*n*(31+43)*ns; got != want {
		t.Errorf("all yields take %d ps, want %d", got, want)
	}
}

// Threads for goroutines are woken one by one. A thread that is up wakes the next one
// before it runs its goroutine.
func TestWakesOfGoroutines(t *testing.T) {
	const k = 6
	starts := make([]Time, k)
	var made Time
	runOn(t, plain(8, 8), func() {
		for i := range k {
			prim.Go(func() {
				starts[i] = now()
				Work(1000 * us)
			})
		}
		made = now()
		Work(1000 * us)
	})
	if want := k*301*ns + 43*ns + 1900*ns; made != want {
		t.Errorf("%d goroutines are made in %d ps, want %d: the caller wakes one thread", k, made, want)
	}
	slices.Sort(starts)
	// The first thread is woken by the caller, which has the lock, each other one by the
	// thread before, for which the lock comes from the one before that.
	up := 301*ns + 43*ns + 1900*ns + 4700*ns
	for i, got := range starts {
		wakes := 31*ns + 43*ns + 1900*ns
		want := up + wakes
		if i == k-1 {
			want = up // none waits any more
		}
		if got != want {
			t.Errorf("goroutine %d starts at %d ps, want %d", i, got, want)
		}
		up += wakes + 4700*ns
	}
}

// Threads in a futex wake independently of each other.
func TestWakesByFutex(t *testing.T) {
	const k = 6
	var word prim.Uint32
	var woken, ended [k]Time
	runOn(t, plain(8, 4), func() {
		var g prim.WaitGroup
		for i := range k {
			g.Go(func() {
				prim.FutexWait(&word, 0)
				ended[i] = now()
			})
		}
		Work(1000 * us)
		for i := range k {
			prim.FutexWake(&word)
			woken[i] = now()
		}
		g.Wait()
	})
	slices.Sort(ended[:]) // they have begun to wait in another order
	for i := range k {
		if got := ended[i] - woken[i]; got != 5900*ns {
			t.Errorf("thread %d runs %d ps after its wake, want %d", i, got, 5900*ns)
		}
		if i > 0 && woken[i]-woken[i-1] != 2300*ns {
			t.Errorf("wake %d takes %d ps, want %d", i, woken[i]-woken[i-1], 2300*ns)
		}
	}
}

// A goroutine that was made ready runs on the first processor that looks for one: that of
// its waker if this one parks or yields, any that becomes free, and otherwise that of the
// thread which was woken for it.
func TestMadeReady(t *testing.T) {
	const parked = 5*ns + 700 + 161*ns + 161*ns
	for _, c := range []struct {
		waker   string
		then    func(*prim.Parker)
		another Time // when another thread ends, after the wake
		want    Time // after the wake
	}{
		{"goes on", func(*prim.Parker) { Work(20 * us) }, 20 * us, 4700 * ns},
		{"parks", (*prim.Parker).Park, 20 * us, parked},
		{"yields", func(*prim.Parker) { prim.Yield() }, 20 * us, 71*ns + 43*ns + 161*ns},
		{"yields too late", func(*prim.Parker) { Work(5 * us); prim.Yield() }, 20 * us, 4700 * ns},
		{"goes on, and another thread ends", func(*prim.Parker) { Work(20 * us) }, 2 * us, 2*us + 161*ns},
		{"parks, and another thread ends later", (*prim.Parker).Park, 2 * us, parked},
	} {
		var woken, started Time
		runOn(t, plain(4, 4), func() {
			p := prim.NewParker()
			prim.Go(func() {
				Work(49*us + c.another - now())
				prim.Yield() // takes nothing from others' queues
				Work(50*us + c.another - now())
			})
			prim.Go(func() {
				Work(50*us - 301*ns - 43*ns - 31*ns - 1900*ns - now())
				prim.Go(func() { started = now() })
				woken = now()
				c.then(p)
			})
			Work(100 * us)
			p.Unpark()
		})
		if got := started - woken; woken != 50*us || got != c.want {
			t.Errorf("the waker is done at %d ps and %s: the goroutine starts %d ps later, want %d", woken, c.waker, got, c.want)
		}
	}
}

// Two threads that hand a processor to and fro do not keep it from one that has yielded.
func TestNobodyStarves(t *testing.T) {
	rounds, still := 0, true
	runOn(t, plain(1, 1), func() {
		there, back := prim.NewParker(), prim.NewParker()
		prim.Go(func() {
			for still {
				there.Park()
				back.Unpark()
			}
		})
		prim.Go(func() {
			for still && rounds < 1000 {
				there.Unpark()
				back.Park()
				rounds++
			}
			still = false
			there.Unpark()
		})
		prim.Yield()
		still = false
	})
	if rounds > 61 {
		t.Errorf("a thread that has yielded goes on after %d rounds of two others", rounds)
	}
}

// A locker spins while that may help, and then parks.
func TestMutex(t *testing.T) {
	for held, want := range map[Time]Time{us: 400 * ns, 50 * us: 4700 * ns} {
		var entered, left Time
		runOn(t, plain(8, 8), func() {
			var mu prim.Mutex
			mu.Lock()
			var g prim.WaitGroup
			g.Go(func() {
				Work(10*us - now())
				mu.Lock()
				entered = now()
				mu.Unlock()
			})
			Work(10*us + held - now())
			mu.Unlock()
			left = now()
			Work(20 * us)
			g.Wait()
		})
		if got := entered - left; got > want+200*ns || got < want-400*ns {
			t.Errorf("a mutex was held for %d ps: the next holder came after %d, want about %d", held, got, want)
		}
	}
}

// A thread that is released while it parks, which takes it 167 ns, does not block forever.
func TestReleasedWhileParking(t *testing.T) {
	runOn(t, plain(8, 8).with(ready, 0), func() {
		p := prim.NewParker()
		crew(2, func(i int) {
			if i == 0 {
				p.Park()
				return
			}
			Work(45 * ns)
			p.Unpark()
		})
	})
}

// Measure restricts the report to one call: a thread that is ahead of its beginning or its
// end is split there. The ramp counts from the beginning.
func TestMeasure(t *testing.T) {
	r := runOn(t, plain(8, 8), func() {
		prim.Go(func() { Work(20 * us) })
		Work(10 * us)
		Measure(func() { crew(4, func(int) { Work(5 * us) }) })
		prim.Go(func() { Work(100 * us) })
	})
	if r.Elapsed < 600*us || r.Elapsed > 610*us || len(r.FirstWork) != 4 || r.FirstWork[0] <= 0 || r.FirstWork[3] > 50*us {
		t.Errorf("%+v, want the call alone and the first work of 4 threads", r)
	}
	r = runOn(t, plain(8, 8).with(threadLatency, 0).with(startThread, 0), func() {
		prim.Go(func() { Work(20 * us) })
		Work(10*us - now())
		Measure(func() { Work(5 * us) })
	})
	if r.Elapsed != 5*us || r.Work != 10*us {
		t.Errorf("elapsed %d ps, work %d; want 5 us with two threads at work", r.Elapsed, r.Work)
	}
}
