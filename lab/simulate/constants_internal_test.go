//go:build !explore

package simulate

import (
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rouse-go/rouse/api/prim"
)

// padded has cache lines of its own.
type padded struct {
	_ [128]byte
	atomic.Uint64
	_ [128]byte
}

//go:noinline
func loadOf(w *padded) uint64 { return w.Load() }

// BenchmarkConstants measures the constants of a [Machine], as far as Go and two
// processors can, on the machine at hand:
//
//	go -C lab test -run - -bench Constants -count 20 ./simulate
//
// Nothing else should run meanwhile. benchstat says how far they spread.
func BenchmarkConstants(b *testing.B) {
	var w padded
	sum := uint64(0)
	b.Run("load", func(b *testing.B) {
		for range b.N {
			sum += w.Load()
		}
	})
	b.Run("call", func(b *testing.B) {
		for range b.N {
			sum += loadOf(&w)
		}
	})
	b.Run("add", func(b *testing.B) {
		for range b.N {
			w.Add(1)
		}
	})
	b.Run("spin", func(b *testing.B) { prim.Spin(b.N) })
	b.Run("callers", each(func() { prim.Callers(0, make([]uintptr, 128)) }))
	b.Run("syscall", each(func() { os.Getppid() }))
	b.Run("transfer", beside(transfers))
	b.Run("contended", beside(contends))
	b.Run("yield", onOne(each(runtime.Gosched)))
	b.Run("yield-on-all", func(b *testing.B) {
		b.RunParallel(func(pb *testing.PB) {
			for pb.Next() {
				runtime.Gosched()
			}
		})
	})
	b.Run("spawn", onOne(func(b *testing.B) {
		var done sync.WaitGroup
		done.Add(b.N)
		for range b.N {
			go done.Done()
		}
		b.StopTimer()
		done.Wait()
	}))
	b.Run("ready", onOne(wakes(runtime.Gosched)))
	b.Run("switch", onOne(switches))
	b.Run("wake", wakes(func() {
		time.Sleep(time.Millisecond) // its processor falls asleep
		work(200 * Microsecond)
	}))
}

func each(f func()) func(*testing.B) {
	return func(b *testing.B) {
		for b.Loop() {
			f()
		}
	}
}

// onOne has a benchmark run on one processor.
func onOne(f func(*testing.B)) func(*testing.B) {
	return func(b *testing.B) {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
		f(b)
	}
}

// beside runs f twice, on two threads, from the same moment.
func beside(f func(b *testing.B, w *padded, thread uint64)) func(*testing.B) {
	return func(b *testing.B) {
		var w padded
		var there atomic.Int32
		var done sync.WaitGroup
		for thread := range uint64(2) {
			done.Go(func() {
				runtime.LockOSThread()
				there.Add(1)
				for there.Load() < 2 {
				}
				f(b, &w, thread)
			})
		}
		done.Wait()
	}
}

// transfers sends a line to and fro. An operation is half of a round for one of the two: a
// store and a load that miss on either side are a round.
func transfers(b *testing.B, w *padded, thread uint64) {
	for i := range uint64(b.N+3) / 4 {
		for w.Load() != 2*i+thread {
		}
		w.Store(2*i + thread + 1)
	}
}

// contends is an add by two processors that do nothing else.
func contends(b *testing.B, w *padded, _ uint64) {
	for range b.N / 2 {
		w.Add(1)
	}
}

// switches is from one goroutine to the next: parking one and dispatching the other,
// with the readying in between.
func switches(b *testing.B) {
	there, back := make(chan struct{}), make(chan struct{})
	go func() {
		for range there {
			back <- struct{}{}
		}
	}()
	for b.Loop() {
		there <- struct{}{}
		<-back
	}
	close(there)
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(2*b.N), "ns/switch")
}

// wakes makes a goroutine ready that waits, after rest, and goes on working.
func wakes(rest func()) func(*testing.B) {
	return func(b *testing.B) {
		waiting := prim.NewParker()
		for b.Loop() {
			b.StopTimer()
			var done sync.WaitGroup
			done.Go(waiting.Park)
			rest()
			b.StartTimer()
			waiting.Unpark()
			b.StopTimer()
			done.Wait()
			b.StartTimer()
		}
	}
}
