package pool

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/rouse-go/rouse/api/prim"
)

// If this fails, a queue with a small limit refuses jobs although workers have nothing to
// do; or it takes more than the limit says.
func TestRoomForIdleWorkers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const workers, limit = 8, 1
		p, err := New(WithWorkers(workers), WithQueueLimit(limit))
		if err != nil {
			t.Fatalf("P29: New returned the error %v", err)
		}
		defer p.Close()
		for range 3 {
			time.Sleep(time.Second) // virtual: all sleep
			free := make(chan bool)
			var begun prim.Int32
			jobs := func(n int) (fns []func(*Worker) bool) {
				for range n {
					fns = append(fns, func(*Worker) bool { begun.Add(1); return <-free })
				}
				return fns
			}
			if all, err := SubmitAll(p, jobs(workers+limit+1)); all != nil || err != ErrFull {
				t.Errorf("P23: %d workers sleep, there is room for %d jobs, and SubmitAll of %d returned %v, want ErrFull", workers, limit, workers+limit+1, err)
			}
			all, err := SubmitAll(p, jobs(workers+limit))
			if err != nil {
				t.Fatalf("P23: %d workers sleep, there is room for %d jobs, and SubmitAll of %d returned %v", workers, limit, workers+limit, err)
			}
			synctest.Wait()
			if n := begun.Load(); n != workers {
				t.Errorf("P5: %d jobs have begun, want one for each of %d workers", n, workers)
			}
			if err := Go(p, func(*Worker) {}); err != ErrFull {
				t.Errorf("P23: all workers are busy, %d jobs wait, and Go of one more returned %v, want ErrFull", limit, err)
			}
			close(free)
			for _, h := range all {
				_, _ = h.Wait(t.Context())
			}
		}
	})
}

// If this fails, a caller that waits for room gets it while more jobs wait than the limit
// allows.
func TestRoomBeyondTheLimitIsNotHandedOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		idle := 3
		r := newRoom(1)
		r.idle = func() int { return idle }
		if !r.try(4) || r.try(1) {
			t.Fatal("P23: with a limit of one and three idle workers not exactly four jobs are accepted")
		}
		idle = 0
		in := false
		go func() { in = r.wait(t.Context()) == nil }()
		synctest.Wait()
		idle = 1
		if r.try(1) {
			t.Error("P23: a job has overtaken a caller that waits for room")
		}
		for left := 3; left > 0; left-- {
			r.leave()
			synctest.Wait()
			if in {
				t.Fatalf("P23: %d jobs wait in a queue for one, and a caller has got room", left)
			}
		}
		r.leave()
		synctest.Wait()
		if !in {
			t.Error("P23: no job waits, and a caller still waits for room")
		}
	})
}

// If this fails, a caller that comes late takes room from one that has waited for it, between
// the two steps of whoever leaves the room.
func TestRoomLeftIsNotForNewcomers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRoom(1)
		r.idle = func() int { return 0 }
		if !r.try(1) {
			t.Fatal("P23: there is room for one job, and it is not accepted")
		}
		in := false
		go func() { in = r.wait(t.Context()) == nil }()
		synctest.Wait()
		r.left.Add(1) // as leave does first
		if r.try(1) {
			t.Error("P23: a job has overtaken a caller that waits for room")
		}
		r.left.Add(-1)
		r.leave()
		synctest.Wait()
		if !in {
			t.Error("P23: the only job has left its room, and a caller still waits for some")
		}
	})
}
