package pool

import (
	"runtime"
	"slices"
	"testing"
	"testing/synctest"
)

// If this fails, a program that forgets pools again and again keeps a number for each of
// their workers.
func TestNumbersOfForgottenPools(t *testing.T) {
	const pools = 4 * fewNumbers
	// Large pools of other tests have had numbers, and their number says when the next look is.
	runtime.GC()
	workerIDs.mu.Lock()
	workerIDs.prune()
	most := 2*workerIDs.used + 2*fewNumbers
	workerIDs.mu.Unlock()
	for i := range pools {
		p, err := New(WithWorkers(1), WithSleep(builtInSleep))
		if err != nil {
			t.Fatalf("P29: New returned the error %v", err)
		}
		for ; ; runtime.Gosched() {
			if _, sleeping := p.lender.Counts(); sleeping == 1 {
				break
			}
		}
		if i%(fewNumbers/4) == 0 {
			runtime.GC()
		}
	}
	workerIDs.mu.Lock()
	defer workerIDs.mu.Unlock()
	if n := workerIDs.used; n > most {
		t.Errorf("P22: %d workers have a number after %d pools were forgotten, want at most %d", n, pools, most)
	}
}

// If this fails, a pool keeps each worker that it has ever had.
func TestRollForgets(t *testing.T) {
	p, err := New(WithWorkers(1))
	if err != nil {
		t.Fatalf("P29: New returned the error %v", err)
	}
	defer p.Close()
	for range 100 {
		w := newWorker(p)
		if workerIDs.get(w.number) != w {
			t.Fatalf("P4: number %d does not stand for the worker that was given it", w.number)
		}
		workerIDs.drop(w.number)
		if got := workerIDs.get(w.number); got != nil {
			t.Fatalf("P4: number %d, which was given up, stands for a worker", w.number)
		}
	}
	workerIDs.mu.Lock()
	defer workerIDs.mu.Unlock()
	if n := len(p.ids.slots); n > 2 {
		t.Errorf("P8: the roll of a pool of one worker has %d slots, want at most 2", n)
	}
	for i, w := range p.ids.slots {
		if w != nil && w != p.occupants[0].Load() {
			t.Errorf("P8: slot %d of the roll has a worker that was given up", i)
		}
	}
}

// If this fails, a job that calls Run is taken for another one, or for none, if there is a certain
// number of calls between.
func TestSpeltAtAnyDepth(t *testing.T) {
	p, err := New(WithWorkers(1))
	if err != nil {
		t.Fatalf("P29: New returned the error %v", err)
	}
	defer p.Close()
	q, err := New(WithWorkers(1))
	if err != nil {
		t.Fatalf("P29: New returned the error %v", err)
	}
	defer q.Close()
	var deeper func(calls int, then func())
	deeper = func(calls int, then func()) {
		if calls > 0 {
			deeper(calls-1, then)
			return
		}
		then()
	}
	within := func(p *Pool, calls int, then func(w *Worker)) {
		_, _ = Run(t.Context(), p, func(w *Worker, _ int) int { deeper(calls, func() { then(w) }); return 0 }, 0)
	}
	// The first look ends at each call of the two that spell a number, and the second one, too.
	for calls := range 10 * nearFrames {
		within(p, calls, func(outer *Worker) {
			number := outer.number
			within(q, 0, func(inner *Worker) {
				want := []uint32{inner.number, number}
				if got := slices.Collect(spelt); !slices.Equal(got, want) {
					t.Errorf("P4: the stack spells the numbers %d, want %d, with %d calls between", got, want, calls)
				}
			})
			deeper(calls, func() {
				if got := workerHere(); got != outer {
					t.Errorf("P4: a job that has made %d calls is not found on its stack", 2*calls)
				}
			})
		})
	}
}

// If this fails, a pool whose goroutines end cannot be used in one synctest bubble after
// another: a channel of one comes to be used in the next.
func TestParkerIsNotPassedOn(t *testing.T) {
	p, err := New(WithWorkers(1), WithSleep(builtInSleep))
	if err != nil {
		t.Fatalf("P29: New returned the error %v", err)
	}
	defer p.Close()
	for range 1000 {
		h, err := Submit(p, func(w *Worker) int {
			h, err := Submit(p, func(*Worker) int { return 1 })
			if err != nil {
				return 0
			}
			n, _ := h.Join(w)
			return n
		})
		if err != nil {
			t.Fatalf("P1: Submit returned the error %v", err)
		}
		if n, err := h.Wait(t.Context()); n != 1 || err != nil {
			t.Fatalf("P1: a job that waits for another gave %d, %v", n, err)
		}
		if p.Stats().SetAside > 0 {
			break
		}
	}
	for inactive, sleeping := p.sleep.Counts(); inactive+sleeping < 2; inactive, sleeping = p.sleep.Counts() {
		runtime.Gosched()
	}
	if p.Stats().SetAside == 0 {
		t.Error("P14: the job that waited was not set aside")
	}
	for _, w := range p.seats[0].spares {
		if w.parker != nil {
			t.Error("P22: a worker that sleeps without a goroutine keeps the channel at which it has waited")
		}
	}
}

// If this fails, a pool keeps workers that have ended: those beyond the few that a seat
// keeps for the next time, or those that had no seat in the end.
func TestRollForgetsEndedWorkers(t *testing.T) { synctest.Test(t, testRollForgetsEndedWorkers) }

func testRollForgetsEndedWorkers(t *testing.T) {
	p, err := New(WithWorkers(1))
	if err != nil {
		t.Fatalf("P29: New returned the error %v", err)
	}
	defer p.Close()
	const jobs = 20
	submit := func(fn func(*Worker) int) *Handle[int] {
		h, err := Submit(p, fn)
		if err != nil {
			t.Errorf("P1: Submit returned the error %v", err)
		}
		return h
	}
	// Each waits for the next one, as a worker of its own.
	var chain func(n int) *Handle[int]
	chain = func(n int) *Handle[int] {
		return submit(func(w *Worker) int {
			if n > 0 {
				_, _ = chain(n - 1).Join(w)
			}
			return 0
		})
	}
	_, _ = chain(jobs).Wait(t.Context())
	// Each goes on without a seat, for the only one is taken, and ends so.
	in, free, taken, end := make(chan bool), make(chan bool), make(chan bool), make(chan bool)
	var blocked []*Handle[int]
	for range jobs {
		blocked = append(blocked, submit(func(w *Worker) int {
			w.Block(func() { in <- true; <-free })
			return 0
		}))
	}
	for range jobs {
		<-in
	}
	holder := submit(func(*Worker) int { taken <- true; <-end; return 0 })
	<-taken
	close(free)
	for _, h := range blocked {
		_, _ = h.Wait(t.Context())
	}
	close(end)
	_, _ = holder.Wait(t.Context())
	enrolled := func() (n int) {
		workerIDs.mu.Lock()
		defer workerIDs.mu.Unlock()
		for _, w := range p.ids.slots {
			if w != nil {
				n++
			}
		}
		return n
	}
	const most = maxSpares + 2
	synctest.Wait() // a worker ends a moment after its job
	if n := enrolled(); n > most {
		t.Errorf("P8: the roll of a pool of one worker has %d workers, of which %d jobs have ended, want at most %d", n, 2*jobs, most)
	}
}
