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

// countFrame is what a latch lives in: memory that its owner uses again as soon as
// it has seen the latch set, with plain writes.
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
