package pool

import (
	"math/rand/v2"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rouse-go/rouse/api"
	"github.com/rouse-go/rouse/api/prim"
	"github.com/rouse-go/rouse/api/testrule"
)

// limitedRoom returns room for so many jobs, and sets how many workers are idle.
func limitedRoom(limit int) (r *room, idle *int) {
	r, idle = newRoom(limit), new(int)
	r.idle = func() int { return *idle }
	return r, idle
}

// If this fails, the queue of a pool with a limit loses jobs, or is not first in, first out, or
// keeps more of those that nobody can begin than of those that wait.
func TestQueueAgainstSlice(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	r, _ := limitedRoom(100)
	var inside []*Job // which have room, and some that were claimed and have none
	for step := range 20_000 {
		var all []*Job
		for _, j := range inside {
			if !j.isClaimed() {
				all = append(all, j)
			}
		}
		switch what := rng.IntN(8); {
		case what < 3 && r.try():
			j := new(Job)
			wasEmpty := r.Push(j)
			check(t, len(all) == 0 && wasEmpty == (r.queue.n == 1) || len(all) > 0 && !wasEmpty,
				"I3: step %d: Push says %t, and %d jobs wait", step, wasEmpty, len(all))
			inside = append(inside, j)
			most := 2*r.taken() + 1
			check(t, r.queue.n <= most,
				"P23: step %d: the queue has %d jobs, of which %d wait, want at most %d", step, r.queue.n, len(all)+1, most)
		case what < 7 && len(all) > 0:
			all[rng.IntN(len(all))].withdraw()
			r.leave()
		case what == 7:
			j, outcome := r.Steal()
			check(t, (j == nil) == (outcome == api.Empty), "I3: step %d: Steal returned %p, %v", step, j, outcome)
			check(t, j != nil || len(all) == 0, "I4: step %d: nothing comes out, and %d jobs wait", step, len(all))
			if j != nil && !j.isClaimed() {
				check(t, len(all) != 0 && j == all[0], "I2: step %d: a job came out that is not the oldest one that waits", step)
				all = all[1:]
				j.begin()
				r.leave()
			}
			inside = all
		}
		check(t, r.Empty() == (r.queue.n == 0), "I4: step %d: Empty is wrong with %d jobs inside", step, r.queue.n)
	}
}

// If this fails, a queue that was long once stays so.
func TestQueueShrinks(t *testing.T) {
	r, _ := limitedRoom(10_000)
	for range r.limit {
		r.try()
		r.Push(new(Job))
	}
	for outcome := api.Stolen; outcome == api.Stolen; {
		_, outcome = r.Steal()
	}
	expect(t, len(r.queue.ring) <= shortQueue,
		"P8: an empty queue has %d places, want at most %d", len(r.queue.ring), shortQueue)
}

// If this fails, callers that give up, again and again, leave something behind in a queue whose
// workers are busy; or the room that they leave is nobody's.
func TestQueueOfGivenUp(t *testing.T) {
	const limit, times = 10, 20_000
	for _, workers := range []int{1, 2, 8} {
		p := open(t, WithWorkers(workers), WithQueueLimit(limit))
		release := busy(t, p)
		var kept []*Handle[int]
		for i := range limit - 1 {
			kept = append(kept, submit(t, p, func(*Worker) int { return i }))
		}
		for range times {
			h, err := Submit(p, func(*Worker) int { return 0 })
			check(t, err == nil && h.Cancel(),
				"P23: %d workers: the one before was taken back, and Submit returned the error %v", workers, err)
		}
		n := p.room.queue.n
		expect(t, n <= 2*limit+1,
			"P23: %d workers: with room for %d the queue has %d jobs after %d were taken back, want at most %d",
			workers, limit, n, times, 2*limit+1)
		release()
		for i, h := range kept {
			equal(t, result(t, h), i, "P1: %d workers: the result of job %d is", workers, i)
		}
	}
}

