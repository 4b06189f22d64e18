package pool

import (
	"math/rand/v2"
	"slices"
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
	idle = new(int)
	return newRoom(limit, func() int { return *idle }), idle
}

// If this fails, the queue of a pool with a limit loses jobs, or is not first in, first out, or
// keeps some that nobody can begin.
func TestQueueAgainstSlice(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	r, _ := limitedRoom(10)
	var all []*submission
	for step := range 20_000 {
		switch what := rng.IntN(8); {
		case what < 4:
			j := new(submission)
			offered := r.offer(j)
			check(t, offered == (len(all) < r.limit), "P23: step %d: with %d of %d jobs offer returned %t", step, len(all), r.limit, offered)
			if offered {
				all = append(all, j)
			}
		case what < 7 && len(all) > 0:
			i := rng.IntN(len(all))
			all[i].Job.withdraw()
			r.leave(all[i])
			all = slices.Delete(all, i, i+1)
		case what == 7:
			j, outcome := r.Steal()
			check(t, (j == nil) == (outcome == api.Empty) && (j == nil) == (len(all) == 0), "I3: step %d: with %d jobs Steal returned %p, %v", step, len(all), j, outcome)
			if j != nil {
				check(t, j == &all[0].Job, "I2: step %d: a job came out that is not the oldest one that waits", step)
				all = all[1:]
			}
		}
		check(t, r.Empty() == (len(all) == 0), "I4: step %d: Empty is wrong with %d jobs inside", step, len(all))
		check(t, r.waits(nil) == len(all) && r.queue.Len() == len(all), "P23: step %d: of %d jobs %d have room", step, len(all), r.waits(nil))
	}
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
		equal(t, p.inbox.queue.waits(p), limit-1, "P23: %d workers: after %d jobs were taken back, the number of those that are queued is", workers, times)
		release()
		for i, h := range kept {
			equal(t, result(t, h), i, "P1: %d workers: the result of job %d is", workers, i)
		}
	}
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
		var all []*submission
		for {
			j := new(submission)
			if !r.offer(j) {
				break
			}
			all = append(all, j)
		}
		check(t, len(all) == 4, "P23: with a limit of one and three idle workers %d jobs are accepted, want 4", len(all))
		*idle = 0
		in := false
		go func() { in = r.admit(t.Context()) == nil }()
		synctest.Wait()
		*idle = 4
		expect(t, !r.offer(new(submission)), "P23: a job has overtaken a caller that waits for room")
		for i, j := range all {
			check(t, !in, "P23: %d jobs wait in a queue for one, and a caller has got room", len(all)-i)
			r.leave(j)
			synctest.Wait()
		}
		expect(t, in, "P23: no job waits, and a caller still waits for room")
		equal(t, r.waits(nil), 1, "P23: a caller has got room, and the number of jobs that have some is")
		taken := new(submission)
		taken.Job.withdraw()
		r.push(taken)
		equal(t, r.waits(nil), 0, "P23: the job was taken back before it was queued, and the number of jobs that have room is")
	})
}
