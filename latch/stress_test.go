package latch_test

import (
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rouse-go/rouse/latch"
)

// scale returns n, or a tenth of it under -short.
func scale(n int) int {
	if testing.Short() {
		return n / 10
	}
	return n
}

// inStep runs f(0) to f(n-1) at the same time. The wait for the others is a
// short spin, so that it does no harm on one processor.
func inStep(n int, f func(i int)) {
	var ready atomic.Int32
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			ready.Add(1)
			for spins := 0; int(ready.Load()) < n && spins < 1000; spins++ {
			}
			f(i)
		})
	}
	wg.Wait()
}

// patience is how many beats the tests wait for what does not come. In each they sleep for a
// millisecond: that they return shows that the process gets processors, which no clock shows.
const patience = 20_000

// until waits for a state that another goroutine brings about, and fails with a
// message if it does not.
func until(t *testing.T, message string, ok func() bool) {
	t.Helper()
	if ok() {
		return
	}
	for turns := 0; !ok(); turns++ {
		switch {
		case turns < 1000:
			runtime.Gosched()
		case turns < 1000+patience:
			time.Sleep(time.Millisecond)
		default:
			t.Fatal(message)
		}
	}
}

// within fails with a message if f does not end.
func within(t *testing.T, message string, f func()) {
	t.Helper()
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		f()
	}()
	for range patience {
		select {
		case <-ended:
			return
		case <-time.After(time.Millisecond):
		}
	}
	t.Fatal(message)
}

// frame is what a latch lives in: memory that its owner uses again as soon as
// it has seen the latch set, with plain writes.
type frame struct {
	result int
	done   latch.Core
}

// A waiter falls asleep at every moment while others set the latch (L2). If it
// slept, exactly one setter must have been told (L1): none is a waiter that
// sleeps forever.
func TestStressCore(t *testing.T) {
	for round := range scale(30_000) {
		var done latch.Core
		var told atomic.Int32
		var slept bool
		inStep(2+round%2, func(i int) {
			if i == 0 {
				slept = done.GetSleepy() && done.FallAsleep()
			} else if done.Set() {
				told.Add(1)
			}
		})
		if slept != (told.Load() == 1) || told.Load() > 1 {
			t.Fatalf("L1: round %d: slept=%v, and %d setters were told to wake", round, slept, told.Load())
		}
		if !done.Probe() {
			t.Fatalf("L2: round %d: the latch is not set after Set", round)
		}
	}
}

// L3: the owner reads the result and reuses the frame, by plain writes, as soon
// as Probe says so. A setter that still touches it then is a data race.
func TestStressReuseAfterSet(t *testing.T) {
	var f frame
	work := make(chan int)
	go func() {
		for i := range work {
			f.result = i
			f.done.Set()
		}
	}()
	for i := range scale(30_000) {
		work <- i
		until(t, "L2: the latch is not set after Set", f.done.Probe)
		if f.result != i {
			t.Fatalf("L3: result %d, want %d", f.result, i)
		}
		f = frame{result: -1}
	}
	close(work)
}

// countFrame is a frame with a latch that counts.
type countFrame struct {
	results [3]int
	done    latch.Count
}

// L3 for a count: whoever was not last must keep off the latch after its
// decrement, since the owner reuses the memory by plain writes, and whoever was
// last after its set.
func TestStressCountReuse(t *testing.T) {
	var f countFrame
	var work [len(f.results)]chan int
	for i := range work {
		work[i] = make(chan int)
		go func() {
			for n := range work[i] {
				if n%2 == 0 {
					// A job that has jobs of its own.
					f.done.Add(1)
					f.done.Set()
				}
				f.results[i] = n
				f.done.Set()
			}
		}()
		defer close(work[i])
	}
	for n := range scale(20_000) {
		f.done.Init(len(work))
		for _, w := range work {
			w <- n
		}
		until(t, "L2: the latch is not set after the last Set", f.done.Probe)
		for i, got := range f.results {
			if got != n {
				t.Fatalf("L3: round %d: job %d left %d", n, i, got)
			}
		}
		f = countFrame{}
	}
}

// A waiter that goes to sleep while a count comes down: exactly one Set is
// told, if it slept.
func TestStressCountWake(t *testing.T) {
	for round := range scale(20_000) {
		const jobs = 2
		var done latch.Count
		done.Init(jobs)
		var told atomic.Int32
		var slept bool
		inStep(1+jobs, func(i int) {
			if i == 0 {
				slept = done.GetSleepy() && done.FallAsleep()
			} else if done.Set() {
				told.Add(1)
			}
		})
		if slept != (told.Load() == 1) || told.Load() > 1 {
			t.Fatalf("L1: round %d: slept=%v, and %d setters were told to wake", round, slept, told.Load())
		}
	}
}
