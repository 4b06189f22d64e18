package pool

import (
	"runtime"
	"slices"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/rouse-go/rouse/api/prim"
	"github.com/rouse-go/rouse/api/testrule"
	"github.com/rouse-go/rouse/pool/internal/spell"
)

// spelling calls Run in a goroutine of its own, whose function does something else, and returns what
// numbers its stack spells then.
func spelling(run func(fn func(w *Worker))) (numbers []uint32) {
	done := make(chan bool)
	go func() {
		defer close(done)
		defer func() { _ = recover() }()
		run(func(*Worker) { numbers = slices.Collect(spell.Numbers) })
	}()
	<-done
	return numbers
}

// If this fails, each Run that panics takes a number with it: the register grows, and a profiler
// that is on by default keeps a stack for each.
func TestNumberOfPanicComesBack(t *testing.T) {
	p := open(t, WithWorkers(1))
	all := make(map[uint32]bool)
	for range 30 {
		for _, end := range []func(){func() { panic("recovered") }, runtime.Goexit} {
			for _, n := range spelling(func(fn func(*Worker)) { do(t, p, func(w *Worker) { fn(w); end() }) }) {
				all[n] = true
			}
		}
		collect(t)
	}
	expect(t, len(all) <= 20,
		"P8: 60 calls of Run that did not return have spelt %d numbers on their stacks, want some few", len(all))
}

// If this fails, a deferred call above a Run that has panicked passes for a job of
// somebody else's: the stack spells the number until the panic is recovered and the
// deferred call has returned.
func TestNumberOfPanicIsNotGivenOutAgain(t *testing.T) {
	p, q := open(t, WithWorkers(1)), open(t, WithWorkers(1))
	var spells []uint32
	defer func() {
		expect(t, recover() != nil, "P2: Run returned after a panic")
		for _, of := range []*Pool{p, q} { // by the workers that have panicked
			do(t, of, func(*Worker) {})
		}
		collect(t) // not what the stack refers to
		for range 100 {
			newWorker(p)
		}
		for _, number := range spells {
			_, w := workerIDs.Get(number)
			expect(t, w == nil,
				"P4: number %d stands for a worker while a stack of a Run that has panicked spells it", number)
		}
		equal(t, len(spells), 3, "P4: the number of numbers that the stack spells is")
	}()
	do(t, p, func(*Worker) {
		do(t, q, func(*Worker) {
			runJobHere(p, jobHere(func(*Worker) { // as the worker of the first
				spells = slices.Collect(spell.Numbers)
				panic("passes through three calls of Run")
			}))
		})
	})
}

// collect returns when cleanups of what was garbage have been called, those of the register
// among them.
func collect(t *testing.T) {
	t.Helper()
	for range 3 {
		cleaned := make(chan bool)
		func() { prim.AddCleanup(new([64]byte), func(c chan bool) { close(c) }, cleaned) }()
		for done := false; !done; {
			runtime.GC()
			select {
			case <-cleaned:
				done = true
			case <-t.Context().Done():
				return
			default:
			}
		}
	}
}

// If this fails, a pool keeps workers that have ended: those beyond the few that a seat
// keeps for the next time, or those of guests.
func TestRollForgetsEndedWorkers(t *testing.T) {
	testrule.Bubble(t, func(t *testing.T) {
		p := open(t, WithWorkers(1))
		const jobs = 40
		var mu sync.Mutex
		numbers := make(map[uint32]bool)
		note := func(w *Worker) {
			mu.Lock()
			defer mu.Unlock()
			numbers[w.number] = true
		}
		// Each waits for the next one, as a worker of its own.
		var chain func(n int) *Handle[int]
		chain = func(n int) *Handle[int] {
			return submit(t, p, func(w *Worker) int {
				note(w)
				if n > 0 {
					_, _ = chain(n - 1).Join(w)
				}
				return 0
			})
		}
		result(t, chain(jobs))
		// Most of these are guests, at once.
		end := make(chan bool)
		for range jobs {
			go do(t, p, func(w *Worker) { note(w); <-end })
		}
		synctest.Wait()
		close(end)
		synctest.Wait() // a worker ends a moment after its job
		const most = maxSpares + 2 + warmGuests
		count := func() (n int) {
			for number := range numbers {
				if of, _ := workerIDs.Get(number); of == &p.ids {
					n++
				}
			}
			return n
		}
		n := count()
		expect(t, n <= most,
			"P8: a pool of one worker has %d workers with a number, after %d jobs have ended, want at most %d", n, 2*jobs+1, most)
		mustClose(t, p)
		n = count()
		expect(t, n == 0, "P8: the workers of a closed pool have %d numbers, want none", n)
	})
}

// If this fails, a pool whose goroutines end cannot be used in one synctest bubble after
// another: a channel of one comes to be used in the next.
func TestParkerIsNotPassedOn(t *testing.T) {
	p := open(t, WithWorkers(1), WithSleep(builtInSleep))
	for range 1000 {
		n := result(t, submit(t, p, func(w *Worker) int {
			n, _ := submit(t, p, func(*Worker) int { return 1 }).Join(w)
			return n
		}))
		check(t, n == 1, "P1: a job that waits for another gave %d", n)
		if p.Stats().SetAside > 0 {
			break
		}
	}
	for inactive, sleeping := p.sleep.Counts(); inactive+sleeping < 2; inactive, sleeping = p.sleep.Counts() {
		runtime.Gosched()
	}
	expect(t, p.Stats().SetAside > 0, "P14: the job that waited was not set aside")
	for _, w := range p.seats[0].spares.workers {
		expect(t, w.aside.parker == nil, "P22: a worker that sleeps without a goroutine keeps the channel at which it has waited")
	}
}

// If this fails, a worker whose last Run has panicked is not found by what its next job calls.
func TestWorkerIsFoundAfterPanic(t *testing.T) {
	p := open(t, WithWorkers(1))
	untilAllSleep(p) // or either Run would be a guest, as another worker
	func() {
		defer func() { _ = recover() }()
		_, _ = Run(t.Context(), p, func(*Worker, int) int { panic("of a job") }, 0)
	}()
	untilAllSleep(p)
	do(t, p, func(w *Worker) {
		expect(t, workerHere() == w, "P4: a worker whose last Run has panicked is not found on its goroutine")
	})
}
