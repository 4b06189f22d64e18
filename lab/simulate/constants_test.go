package simulate_test

import (
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rouse-go/rouse/api/prim"
)

// BenchmarkConstants measures the constants of a machine file on the machine at
// hand, as far as Go and two processors can:
//
//	go test -run - -bench Constants -benchtime 1x ./simulate
//
// Each one is sampled many times. What is reported is the lower tenth, the median
// and the upper tenth, which are the low, base and high value of the file.
func BenchmarkConstants(b *testing.B) {
	for _, c := range []struct {
		name   string
		sample func(n int) time.Duration // of n operations
		n      int
		procs  int // 0 is all
	}{
		{"load", loads, 100_000, 0},
		{"atomic", adds, 20_000, 0},
		{"atomic store", stores, 20_000, 0},
		{"op", calls, 50_000, 0},
		{"spin", func(n int) time.Duration { return timed(func() { prim.Spin(n) }) }, 100_000, 0},
		{"callers", looks, 100, 0},
		{"near", bounces, 2_000, 0},
		{"contended", contends, 20_000, 0},
		{"yield", func(n int) time.Duration { return repeat(n, runtime.Gosched) }, 2_000, 0},
		{"scheduler-lock", contendedYields, 2_000, 0},
		{"spawn", spawns, 100, 1},
		{"ready", readies, 100, 1},
		{"park+dispatch", switches, 1_000, 1},
		{"spawn+dispatch+sleep+park+ready+dispatch", sleeps, 1_000, 1},
		{"ready+start-thread", func(int) time.Duration { cost, _ := wakeGoroutine(); return cost }, 1, 0},
		{"timer+thread-latency", oversleep, 1, 0},
		{"start-thread+thread-latency", func(int) time.Duration { _, latency := wakeGoroutine(); return latency }, 1, 0},
	} {
		b.Run(c.name, func(b *testing.B) {
			if c.procs > 0 {
				defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(c.procs))
			}
			reportSamples(b, c.sample, c.n)
		})
	}
}

func reportSamples(b *testing.B, sample func(n int) time.Duration, n int) {
	const samples = 200
	all := make([]float64, 0, samples)
	for range b.N {
		all = all[:0]
		for range samples {
			all = append(all, float64(sample(n).Nanoseconds())/float64(n))
		}
	}
	slices.Sort(all)
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(all[samples/10], "low-ns")
	b.ReportMetric(all[samples/2], "base-ns")
	b.ReportMetric(all[samples*9/10], "high-ns")
}

func timed(f func()) time.Duration {
	start := time.Now()
	f()
	return time.Since(start)
}

// repeat times n calls, of what takes much longer than a call.
func repeat(n int, f func()) time.Duration {
	return timed(func() {
		for range n {
			f()
		}
	})
}

// word has cache lines of its own.
type word struct {
	_ [128]byte
	n atomic.Uint64
	_ [128]byte
}

func loads(n int) time.Duration {
	var w word
	sum := uint64(0)
	took := timed(func() {
		for range n {
			sum += w.n.Load()
		}
	})
	w.n.Store(sum)
	return took
}

func adds(n int) time.Duration {
	var w word
	return timed(func() {
		for range n {
			w.n.Add(1)
		}
	})
}

func stores(n int) time.Duration {
	var w word
	return timed(func() {
		for i := range n {
			w.n.Store(uint64(i))
		}
	})
}

//go:noinline
func call(w *word) uint64 { return w.n.Load() }

// calls is what is around an operation that is not inlined, which is the most
// that belongs to it.
func calls(n int) time.Duration {
	var w word
	return timed(func() {
		for range n {
			call(&w)
		}
	})
}

// bounces sends a line to and fro: half of a round is a transfer for writing with
// one for reading.
func bounces(n int) time.Duration {
	var w word
	return beside(func() {
		for i := range uint64(n) {
			for w.n.Load() != 2*i+1 {
			}
			w.n.Store(2*i + 2)
		}
	}, func() {
		for i := range uint64(n) {
			w.n.Store(2*i + 1)
			for w.n.Load() != 2*i+2 {
			}
		}
	}) / 4 // of a round, a store and a load that miss on either side
}

