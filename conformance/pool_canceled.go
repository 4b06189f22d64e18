package conformance

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"

	"github.com/rouse-go/rouse/conformance/internal/harness"
	"github.com/rouse-go/rouse/pool"
)

// What Handle.Cancel and Handle.Done promise.
var poolCanceled = []poolCase{
	{"Canceled/queued", "P20", 2, canceledInQueue},
	{"Canceled/running", "P20", 2, canceledTooLate},
	{"Canceled/waiters", "P20", 2, canceledWithWaiters},
	{"Canceled/by_many", "P20", 2, canceledByMany},
	{"Canceled/while_closing", "P20", 2, canceledWhileClosing},
	{"Done/outside", "P20", 2, doneOutside},
	{"Done/in_Block", "P20", 1, doneInBlock},
	{"Done/then_wait", "P20", 2, doneThenWait},
}

// canceled reports an error that is not what whoever waits for a canceled job gets.
func canceled(r *run, what string, err error) {
	if !errors.Is(err, pool.ErrCanceled) || !errors.Is(err, context.Canceled) {
		r.Report("P20", "%s returned %v, want ErrCanceled, which is context.Canceled", what, err)
	}
}

// canceledInQueue cancels some of the jobs that wait behind blocked workers.
func canceledInQueue(r *run, p *pool.Pool) {
	free := blockWorkers(r, p, p.Workers())
	var began atomic.Int32
	var handles []*pool.Handle[int]
	const jobs = 20
	for i := range jobs {
		handles = append(handles, submit(r, p, func(*pool.Worker) int { began.Add(1); return i }))
	}
	for i, h := range handles {
		if i%2 == 0 {
			r.Check(h.Cancel(), "P20", "Cancel of a job that waits for a worker returned false")
			r.Check(h.Cancel(), "P20", "the second Cancel of a job returned false, and it will never begin")
		}
	}
	free()
	r.During("P20", "all that were not canceled run, and Wait returns for all")
	for i, h := range handles {
		if i%2 != 0 {
			n := await(r, h)
			r.Check(n == i, "P20", "a job between two that were canceled returned %d, want %d", n, i)
			r.Check(!h.Cancel(), "P20", "Cancel of a job that has ended returned true")
			continue
		}
		n, err := h.Wait(background)
		canceled(r, "Wait", err)
		r.Check(n == 0, "P20", "a job that was canceled has the result %d, want none", n)
	}
	fullWidth(r, p)
	r.Check(began.Load() == jobs/2, "P20", "%d of %d jobs began, and half of them were canceled", began.Load(), jobs)
}

// canceledTooLate cancels a job that has begun: at once, on a pool at rest, and after it
// was queued. The Join of a job must not begin it again either.
func canceledTooLate(r *run, p *pool.Pool) {
	for round := range 4 {
		free := func() {}
		if round%2 != 0 {
			free = blockWorkers(r, p, p.Workers())
		} else {
			borrowedAll(r, p) // so that all workers sleep, if they can be borrowed
		}
		began, held := make(chan struct{}), make(chan struct{})
		var begun atomic.Int32
		h := submit(r, p, func(*pool.Worker) int {
			if begun.Add(1) == 1 {
				close(began)
			}
			r.Receive(held)
			return 7
		})
		free()
		r.During("P5", "a submitted job begins")
		r.Wait(began)
		r.Check(!h.Cancel(), "P20", "Cancel of a job that runs returned true")
		close(held)
		n := await(r, h)
		r.Check(n == 7, "P20", "a job that Cancel came too late for returned %d, want 7", n)
		r.Check(!h.Cancel(), "P20", "Cancel of a job that has ended returned true")
		r.Check(begun.Load() == 1, "P1", "a submitted job has begun %d times", begun.Load())
	}
}

// canceledWithWaiters has a goroutine, two jobs and a channel wait for the job that is
// canceled. The jobs wait without a worker: all are blocked.
func canceledWithWaiters(r *run, p *pool.Pool) {
	errs := make(chan error, 3)
	waiting := make(chan struct{}, 2)
	var jobs []*pool.Handle[int]
	// Of another pool, so that they wait and do not begin the job.
	s := poolSuite{pool.New}
	other := s.start(r, 2)
	defer s.close(r, other)
	free := blockWorkers(r, p, p.Workers())
	h := submit(r, p, func(*pool.Worker) int { return 7 })
	for range 2 {
		jobs = append(jobs, submit(r, other, func(w *pool.Worker) int {
			waiting <- struct{}{}
			_, err := h.Join(w)
			errs <- err
			return 0
		}))
	}
	go func() {
		_, err := h.Wait(background)
		errs <- err
	}()
	done := h.Done()
	r.During("P20", "all who wait for a job go on that is canceled")
	for range 2 {
		r.Wait(waiting)
	}
	harness.Pause(r.RNG)
	r.Check(h.Cancel(), "P20", "Cancel of a job that waits for a worker returned false")
	for range 3 {
		canceled(r, "Wait or Join", <-errs)
	}
	r.Wait(done)
	free()
	for _, j := range jobs {
		await(r, j)
	}
	fullWidth(r, p)
}

