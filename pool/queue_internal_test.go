package pool

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"testing/synctest"

	"github.com/rouse-go/rouse/api"
	"github.com/rouse-go/rouse/api/testrule"
)

// newSubmission returns a job whose time is not measured.
func newSubmission() *submission { return &submission{ticket: &ticket{pool: new(Pool)}} }

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
			j := newSubmission()
			err := r.push(noWait, j)
			check(t, (err == nil) == (len(all) < r.limit), "P23: step %d: with %d of %d jobs push returned %v", step, len(all), r.limit, err)
			if err == nil {
				all = append(all, j)
			}
		case what < 7 && len(all) > 0:
			i := rng.IntN(len(all))
			all[i].Job.withdraw()
			r.remove(all[i])
			all = slices.Delete(all, i, i+1)
		case what == 7:
			j, outcome := r.Steal()
			check(t, (j == nil) == (outcome == api.Empty) && (j == nil) == (len(all) == 0), "I3: step %d: with %d jobs Steal returned %p, %v", step, len(all), j, outcome)
			if j != nil {
				check(t, j == all[0], "I2: step %d: a job came out that is not the oldest one that waits", step)
				all = all[1:]
			}
		}
		check(t, r.Empty() == (len(all) == 0), "I4: step %d: Empty is wrong with %d jobs inside", step, len(all))
		check(t, r.waits(nil) == len(all) && r.queue.Len() == len(all), "P23: step %d: of %d jobs %d have room", step, len(all), r.waits(nil))
	}
}

// If this fails, a queue with a small limit refuses jobs although workers have nothing to do.
func TestRoomForIdleWorkers(t *testing.T) {
	p := open(t, WithWorkers(3), WithQueueLimit(1))
	untilAllSleep(p)
	equal(t, p.inbox.queue.(*room).idle(), 3, "P23: three workers sleep, and the queue has room beyond its limit for")
	_, isLimited := open(t, WithQueueLimit(math.MaxInt)).inbox.queue.(*room)
	expect(t, !isLimited, "P23: a queue with a limit of math.MaxInt has one")
	r, idle := limitedRoom(math.MaxInt - 1)
	*idle = 3
	equal(t, r.push(noWait, newSubmission()), nil, "P23: an empty queue with room for nearly math.MaxInt jobs, and three idle workers: push returned")
}

// If this fails, a caller that waits for room gets it while more jobs wait than the limit
// allows, or one that comes late takes room from it.
func TestRoomIsHandedOn(t *testing.T) {
	testrule.Bubble(t, func(t *testing.T) {
		r, idle := limitedRoom(1)
		*idle = 3
		var all []*submission
		for {
			j := newSubmission()
			if r.push(noWait, j) != nil {
				break
			}
			all = append(all, j)
		}
		check(t, len(all) == 4, "P23: with a limit of one and three idle workers %d jobs are accepted, want 4", len(all))
		*idle = 0
		in := false
		go func() { in = r.push(t.Context(), newSubmission()) == nil }()
		synctest.Wait()
		*idle = 4
		expect(t, r.push(noWait, newSubmission()) == ErrFull, "P23: a job has overtaken a caller that waits for room")
		for i, j := range all {
			check(t, !in, "P23: %d jobs wait in a queue for one, and a caller has got room", len(all)-i)
			r.remove(j)
			synctest.Wait()
		}
		expect(t, in, "P23: no job waits, and a caller still waits for room")
		equal(t, r.waits(nil), 1, "P23: a caller has got room, and the number of jobs that have some is")
	})
}