// contends is the time of an add by two processors that do nothing else.
func contends(n int) time.Duration {
	var w word
	add := func() {
		for range n / 2 {
			w.n.Add(1)
		}
	}
	return beside(add, add)
}

// beside runs f on another thread and g on this one, both from the same moment,
// and returns how long that took.
func beside(f, g func()) time.Duration {
	var there atomic.Bool
	var done sync.WaitGroup
	done.Go(func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		there.Store(true)
		f()
	})
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	for !there.Load() {
	}
	return timed(func() { g(); done.Wait() })
}

// contendedYields is the time of a yield where all processors do nothing else: the
// lock is what limits them, or it is held less.
func contendedYields(n int) time.Duration {
	procs := runtime.GOMAXPROCS(0)
	var done sync.WaitGroup
	return timed(func() {
		for range procs {
			done.Go(func() { repeat(n/procs, runtime.Gosched) })
		}
		done.Wait()
	})
}

func spawns(n int) time.Duration {
	var done sync.WaitGroup
	done.Add(n)
	took := repeat(n, func() { go done.Done() })
	done.Wait()
	return took
}

// looks is the cost of a look at a stack of the depth of most callers of Run, with the
// slice for what is found.
func looks(n int) time.Duration {
	return timed(func() {
		deep(1, func() {
			for range n {
				pcs := make([]uintptr, 128)
				looked += prim.Callers(0, pcs)
			}
		})
	})
}

var looked int

// deep calls f some frames further down the stack.
//
//go:noinline
func deep(n int, f func()) {
	if n == 0 {
		f()
		return
	}
	deep(n-1, f)
	n++ // not a tail call
}

// sleeps is the cost of n sleeps, by that of twice as many less that of n: each in
// a goroutine of its own, all at once, so that the time they sleep drops out.
func sleeps(n int) time.Duration {
	all := func(n int) time.Duration {
		var done sync.WaitGroup
		done.Add(n)
		return timed(func() {
			for range n {
				go func() {
					time.Sleep(2 * time.Millisecond)
					done.Done()
				}()
			}
			done.Wait()
		})
	}
	return all(2*n) - all(n)
}

// readies is the cost of making a goroutine ready which does not run meanwhile.
func readies(n int) time.Duration {
	var mu sync.Mutex
	c := sync.NewCond(&mu)
	waiting := 0
	var done sync.WaitGroup
	for range n {
		done.Go(func() {
			mu.Lock()
			waiting++
			c.Wait()
			mu.Unlock()
		})
	}
	for all := false; !all; {
		runtime.Gosched()
		mu.Lock()
		all = waiting == n
		mu.Unlock()
	}
	took := repeat(n, c.Signal)
	done.Wait()
	return took
}

// switches is from one goroutine to the next: parking one and dispatching the
// other, with the readying in between.
func switches(n int) time.Duration {
	there, back := make(chan struct{}), make(chan struct{})
	go func() {
		for range n / 2 {
			<-there
			back <- struct{}{}
		}
	}()
	return timed(func() {
		for range n / 2 {
			there <- struct{}{}
			<-back
		}
	})
}

// oversleep is how much longer than asked a sleep lasts.
func oversleep(int) time.Duration {
	const asked = 2 * time.Millisecond
	return timed(func() { time.Sleep(asked) }) - asked
}

// wakeGoroutine wakes one while another processor sleeps, and goes on working.
func wakeGoroutine() (cost, latency time.Duration) {
	p := prim.NewParker()
	return wakes(func() func() { p.Park(); return func() {} }, p.Unpark)
}

// wakes wakes what waits in another goroutine, and goes on working. It returns how long the
// call takes, and how long it is until the other one goes on, which then calls what wait returns.
func wakes(wait func() (after func()), wake func()) (cost, latency time.Duration) {
	var woken atomic.Int64
	start := time.Now()
	var done sync.WaitGroup
	done.Go(func() {
		after := wait()
		woken.Store(int64(time.Since(start)))
		after()
	})
	time.Sleep(time.Millisecond) // it waits, and its processor falls asleep
	for begun := time.Now(); time.Since(begun) < 200*time.Microsecond; {
	}
	at := time.Since(start)
	wake()
	cost = time.Since(start) - at
	for woken.Load() == 0 {
	}
	done.Wait()
	return cost, time.Duration(woken.Load()) - at
}
