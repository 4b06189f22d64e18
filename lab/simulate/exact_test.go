//go:build explore

package simulate_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/rouse-go/rouse/api/prim"
	"github.com/rouse-go/rouse/lab/simulate"
)

const (
	ns = simulate.Nanosecond
	us = simulate.Microsecond
)

// run runs a program and checks what holds for all: that time is conserved.
func run(t testing.TB, m *simulate.Machine, program func()) *simulate.Report {
	t.Helper()
	r, err := simulate.Run(m, program)
	if err != nil {
		t.Fatal(err)
	}
	elapsed := simulate.Time(0)
	for _, s := range r.Sections {
		sum := s.Work + s.Local + s.Miss + s.Pause + s.Wake + s.Idle
		if want := simulate.Time(s.Processors) * s.Elapsed; sum != want {
			t.Errorf("section %q on %s: %d processors did %d ps of something in %d ps, want %d", s.Name, m.Name, s.Processors, sum, s.Elapsed, want)
		}
		for _, d := range []simulate.Time{s.Work, s.Local, s.Miss, s.Pause, s.Wake, s.Idle} {
			if d < 0 {
				t.Errorf("section %q on %s spends less than nothing: %+v", s.Name, m.Name, s)
			}
		}
		elapsed += s.Elapsed
	}
	if elapsed != r.Elapsed {
		t.Errorf("the sections took %v, the run %v", elapsed, r.Elapsed)
	}
	return r
}

// crew starts n threads, which call f at the same time, and returns when each of
// them has returned, counted from then.
func crew(n int, f func(i int)) []simulate.Time {
	at := simulate.Now() + 100*us // by then all have been started
	ends := make([]simulate.Time, n)
	var g prim.WaitGroup
	for i := range n {
		g.Go(func() {
			simulate.Work(at - simulate.Now())
			f(i)
			ends[i] = simulate.Now() - at
		})
	}
	for simulate.Now() < at-40*us { // the processor of this thread is none of theirs if others are idle
		prim.Spin(1000)
	}
	g.Wait()
	return ends
}

// A line that goes to and fro between two processors takes, for each way: its
// transfer to the writer, the write, the time that it stays, its transfer to the
// reader, the read, and the instructions around that.
func TestPingPong(t *testing.T) {
	for _, c := range []struct {
		cluster, socket, hold string
		way                   simulate.Time
	}{
		{"cluster 2 count", "socket 2 count", "hold 0 ns", 31*ns + 5*ns + 31*ns + 300 + 700},
		{"cluster 2 count", "socket 2 count", "hold 17 ns", 31*ns + 5*ns + 17*ns + 31*ns + 300 + 700},
		{"cluster 1 count", "socket 2 count", "hold 0 ns", 101*ns + 5*ns + 101*ns + 300 + 700},
		{"cluster 1 count", "socket 1 count", "hold 9 ns", 211*ns + 5*ns + 9*ns + 211*ns + 300 + 700},
	} {
		m := simulate.Plain("processors 2 count", c.cluster, c.socket, c.hold)
		const rounds = 50
		var at [rounds]simulate.Time
		run(t, m, func() {
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
				at[i] = simulate.Now()
			}
		})
		for i := 2; i < rounds; i++ {
			if got := at[i] - at[i-1]; got != 2*c.way {
				t.Fatalf("%+v: round %d took %d ps, want %d", c, i, got, 2*c.way)
			}
		}
	}
}

// When k processors add to one word, they have its line one after the other, each for as many
// adds as it can make while the line stays. So the time at which the last one is done can be
// calculated.
func TestContention(t *testing.T) {
	const near, atomic, op = 31 * ns, 5 * ns, 700
	for _, hold := range []simulate.Time{0, 17 * ns, 40 * ns} {
		for _, k := range []int{2, 3, 8, 64, 256} {
			m := simulate.Plain("processors 256 count", "cluster 256 count", "socket 256 count",
				fmt.Sprintf("hold %d ns", hold/ns), "thread-latency 0 ns", "start-thread 0 ns", "spawn 0 ns", "scheduler-lock 0 ns")
			adds := simulate.Time(1)
			if hold > 0 {
				adds = 1 + (atomic+hold)/(atomic+op)
			}
			turns := simulate.Time(k) * 5
			var ends []simulate.Time
			run(t, m, func() {
				var word prim.Uint64
				word.Store(1) // the line is elsewhere when they begin
				ends = crew(k, func(int) {
					for range 5 * adds {
						word.Add(1)
					}
				})
			})
			want := (turns-1)*(near+atomic+hold) + near + adds*(atomic+op)
			if got := slices.Max(ends); got != want {
				t.Errorf("%d processors, hold %v: all adds take %d ps, want %d", k, hold, got, want)
			}
		}
	}
}

