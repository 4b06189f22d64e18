package pool

import (
	"math/rand/v2"
	"runtime"
	"testing"

	"github.com/rouse-go/rouse/api"
)

// If this fails, the queue of a pool with a limit loses jobs, or is not first in, first out, or
// keeps more of those that nobody can begin than of those that wait.
func TestQueueAgainstSlice(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	const limit = 100
	r := newRoom(limit)
	r.idle = func() int { return 0 }
	var inside []*Job // which have room, and some that were claimed and have none
	waiting := func() (all []*Job) {
		for _, j := range inside {
			if !j.isClaimed() {
				all = append(all, j)
			}
		}
		return all
	}
	into := make([]*Job, 16)
	for step := range 20_000 {
		all := waiting()
		switch what := rng.IntN(8); {
		case what < 3 && r.try(1):
			j := new(Job)
			if wasEmpty := r.Push(j); len(all) == 0 && wasEmpty != (r.queue.n == 1) || len(all) > 0 && wasEmpty {
				t.Fatalf("I3: step %d: Push says %t, and %d jobs wait", step, wasEmpty, len(all))
			}
			inside = append(inside, j)
			if n, most := r.queue.n, 2*r.taken()+1; n > most {
				t.Fatalf("P23: step %d: the queue has %d jobs, of which %d wait, want at most %d", step, n, len(all)+1, most)
			}
		case what < 7 && len(all) > 0:
			all[rng.IntN(len(all))].withdraw()
			r.leave()
		case what == 7:
			places := 1 + rng.IntN(len(into))
			before := r.queue.n
			n, outcome := r.StealBatch(into[:places])
			if (n == 0) != (outcome == api.Empty) || n > min(places, (before+1)/2) {
				t.Fatalf("I3: step %d: of a queue of %d a batch with %d places took %d, %v", step, before, places, n, outcome)
			}
			for _, j := range into[:n] {
				if !j.isClaimed() {
					if len(all) == 0 || j != all[0] {
						t.Fatalf("I2: step %d: a job came out that is not the oldest one that waits", step)
					}
					all = all[1:]
					j.begin()
					r.leave()
				}
			}
			if n == 0 && len(all) > 0 {
				t.Fatalf("I4: step %d: nothing comes out, and %d jobs wait", step, len(all))
			}
			inside = all
		}
		if r.Empty() != (r.queue.n == 0) {
			t.Fatalf("I4: step %d: Empty is %t with %d jobs inside", step, r.Empty(), r.queue.n)
		}
	}
}

// If this fails, a queue that was long once stays so.
func TestQueueShrinks(t *testing.T) {
	const limit = 10_000
	r := newRoom(limit)
	r.idle = func() int { return 0 }
	for range limit {
		r.try(1)
		r.Push(new(Job))
	}
	for outcome := api.Stolen; outcome == api.Stolen; {
		_, outcome = r.Steal()
	}
	if n := len(r.queue.ring); n > shortQueue {
		t.Errorf("P8: an empty queue has %d places, want at most %d", n, shortQueue)
	}
}

// If this fails, callers that give up, again and again, leave something behind in a queue whose
// workers are busy; or the room that they leave is nobody's.
func TestQueueOfGivenUp(t *testing.T) {
	const limit, times = 10, 20_000
	for _, workers := range []int{1, 2, 8} {
		p, err := New(WithWorkers(workers), WithQueueLimit(limit))
		if err != nil {
			t.Fatalf("P29: New returned the error %v", err)
		}
		stop := make(chan bool)
		for range workers {
			in := make(chan bool)
			_ = Go(p, func(*Worker) { close(in); <-stop })
			<-in
		}
		var kept []*Handle[int]
		for i := range limit - 1 {
			h, err := Submit(p, func(*Worker) int { return i })
			if err != nil {
				t.Fatalf("P23: %d workers: there is room, and Submit returned the error %v", workers, err)
			}
			kept = append(kept, h)
		}
		for range times {
			h, err := Submit(p, func(*Worker) int { return 0 })
			if err != nil || !h.Cancel() {
				t.Fatalf("P23: %d workers: the one before was taken back, and Submit returned the error %v", workers, err)
			}
		}
		if n := p.queued.room.queue.n; n > 2*limit+1 {
			t.Errorf("P23: %d workers: with room for %d the queue has %d jobs after %d were taken back, want at most %d", workers, limit, n, times, 2*limit+1)
		}
		close(stop)
		for i, h := range kept {
			if n, err := h.Wait(t.Context()); n != i || err != nil {
				t.Errorf("P1: %d workers: job %d returned %d, %v", workers, i, n, err)
			}
		}
		p.Close()
	}
}

// If this fails, what was taken back stays in memory, with all that it refers to, as long as all
// workers of a pool without a limit are busy; or even after that.
func TestGivenUpWithoutLimit(t *testing.T) {
	const times, most = 10_000, 160
	p, err := New(WithWorkers(1))
	if err != nil {
		t.Fatalf("P29: New returned the error %v", err)
	}
	defer p.Close()
	heap := func() int64 {
		runtime.GC()
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	in, stop := make(chan bool), make(chan bool)
	if err := Go(p, func(*Worker) { close(in); <-stop }); err != nil {
		t.Fatalf("P1: Go returned the error %v", err)
	}
	<-in
	before := heap()
	for range times {
		block := new([1024]byte)
		h, err := Submit(p, func(*Worker) *[1024]byte { return block })
		if err != nil || !h.Cancel() {
			t.Fatalf("P20: a job cannot be taken back, or Submit returned the error %v", err)
		}
	}
	if kept := heap() - before; kept > most*times {
		t.Errorf("P8: each of %d jobs that were taken back keeps %d bytes, want at most %d", times, kept/times, most)
	}
	close(stop)
	if n, err := Run(t.Context(), p, func(*Worker, int) int { return 1 }, 0); n != 1 || err != nil {
		t.Errorf("P1: Run returned %d, %v", n, err)
	}
	untilAllSleep(p)
	if kept := heap() - before; kept > 16*times {
		t.Errorf("P8: %d jobs were taken back, a worker has come to them, and they keep %d bytes", times, kept)
	}
}