// canceledByMany has goroutines cancel a job while workers may begin it.
func canceledByMany(r *run, p *pool.Pool) {
	for range 50 {
		var began atomic.Bool
		h := submit(r, p, func(*pool.Worker) int { began.Store(true); return 7 })
		var all sync.WaitGroup
		var yes, no atomic.Int32
		for range 3 {
			all.Go(func() {
				if h.Cancel() {
					yes.Add(1)
				} else {
					no.Add(1)
				}
			})
		}
		r.During("P20", "Wait returns for a job that is canceled as it begins")
		n, err := h.Wait(background)
		all.Wait()
		switch {
		case yes.Load() > 0 && no.Load() > 0:
			r.Report("P20", "of three who canceled a job %d were told that it never begins, and %d that it does", yes.Load(), no.Load())
		case yes.Load() > 0:
			canceled(r, "Wait", err)
			r.Check(!began.Load(), "P20", "a job ran that was canceled")
		default:
			r.Check(n == 7 && err == nil && began.Load(), "P20", "a job that nobody could cancel returned %d, %v, want 7", n, err)
		}
	}
}

// canceledWhileClosing cancels what Close waits for.
func canceledWhileClosing(r *run, p *pool.Pool) {
	free := blockWorkers(r, p, p.Workers())
	h := submit(r, p, func(*pool.Worker) int { return 7 })
	closed := make(chan struct{})
	go func() {
		defer close(closed)
		p.Close()
	}()
	r.During("P6", "Submit is refused once Close has begun")
	r.Until(func() bool {
		probe, err := pool.Submit(p, func(*pool.Worker) int { return 0 })
		if err == nil {
			probe.Cancel()
		}
		return err != nil
	})
	r.Check(h.Cancel(), "P20", "Cancel of a job that waits for a worker of a pool that closes returned false")
	free()
	r.During("P20", "Close returns when what it waited for was canceled")
	r.Wait(closed)
	_, err := h.Wait(background)
	canceled(r, "Wait", err)
}

// doneOutside looks at the channel before and after the end.
func doneOutside(r *run, p *pool.Pool) {
	free := make(chan struct{})
	h := submit(r, p, func(*pool.Worker) int { r.Receive(free); return 7 })
	done, again := h.Done(), h.Done()
	r.Check(done == again, "P20", "two calls of Done before the end of a job returned two channels")
	select {
	case <-done:
		r.Report("P20", "the channel of Done is closed, and the job has not ended")
	default:
	}
	close(free)
	r.During("P20", "the channel of Done is closed when the job has ended")
	r.Wait(done)
	got, err := h.Wait(background)
	r.Check(got == 7 && err == nil, "P20", "after Done, Wait returned %d, %v, want 7", got, err)
	r.Wait(h.Done())
}

// doneInBlock has a job select on the end of another.
func doneInBlock(r *run, p *pool.Pool) {
	r.During("P20", "a job in Block goes on when the channel of Done is closed")
	n := await(r, submit(r, p, func(w *pool.Worker) int {
		h := submitInside(r, p, 1, func() int { return 7 })[0]
		w.Block(func() { <-h.Done() })
		n, _ := h.Join(w)
		return n
	}))
	r.Check(n == 7, "P20", "after Done, Join returned %d, want 7", n)
}

// doneThenWait has others wait for a job for whose channel somebody has asked before, and
// asks again when they wait.
func doneThenWait(r *run, p *pool.Pool) {
	for _, wait := range []waitKind{waitOutside, waitInJob, waitInBlock} {
		free, over := make(chan struct{}), make(chan struct{})
		h := submit(r, p, func(*pool.Worker) int { r.Receive(free); return 7 })
		done := h.Done()
		ctx, cancel := context.WithCancel(background)
		notices := newNoticing(ctx)
		go func() {
			defer close(over)
			if n, err := wait(p, h, notices); n != 7 || err != nil {
				r.Report("P1", "Wait for a job, of which somebody has asked for the channel of Done before, returned %d, %v, want 7", n, err)
			}
		}()
		r.During("P1", "a goroutine waits for a job, of which somebody has asked for the channel of Done before")
		r.Wait(notices.asked)
		again := h.Done()
		r.Check(done == again, "P20", "two calls of Done before the end of a job, between which a Wait began, returned two channels")
		close(free)
		r.During("P20", "Wait returns for a job that has ended, of which somebody has asked for the channel of Done before")
		r.Wait(over)
		r.Wait(done)
		cancel()
	}
	fullWidth(r, p)
}