// Processors that share a line read it from a cache, at the same time but for the
// share of each.
func TestReaders(t *testing.T) {
	const k = 7
	var ends []simulate.Time
	run(t, simulate.Plain("cluster 8 count"), func() {
		var word prim.Uint64
		word.Store(1)
		ends = crew(k, func(int) { word.Load(); word.Load() })
	})
	slices.Sort(ends)
	for i, got := range ends {
		if want := simulate.Time(i)*13*ns + 31*ns + 2*(300+700); got != want {
			t.Errorf("reader %d is done after %d ps, want %d", i, got, want)
		}
	}
}

// Yields of many processors go through the lock of Go's scheduler, one at a time.
func TestYieldContention(t *testing.T) {
	const k, n = 7, 20
	var ends []simulate.Time
	run(t, simulate.Plain("cluster 8 count"), func() {
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

// Threads for goroutines are woken one by one, threads in a futex at once. A thread
// that is up wakes the next one before it runs its goroutine.
func TestWakesAreSerial(t *testing.T) {
	const k = 6
	starts := make([]simulate.Time, k)
	var made simulate.Time
	run(t, simulate.Plain("processors 8 count", "cluster 8 count"), func() {
		for i := range k {
			prim.Go(func() {
				starts[i] = simulate.Now()
				simulate.Work(simulate.Millisecond)
			})
		}
		made = simulate.Now()
		simulate.Work(simulate.Millisecond)
	})
	if want := k*301*ns + 43*ns + 1900*ns; made != want {
		t.Errorf("%d goroutines are made in %d ps, want %d: the caller wakes one thread", k, made, want)
	}
	slices.Sort(starts)
	// The first thread is woken by the caller, which has the lock, each other one
	// by the thread before, for which the lock comes from the one before that.
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

	var word prim.Uint32
	var woken, ended [k]simulate.Time
	run(t, simulate.Plain("processors 8 count"), func() {
		var g prim.WaitGroup
		for i := range k {
			g.Go(func() {
				prim.FutexWait(&word, 0)
				ended[i] = simulate.Now()
			})
		}
		simulate.Work(simulate.Millisecond)
		for i := range k {
			prim.FutexWake(&word)
			woken[i] = simulate.Now()
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

// A goroutine that was made ready runs on the first processor that looks for one: that of its
// waker if this one parks or yields, any that becomes free, and otherwise that of the thread
// which was woken for it.
func TestMadeReady(t *testing.T) {
	for _, c := range []struct {
		waker   string
		then    func()
		another simulate.Time // when another thread ends, after the wake
		want    simulate.Time // after the wake
	}{
		{"goes on", func() { simulate.Work(20 * us) }, 20 * us, 4700 * ns},
		{"parks", func() { prim.NewParker().Park() }, 20 * us, 5*ns + 700 + 161*ns + 171*ns},
		{"yields", func() { prim.Yield() }, 20 * us, 71*ns + 43*ns + 171*ns},
		{"yields too late", func() { simulate.Work(5 * us); prim.Yield() }, 20 * us, 4700 * ns},
		{"goes on, and another thread ends", func() { simulate.Work(20 * us) }, 2 * us, 2*us + 171*ns},
		{"parks, and another thread ends later", func() { prim.NewParker().Park() }, 2 * us, 5*ns + 700 + 161*ns + 171*ns},
	} {
		var woken, started simulate.Time
		run(t, simulate.Plain("processors 4 count"), func() {
			prim.Go(func() { simulate.Work(50*us + c.another - simulate.Now()) })
			prim.Go(func() {
				simulate.Work(50*us - 301*ns - 43*ns - 31*ns - 1900*ns - simulate.Now())
				prim.Go(func() { started = simulate.Now() })
				woken = simulate.Now()
				c.then()
			})
			simulate.Work(100 * us)
		})
		if got := started - woken; woken != 50*us || got != c.want {
			t.Errorf("the waker is done at %v and %s: the goroutine starts %d ps later, want %d", woken, c.waker, got, c.want)
		}
	}
}

// The end of a sleep is noticed by a processor that changes its thread, or else
// after a while, when it interrupts none but may get the next turn.
func TestSleepOnABusyProcessor(t *testing.T) {
	const slept = simulate.Millisecond
	const ending = 95*ns + 151*ns // and makes the thread ready
	for late, want := range map[simulate.Time]simulate.Time{
		10 * us: 10*us + 71*ns + 43*ns + ending + 171*ns,
		50 * us: 50*us + 71*ns + 43*ns + 171*ns,
	} {
		var began, ended simulate.Time
		run(t, simulate.Plain("processors 1 count", "cluster 1 count", "socket 1 count"), func() {
			prim.Go(func() {
				began = simulate.Now()
				simulate.Sleep(slept)
				ended = simulate.Now()
			})
			prim.Yield()
			simulate.Work(began + slept + late - simulate.Now())
			prim.Yield()
		})
		if got := ended - began - slept; got != want {
			t.Errorf("a processor yields %v after the end of a sleep: the thread goes on %d ps after that, want %d", late, got, want)
		}
	}
}

// All sleeps that are over are noticed at once, by the thread that has waited for
// the first, and the threads go on one after the other.
func TestSleepsEndTogether(t *testing.T) {
	const k = 5
	var until simulate.Time
	var ended []simulate.Time
	run(t, simulate.Plain("processors 1 count", "cluster 1 count", "socket 1 count"), func() {
		until = 100 * us
		var g prim.WaitGroup
		for range k {
			g.Go(func() {
				simulate.Sleep(until - simulate.Now())
				ended = append(ended, simulate.Now())
			})
		}
		g.Wait()
	})
	want := until + 37*us + 4700*ns + k*(151*ns+95*ns)
	for i, got := range ended {
		if got != want {
			t.Errorf("thread %d goes on %d ps after the end of its sleep, want %d", i, got-until, want-until)
		}
		want += 5*ns + 700 + 171*ns // it ends: the counter goes down
	}
	if len(ended) != k {
		t.Errorf("%d of %d threads went on", len(ended), k)
	}
}

// Two threads that hand a processor to and fro do not keep it from one that has
// yielded: it waits in the global queue, which is looked into first now and then.
func TestNobodyStarves(t *testing.T) {
	rounds, still := 0, true
	run(t, simulate.Plain("processors 1 count", "cluster 1 count", "socket 1 count"), func() {
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
		})
		prim.Yield()
		still = false
	})
	if rounds < 10 || rounds > 61 {
		t.Errorf("a thread that has yielded goes on after %d rounds of two others, want a turn in each 61 dispatches", rounds)
	}
}

// What is declared shares lines by its layout, and nothing else does.
func TestLayout(t *testing.T) {
	type record struct {
		a, b prim.Uint32 // one line
		_    [56]byte
		c    prim.Uint32 // another one
	}
	contend := func(x, y *prim.Uint32) simulate.Time {
		words := []*prim.Uint32{x, y}
		return slices.Max(crew(2, func(i int) {
			for range 10 {
				words[i].Add(1)
			}
		}))
	}
	var shared, apart, alone simulate.Time
	run(t, simulate.Plain(), func() {
		r := new(record)
		prim.Declare(r)
		shared = contend(&r.a, &r.b)
		apart = contend(&r.a, &r.c)
	})
	run(t, simulate.Plain(), func() {
		r := new(record)
		alone = contend(&r.a, &r.b)
	})
	if want := 10 * (5*ns + 700); apart > want+62*ns || alone > want+62*ns {
		t.Errorf("two words of two lines take %v, of no layout %v, want about %v", apart, alone, want)
	}
	if shared < 19*31*ns {
		t.Errorf("two words of one line take %v, want a transfer for each add", shared)
	}
}

// A plain access to a line that another one writes is a miss; to one that is here
// it takes the instructions only. A look at the stack takes its time, whatever is on it.
func TestTouch(t *testing.T) {
	var took [4]simulate.Time
	run(t, simulate.Plain("cluster 8 count"), func() {
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
				before := simulate.Now()
				f()
				took[i] = simulate.Now() - before
			}
		})
	})
	if want := [4]simulate.Time{31*ns + 300 + 700, 700, 2*31*ns + 700, 1700 * ns}; took != want {
		t.Errorf("the accesses took %v, want %v", took, want)
	}
}

// The simulator reproduces the two measurements from which near and hold of this machine were
// solved. They stand in the machine's comment.
func TestThisMachine(t *testing.T) {
	m, err := simulate.Load("this-2")
	if err != nil {
		t.Fatal(err)
	}
	const n = 2000
	var bounced, contended simulate.Time
	run(t, m, func() {
		var word prim.Uint64
		bounced = slices.Max(crew(2, func(i int) {
			for round := range uint64(n) {
				if i == 0 {
					word.Store(2*round + 1)
				}
				for word.Load() != 2*round+1+uint64(1-i) {
				}
				if i == 1 {
					word.Store(2*round + 2)
				}
			}
		})) / (4 * n)
	})
	run(t, m, func() {
		var word prim.Uint64
		contended = slices.Max(crew(2, func(int) {
			for range n {
				word.Add(1)
			}
		})) / (2 * n)
	})
	for _, c := range []struct {
		what      string
		got, want simulate.Time
	}{{"a line that goes to and fro, half a way", bounced, 15000}, {"an add of two processors to one word", contended, 5400}} {
		if off := float64(c.got)/float64(c.want) - 1; off < -0.1 || off > 0.1 {
			t.Errorf("%s takes %v, measured %v", c.what, c.got, c.want)
		}
	}
}
