package pool_test

import (
	"runtime"
	"sync"
	"testing"

	"github.com/rouse-go/rouse/pool"
)

// A worker at rest holds at most 3.5 KiB besides its goroutine, also after a deep
// recursion. The pool is so large that one worker's share of what else the program
// holds is small. No job waits for another one here: for those that do, a seat keeps
// up to three workers more.
func TestMemoryAtRest(t *testing.T) {
	if testing.Short() {
		t.Skip("a thousand workers take a second")
	}
	const workers = 1001
	heap := func() uint64 {
		collect()
		return memory().HeapAlloc
	}
	describe(3 * workers)
	before := heap()
	p := newPool(t, pool.WithWorkers(workers))
	// All of them meet, so each has a job, and so deep a stack of frames. They meet
	// again when that is over: until then nobody is idle, and steals.
	met, free, again := make(chan bool), make(chan bool), make(chan bool)
	var jobs []*pool.Handle[int]
	for range workers {
		h := submitted(t, p, func(w *pool.Worker) int {
			met <- true
			<-free
			r := fib(w, 18)
			met <- true
			<-again
			return r
		})
		jobs = append(jobs, h)
	}
	during(t, "P5", "as many jobs as there are workers meet", func() {
		for range workers {
			<-met
		}
	})
	close(free)
	during(t, "P1", "jobs with deep recursions return", func() {
		for range workers {
			<-met
		}
		close(again)
		for _, h := range jobs {
			if _, err := h.Wait(background); err != nil {
				t.Errorf("P1: Wait returned the error %v", err)
			}
		}
	})
	jobs = nil
	during(t, "S7", "the workers sleep after the last job", func() {
		until(t, "all workers sleep", func() bool { return p.Sleeping() == workers })
	})
	if got := (heap() - before) / workers; got > 3584 {
		t.Errorf("Cost: a worker at rest holds %d bytes, want at most 3584", got)
	} else {
		t.Logf("a worker at rest holds %d bytes", got)
	}
}

// describe lets so many goroutines begin and end. Go keeps the descriptor of a
// goroutine, half a KiB, when that has ended. How many there are at most is chance,
// so a measurement begins with enough of them.
func describe(goroutines int) {
	var idle sync.WaitGroup
	release := make(chan bool)
	for range goroutines {
		idle.Go(func() { <-release })
	}
	close(release)
	idle.Wait()
}

func memory() (m runtime.MemStats) {
	runtime.ReadMemStats(&m)
	return m
}

// collect frees what nothing refers to, and what finalizers and pools held on to.
func collect() {
	runtime.GC()
	runtime.GC()
}
