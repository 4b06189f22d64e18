package conformance

import (
	"context"
	"errors"
	"sync/atomic"

	"github.com/rouse-go/rouse/conformance/internal/harness"
	"github.com/rouse-go/rouse/pool"
)

// What Pool.Shutdown promises.
var poolShutdown = []ownCase{
	{"graceful", poolSuite.shutGracefully},
	{"forks_go_on", poolSuite.shutBesideForks},
	{"races_submit", poolSuite.shutRacesSubmit},
}

// poolShutdownOfQueue are about what Shutdown takes back, and whom it tells.
var poolShutdownOfQueue = []ownCase{
	{"queued", poolSuite.shutQueued},
	{"taken_with_others", poolSuite.shutBatch},
	{"later", poolSuite.shutLater},
	{"many", poolSuite.shutByMany},
	{"in_job", poolSuite.shutInJob},
	{"in_job_of_other_pool", poolSuite.shutInOther},
}

// shut ends a pool, some of whose jobs cannot end, with a context that has ended.
func shut(r *run, p *pool.Pool) {
	r.T.Helper()
	r.During("P25", "Shutdown with a context that has ended returns")
	err := p.Shutdown(endedAlready())
	r.Check(err == context.Canceled, "P25", "Shutdown with a context that has ended returned %v, want its error", err)
}

// endedPool checks that a pool whose jobs have ended ends, although nobody closes it, and
// then says so.
func endedPool(r *run, p *pool.Pool) {
	r.T.Helper()
	r.During("P25", "a pool ends whose Shutdown was given up, when its last job has ended")
	r.Until(func() bool { return p.Shutdown(endedAlready()) == nil })
	r.Check(p.Close() == nil, "P25", "Close of a pool that was shut down returned an error")
	r.UnwatchPool(p)
}

// told checks that a job was taken back, and that Wait says so at once.
func told(r *run, h *pool.Handle[int]) {
	r.T.Helper()
	r.During("P25", "those learn it who wait for jobs that Shutdown has taken back, while all workers are busy")
	r.Wait(h.Done())
	got, err := h.Wait(background)
	r.Check(got == 0 && err == pool.ErrCanceled, "P25", "Wait for a job that Shutdown has taken back returned %d, %v, want none, ErrCanceled", got, err)
	r.Check(h.Cancel(), "P20", "Cancel of a job that Shutdown has taken back returned false")
}

// shutGracefully has the jobs end before the context does.
func (s poolSuite) shutGracefully(r *run) {
	live, cancel := context.WithCancel(background)
	defer cancel()
	for _, ctx := range []context.Context{background, live} {
		before := harness.GoroutinesNow()
		p := s.start(r, 2)
		free := blockWorkers(r, p, 2)
		var ran atomic.Int32
		all := submitAll(r, p, numbered(20, &ran))
		done := make(chan error, 1)
		go func() { done <- p.Shutdown(ctx) }()
		refused(r, p)
		free()
		gets(r, "Shutdown of a pool whose jobs end", done, nil)
		r.Check(ran.Load() == 20, "P6", "Shutdown has returned, and of 20 jobs that were accepted %d have run", ran.Load())
		for i, h := range all {
			r.Check(await(r, h) == i, "P6", "a job that was accepted before Shutdown gave a wrong result")
		}
		r.Check(p.Shutdown(ctx) == nil && p.Shutdown(endedAlready()) == nil && p.Close() == nil, "P6", "the end of a pool that has ended returned an error")
		r.UnwatchPool(p)
		err := harness.GoroutinesSince(before)
		r.Check(err == nil, "P8", "goroutines are left after Shutdown: %v", err)
	}
}

// refused waits until a pool accepts nothing, in each way to hand a job over.
func refused(r *run, p *pool.Pool) {
	r.T.Helper()
	r.During("P6", "submissions are refused once Shutdown was called")
	r.Until(func() bool {
		probe, err := pool.Submit(p, func(*pool.Worker) int { return 0 })
		if err == nil {
			probe.Cancel()
		}
		return errors.Is(err, pool.ErrClosed)
	})
	_, all := pool.SubmitAll(p, []func(*pool.Worker) int{func(*pool.Worker) int { return 0 }})
	_, one := pool.SubmitErr(background, p, func(context.Context, *pool.Worker) (int, error) { return 0, nil })
	_, run := pool.Run(background, p, fib, 1)
	unheld := pool.Go(p, func(*pool.Worker) {})
	for _, err := range []error{all, one, run, unheld} {
		r.Check(err == pool.ErrClosed, "P6", "a submission after Shutdown returned %v, want ErrClosed", err)
	}
}