// If this fails, what was taken back stays in memory, with all that it refers to, as long as all
// workers of a pool without a limit are busy; or even after that.
func TestGivenUpWithoutLimit(t *testing.T) {
	const times, most = 10_000, 160
	p := open(t, WithWorkers(1))
	release := busy(t, p)
	before := heap()
	for range times {
		block := new([1024]byte)
		h := submit(t, p, func(*Worker) *[1024]byte { return block })
		check(t, h.Cancel(), "P20: a job cannot be taken back")
	}
	kept := heap() - before
	expect(t, kept <= most*times,
		"P8: each of %d jobs that were taken back keeps %d bytes, want at most %d", times, kept/times, most)
	release()
	do(t, p, func(*Worker) {})
	untilAllSleep(p)
	kept = heap() - before
	expect(t, kept <= 16*times,
		"P8: %d jobs were taken back, a worker has come to them, and they keep %d bytes", times, kept)
}

// If this fails, a queue with a small limit refuses jobs although workers have nothing to
// do; or it takes more than the limit says.
func TestRoomForIdleWorkers(t *testing.T) {
	testrule.Bubble(t, func(t *testing.T) {
		const workers, limit = 8, 1
		p := open(t, WithWorkers(workers), WithQueueLimit(limit))
		for range 3 {
			time.Sleep(time.Second) // virtual: all sleep
			free := make(chan bool)
			var begun prim.Int32
			var all []*Handle[bool]
			for i := range workers + limit {
				if i == workers {
					synctest.Wait() // a job that a worker is about to begin still has its room
				}
				h, err := Submit(p, func(*Worker) bool { begun.Add(1); return <-free })
				check(t, err == nil, "P23: %d workers sleep, there is room for %d jobs, and Submit of job %d returned %v", workers, limit, i, err)
				all = append(all, h)
			}
			synctest.Wait()
			equal(t, begun.Load(), workers, "P5: with a job for each of the workers and one more, the number of those begun is")
			equal(t, Go(p, func(*Worker) {}), ErrFull, "P23: all workers are busy, a job waits, and Go of one more returned")
			close(free)
			for _, h := range all {
				result(t, h)
			}
		}
	})
}

// If this fails, room is lost, or there is too much of it, until nothing is accepted any more.
func TestRoomIsLeftByEach(t *testing.T) {
	var r *room
	leaves, comes := func() { r.leave() }, func() { r.try() }
	atOnce(t, func() { r, _ = limitedRoom(4); r.try(); r.try() }, func() {
		expect(t, r.taken() == 2, "P23: of two jobs that have room, two leave while two others come, and %d have room", r.taken())
	}, leaves, leaves, comes, comes)
	r = &room{limit: 4}
	atOnce(t, func() { r.given = 2; r.left.Store(0) }, func() {
		expect(t, r.taken() == 0, "P23: two jobs have left at the same time, and %d count as queued", r.taken())
	}, leaves, leaves)
}

// busy gives each worker of the pool a job, which goes on until release is called, or the test ends.
// Queued jobs do not begin beside these.
func busy(t *testing.T, p *Pool) (release func()) {
	t.Helper()
	p.LeaveQueue()
	in, stop := make(chan bool), make(chan bool)
	release = sync.OnceFunc(func() { close(stop) })
	t.Cleanup(release)
	for range p.seats {
		submit(t, p, func(*Worker) int { in <- true; <-stop; return 0 })
		<-in
	}
	return release
}

// If this fails, a caller that waits for room gets it while more jobs wait than the limit
// allows, or one that comes late takes room from it.
func TestRoomIsHandedOn(t *testing.T) {
	testrule.Bubble(t, func(t *testing.T) {
		r, idle := limitedRoom(1)
		*idle = 3
		accepted := 0
		for ; accepted <= 4 && r.try(); accepted++ {
		}
		check(t, accepted == 4, "P23: with a limit of one and three idle workers %d jobs are accepted, want 4", accepted)
		*idle = 0
		in := false
		go func() { in = r.wait(t.Context()) == nil }()
		synctest.Wait()
		*idle = 1
		expect(t, !r.try(), "P23: a job has overtaken a caller that waits for room")
		for left := 3; left > 0; left-- {
			r.leave()
			synctest.Wait()
			check(t, !in, "P23: %d jobs wait in a queue for one, and a caller has got room", left)
		}
		// Between the two steps of whatever leaves the room.
		*idle = 0
		r.left.Add(1) // as leave does first
		expect(t, !r.try(), "P23: a job has overtaken a caller that waits for the room of one that leaves")
		r.left.Add(-1)
		r.leave()
		synctest.Wait()
		expect(t, in, "P23: no job waits, and a caller still waits for room")
	})
}