// shutQueued has jobs of each kind wait for the workers.
func (s poolSuite) shutQueued(r *run) {
	for _, workers := range []int{1, 3} {
		before := harness.GoroutinesNow()
		p := s.start(r, workers)
		free := blockWorkers(r, p, workers)
		began := func() int { r.Report("P25", "a job began that Shutdown had taken back"); return 7 }
		fn := func(*pool.Worker) int { return began() }
		failing := func(context.Context, *pool.Worker) (int, error) { return began(), nil }
		ctx, cancel := context.WithCancel(background)
		handles := submitAll(r, p, []func(*pool.Worker) int{fn, fn, fn})
		for range 40 {
			handles = append(handles, submit(r, p, fn), submitErr(r, p, ctx, failing))
		}
		r.Check(pool.Go(p, func(*pool.Worker) { began() }) == nil, "P7", "Go returned an error")
		runs := make(chan error, 2)
		var queued []chan struct{}
		for range 2 {
			queued = append(queued, whenQueued(r, p, func() {
				_, err := pool.Run(ctx, p, func(*pool.Worker, int) int { return began() }, 0)
				runs <- err
			}))
		}
		waits := make(chan error, 1)
		go func() {
			_, err := handles[0].Wait(background)
			waits <- err
		}()
		s.joinElsewhere(r, handles[1], func() { shut(r, p) })
		for _, done := range queued {
			r.Wait(done)
			gets(r, "a Run that Shutdown has taken back", runs, pool.ErrCanceled)
		}
		gets(r, "a Wait for a job that Shutdown has taken back", waits, pool.ErrCanceled)
		for _, h := range handles {
			told(r, h)
		}
		cancel()
		refused(r, p)
		free()
		err := harness.GoroutinesSince(before)
		r.Check(err == nil, "P25", "goroutines are left of a pool that was shut down, and whose jobs have ended: %v", err)
		endedPool(r, p)
	}
}

// joinElsewhere has a job of another pool wait for one that Shutdown takes back.
func (s poolSuite) joinElsewhere(r *run, h *pool.Handle[int], shut func()) {
	p := s.start(r, 1)
	joins := make(chan struct{})
	j := submit(r, p, func(w *pool.Worker) error {
		close(joins)
		_, err := h.Join(w)
		return err
	})
	r.During("P5", "a job begins")
	r.Wait(joins)
	shut()
	r.During("P25", "a job learns that Shutdown has taken back the job that it waits for")
	r.Wait(j.Done())
	r.Check(await(r, j) == pool.ErrCanceled, "P25", "Join of a job that Shutdown has taken back did not return ErrCanceled")
	s.close(r, p)
}

// shutBatch has one worker take jobs along with one that it runs. The other one is busy.
func (s poolSuite) shutBatch(r *run) {
	p := s.start(r, 2)
	free, freeOther := blockWorkers(r, p, 1), blockWorkers(r, p, 1)
	begun, end := make(chan struct{}), make(chan struct{})
	runs := submit(r, p, func(*pool.Worker) int { close(begun); r.Receive(end); return 7 })
	fn := func(*pool.Worker) int { r.Report("P25", "a job began that Shutdown had taken back"); return 0 }
	var handles []*pool.Handle[int]
	for range 40 {
		handles = append(handles, submit(r, p, fn))
	}
	go free()
	r.During("P5", "a queued job begins")
	r.Wait(begun)
	shut(r, p)
	for _, h := range handles {
		told(r, h)
	}
	close(end)
	freeOther()
	r.Check(await(r, runs) == 7, "P25", "a job that ran as the pool was shut down gave a wrong result")
	endedPool(r, p)
}

// shutLater has the context end while Shutdown waits.
func (s poolSuite) shutLater(r *run) {
	p := s.start(r, 1)
	free := blockWorkers(r, p, 1)
	h := submit(r, p, func(*pool.Worker) int { r.Report("P25", "a job began that Shutdown had taken back"); return 0 })
	ctx, pass := newTimely()
	seen, done := watch(ctx), make(chan error, 1)
	go func() { done <- p.Shutdown(seen) }()
	r.During("P25", "Shutdown waits")
	r.Wait(seen.waited)
	select {
	case err := <-done:
		r.Fail("P25", "Shutdown returned %v, its context has not ended, and a job runs", err)
	case <-h.Done():
		r.Fail("P25", "a job was taken back before the context of Shutdown has ended")
	default:
	}
	pass()
	gets(r, "Shutdown, whose context has ended,", done, context.DeadlineExceeded)
	told(r, h)
	closed := make(chan error, 1)
	go func() { closed <- p.Close() }()
	free()
	gets(r, "Close after Shutdown", closed, nil)
	r.UnwatchPool(p)
}

// shutByMany has others close the pool and shut it down at the same time.
func (s poolSuite) shutByMany(r *run) {
	r.Rounds(4, func(int) {
		p := s.start(r, 1)
		free := blockWorkers(r, p, 1)
		handles := []*pool.Handle[int]{
			submit(r, p, func(*pool.Worker) int { return 0 }),
			submit(r, p, func(*pool.Worker) int { return 0 }),
		}
		graceful := make(chan error, 2)
		go func() { graceful <- p.Close() }()
		go func() { graceful <- p.Shutdown(background) }()
		harness.Pause(r.RNG)
		r.Together(func() { shut(r, p) }, func() { shut(r, p) }, func() { shut(r, p) })
		for _, h := range handles {
			told(r, h)
		}
		select {
		case err := <-graceful:
			r.Fail("P6", "Close returned %v, and a job runs", err)
		default:
		}
		free()
		for range 2 {
			gets(r, "Close beside Shutdown", graceful, nil)
		}
		r.UnwatchPool(p)
	})
}

// shutInJob has jobs of the pool call Shutdown.
func (s poolSuite) shutInJob(r *run) {
	p := s.start(r, 2)
	r.During("P25", "Shutdown returns that is called by a job of the pool")
	for _, ctx := range []context.Context{background, endedAlready()} {
		call := func(w *pool.Worker) error {
			var inBlock error
			w.Block(func() { inBlock = p.Shutdown(ctx) })
			if inBlock != pool.ErrCloseInJob {
				r.Report("P25", "Shutdown in Block in a job returned %v, want ErrCloseInJob", inBlock)
			}
			return p.Shutdown(ctx)
		}
		r.Check(enter(r, p, call) == pool.ErrCloseInJob, "P25", "Shutdown in a Run did not return ErrCloseInJob")
		r.Check(await(r, submit(r, p, call)) == pool.ErrCloseInJob, "P25", "Shutdown in a submitted job did not return ErrCloseInJob")
	}
	fullWidth(r, p)
	s.close(r, p)
}

// shutInOther has the job of another pool's only worker call Shutdown. A job of the pool
// needs that worker.
func (s poolSuite) shutInOther(r *run) {
	p, q := s.start(r, 1), s.start(r, 1)
	live, cancel := context.WithCancel(background)
	defer cancel()
	shutting := watch(live)
	h := submit(r, p, func(*pool.Worker) int {
		r.Receive(shutting.waited)
		runOn(r, q, func(*pool.Worker) {})
		return 7
	})
	j := submit(r, q, func(*pool.Worker) error { return p.Shutdown(shutting) })
	r.During("P4", "Shutdown returns in a job of another pool, whose only worker a job needs of the one that is shut down")
	r.Wait(j.Done())
	r.Check(await(r, j) == nil, "P25", "Shutdown in a job of another pool returned an error")
	r.Check(await(r, h) == 7, "P25", "a job that ran as the pool was shut down gave a wrong result")
	r.UnwatchPool(p)
	fullWidth(r, q)
	s.close(r, q)
}

// shutBesideForks shuts a pool down while a job runs whose forks and spawned jobs lie
// beside those that are taken back. Other workers run them.
func (s poolSuite) shutBesideForks(r *run) {
	const workers = 3
	p := s.start(r, workers)
	free := blockWorkers(r, p, workers-1)
	var handles []*pool.Handle[int]
	ready, shutDown := make(chan struct{}), make(chan struct{})
	var ran atomic.Int32
	runs := submit(r, p, func(w *pool.Worker) int {
		forks, all := forkMeeting(w, workers-1)
		pool.LoopsOf(w).Publish()
		close(ready)
		r.Receive(shutDown)
		r.Receive(all) // the others have begun the forks
		for _, f := range forks {
			f.Join(w)
		}
		w.Scope(func(w *pool.Worker, s *pool.Scope) {
			for range 20 {
				s.Spawn(w, func(w *pool.Worker) { ran.Add(int32(fib(w, 2))) })
			}
		})
		return 7
	})
	r.During("P5", "a job begins")
	r.Wait(ready)
	for range 5 {
		handles = append(handles, submit(r, p, func(*pool.Worker) int { return 0 }))
	}
	shut(r, p)
	for _, h := range handles {
		told(r, h)
	}
	close(shutDown)
	free()
	r.During("P5", "other workers begin the forks of a job that runs as the pool is shut down")
	r.Wait(runs.Done())
	r.Check(await(r, runs) == 7 && ran.Load() == 20, "P25", "a job that ran as the pool was shut down gave a wrong result, or %d of its 20 spawned jobs have run", ran.Load())
	endedPool(r, p)
}

// shutRacesSubmit submits while the pool is shut down: whatever was accepted runs, or is
// taken back although the only worker is busy.
func (s poolSuite) shutRacesSubmit(r *run) {
	r.Rounds(10, func(int) {
		p := s.start(r, 1)
		free := blockWorkers(r, p, 1)
		var ran atomic.Int32
		accepted := make(chan *pool.Handle[int], 100)
		submits := func() {
			for range 10 {
				if h, err := pool.Submit(p, func(*pool.Worker) int { return int(ran.Add(1)) }); err == nil {
					accepted <- h
				}
				all, _ := pool.SubmitAll(p, numbered(2, &ran))
				for _, h := range all {
					accepted <- h
				}
			}
		}
		r.Together(submits, submits, func() { shut(r, p) })
		close(accepted)
		for h := range accepted {
			told(r, h)
		}
		free()
		endedPool(r, p)
		r.Check(ran.Load() == 0, "P25", "%d jobs ran that Shutdown had taken back", ran.Load())
	})
}
