package conformance

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/rouse-go/rouse/conformance/internal/harness"
	"github.com/rouse-go/rouse/pool"
)

// What WithQueueLimit promises.
var poolRoom = []ownCase{
	{"full", poolSuite.roomFull},
	{"taken_with_others", poolSuite.roomOfBatch},
	{"in_order", poolSuite.roomInOrder},
	{"given_up", poolSuite.roomGivenUp},
	{"freed_by_Cancel", poolSuite.roomCanceled},
	{"closed", poolSuite.roomCloses},
	{"kept", poolSuite.roomKept},
}

// poolRoomInJobs have jobs wait for room, without their workers.
var poolRoomInJobs = []ownCase{
	{"in_a_job", poolSuite.roomInJob},
	{"mutual_pools", poolSuite.roomOfMutualPools},
	{"not_for_begun", poolSuite.roomForWaitingOnly},
}

// A watched context tells when somebody has begun to wait for its end. A Wait does when it
// is one of those that wait for the job, and a caller that waits for room when it has its
// place.
type watched struct {
	context.Context
	once   *sync.Once
	waited chan struct{}
}

func watch(ctx context.Context) watched {
	return watched{ctx, new(sync.Once), make(chan struct{})}
}

func (c watched) Done() <-chan struct{} {
	c.once.Do(func() { close(c.waited) })
	return c.Context.Done()
}

// limited returns a pool whose workers are blocked until free is called.
func (s poolSuite) limited(r *run, workers, limit int) (p *pool.Pool, free func()) {
	r.T.Helper()
	p = s.start(r, workers, pool.WithQueueLimit(limit))
	return p, blockWorkers(r, p, workers)
}

// fill submits as many jobs as there is room for, none of which can begin, and checks
// how many those are.
func fill(r *run, p *pool.Pool, room int) (handles []*pool.Handle[int]) {
	r.T.Helper()
	for i := range room {
		h, err := pool.Submit(p, func(*pool.Worker) int { return i })
		r.Check(err == nil, "P23", "with room for %d jobs, Submit of job %d returned %v", room, i, err)
		handles = append(handles, h)
	}
	h, err := pool.Submit(p, func(*pool.Worker) int { return 0 })
	r.Check(h == nil && err == pool.ErrFull, "P23", "%d jobs wait, and Submit of one more than there is room for returned %v, want ErrFull", room, err)
	return handles
}

// comes calls Run, RunErr or SubmitErr, which has to wait for room, on a
// goroutine, and returns when it does. The error is what it returned, or Wait has.
func comes(r *run, p *pool.Pool, how int, ctx context.Context, fn func()) (err chan error) {
	r.T.Helper()
	err = make(chan error, 1)
	seen := watch(ctx)
	go func() {
		switch how % 3 {
		case 0:
			_, e := pool.Run(seen, p, func(*pool.Worker, int) int { fn(); return 0 }, 0)
			err <- e
		case 1:
			_, e := pool.RunErr(seen, p, func(context.Context, *pool.Worker, int) (int, error) { fn(); return 0, nil }, 0)
			err <- e
		case 2:
			h, e := pool.SubmitErr(seen, p, func(context.Context, *pool.Worker) (int, error) { fn(); return 0, nil })
			if e == nil {
				_, e = h.Wait(background)
			}
			err <- e
		}
	}()
	r.During("P23", "a caller waits for room")
	r.Wait(seen.waited)
	return err
}

// gets waits for an error.
func gets(r *run, what string, ch <-chan error, want error) {
	r.T.Helper()
	done := make(chan struct{})
	var got error
	go func() {
		defer close(done)
		select {
		case got = <-ch:
		case <-r.Failure():
		}
	}()
	r.During("P23", "%s returns", what)
	r.Wait(done)
	r.Check(got == want, "P23", "%s returned %v, want %v", what, got, want)
}

// roomFull fills queues, by Submit, Go and SubmitAll.
func (s poolSuite) roomFull(r *run) {
	for _, workers := range []int{1, 2} {
		const limit = 5
		p, free := s.limited(r, workers, limit)
		var ran atomic.Int32
		all, err := pool.SubmitAll(p, numbered(limit+1, &ran))
		r.Check(all == nil && err == pool.ErrFull, "P23", "SubmitAll of more jobs than there can be room for returned %v, want ErrFull", err)
		submitAll(r, p, numbered(2, &ran))
		err = pool.Go(p, func(*pool.Worker) { ran.Add(1) })
		r.Check(err == nil, "P23", "there is room, and Go returned %v", err)
		all, err = pool.SubmitAll(p, numbered(limit-2, &ran))
		r.Check(all == nil && err == pool.ErrFull, "P23", "SubmitAll of one job more than there is room for returned %v, want ErrFull", err)
		handles := slices.Concat(submitAll(r, p, numbered(limit-4, &ran)), fill(r, p, 1))
		all, err = pool.SubmitAll(p, numbered(1, &ran))
		r.Check(all == nil && err == pool.ErrFull, "P23", "SubmitAll of a job that there is no room for returned %v, want ErrFull", err)
		err = pool.Go(p, func(*pool.Worker) { ran.Add(100) })
		r.Check(err == pool.ErrFull, "P23", "Go of a job that there is no room for returned %v, want ErrFull", err)
		submitAll(r, p, nil)
		free()
		for _, h := range handles {
			await(r, h)
		}
		free = blockWorkers(r, p, workers)
		fill(r, p, limit)
		free()
		s.close(r, p)
		r.Check(ran.Load() == limit-1, "P23", "of jobs that were accepted or refused %d ran, want the %d that were accepted", ran.Load(), limit-1)
	}
}

// roomOfBatch has one worker begin a job, which blocks, and take others along, which
// have not begun. The other worker is busy.
func (s poolSuite) roomOfBatch(r *run) {
	const limit = 20
	p := s.start(r, 2, pool.WithQueueLimit(limit))
	free, freeOther := blockWorkers(r, p, 1), blockWorkers(r, p, 1)
	begun, end := make(chan struct{}), make(chan struct{})
	submit(r, p, func(*pool.Worker) int { close(begun); r.Receive(end); return 0 })
	fill(r, p, limit-1)
	go free()
	r.During("P23", "a queued job begins")
	r.Wait(begun)
	fill(r, p, 1)
	close(end)
	freeOther()
	s.close(r, p)
}

// roomInOrder has callers wait for room, one after the other.
func (s poolSuite) roomInOrder(r *run) {
	p, free := s.limited(r, 1, 1)
	fill(r, p, 1)
	var order []int // of the only worker
	var came []chan error
	for i := range 6 {
		came = append(came, comes(r, p, i, background, func() { order = append(order, i) }))
	}
	free()
	for _, c := range came {
		gets(r, "a call that has waited for room", c, nil)
	}
	r.Check(slices.IsSorted(order) && len(order) == 6, "P23", "six callers have waited for room, and have got it in the order %v", order)
	s.close(r, p)
}

// roomGivenUp has the contexts of some callers end while they wait.
func (s poolSuite) roomGivenUp(r *run) {
	p, free := s.limited(r, 2, 1)
	fill(r, p, 1)
	var ran atomic.Int32
	ctx, cancel := context.WithCancelCause(background)
	late, pass := newTimely()
	var stay, leave, passed []chan error
	for how := range 3 {
		stay = append(stay, comes(r, p, how, background, func() { ran.Add(1) }))
		leave = append(leave, comes(r, p, how, ctx, func() { ran.Add(100) }))
		passed = append(passed, comes(r, p, how, late, func() { ran.Add(100) }))
	}
	cancel(&thrown{"not the error of the context"})
	pass()
	for how := range 3 {
		gets(r, "a call whose context has ended while it waited for room", leave[how], context.Canceled)
		gets(r, "a call whose deadline has passed while it waited for room", passed[how], context.DeadlineExceeded)
	}
	fill(r, p, 0)
	free()
	for _, c := range stay {
		gets(r, "a call that has waited for room beside others that gave up", c, nil)
	}
	s.close(r, p)
	r.Check(ran.Load() == 3, "P23", "three callers have waited for room, six gave up, and the functions ran %d times", ran.Load())
}

// roomCanceled takes jobs back. Others get their room at once.
func (s poolSuite) roomCanceled(r *run) {
	p, free := s.limited(r, 1, 2)
	handles := fill(r, p, 2)
	r.Check(handles[0].Cancel(), "P20", "Cancel of a job that waits for a worker returned false")
	r.Check(handles[0].Cancel(), "P20", "the second Cancel of a job that was canceled returned false")
	handles[0] = fill(r, p, 1)[0]
	ctx, cancel := context.WithCancel(background)
	r.Check(handles[1].Cancel(), "P20", "Cancel of a job that waits for a worker returned false")
	h := submitErr(r, p, ctx, func(context.Context, *pool.Worker) (int, error) { return 7, nil })
	fill(r, p, 0)
	cancel()
	_, err := h.Wait(background)
	r.Check(err == context.Canceled, "P20", "Wait for a job whose context has ended returned %v, want its error", err)
	fill(r, p, 1)
	came := comes(r, p, 2, background, func() {})
	r.Check(handles[0].Cancel(), "P20", "Cancel of a job that waits for a worker returned false")
	fill(r, p, 0) // the waiting submission has it
	free()
	gets(r, "a call that has waited for the room of a job that was canceled", came, nil)
	free = blockWorkers(r, p, 1)
	fill(r, p, 2)
	free()
	s.close(r, p)
}

// roomCloses closes pools while callers wait for room.
func (s poolSuite) roomCloses(r *run) {
	for _, end := range []func(p *pool.Pool) error{
		func(p *pool.Pool) error { return p.Close() },
		func(p *pool.Pool) error { return p.Shutdown(background) },
		func(p *pool.Pool) error {
			p.Shutdown(endedAlready())
			return p.Close()
		},
	} {
		p, free := s.limited(r, 1, 1)
		fill(r, p, 1)
		var came []chan error
		for how := range 3 {
			came = append(came, comes(r, p, how, background, func() { r.Report("P6", "a function ran that was refused") }))
		}
		closed := make(chan error, 1)
		go func() { closed <- end(p) }()
		for _, c := range came {
			gets(r, "a call that waited for room as the pool closed", c, pool.ErrClosed)
		}
		free()
		gets(r, "the end of a pool for whose room callers waited", closed, nil)
		r.UnwatchPool(p)
	}
}

func endedAlready() context.Context {
	ctx, cancel := context.WithCancel(background)
	cancel()
	return ctx
}

// roomInJob has jobs of the only worker wait for room: they leave that to the jobs that
// have it.
func (s poolSuite) roomInJob(r *run) {
	p := s.start(r, 1, pool.WithQueueLimit(1))
	submits := func(w *pool.Worker) int {
		var handles []*pool.Handle[int]
		for range 3 {
			h, err := pool.SubmitErr(background, p, func(context.Context, *pool.Worker) (int, error) { return 1, nil })
			if err != nil {
				r.Report("P23", "SubmitErr in a job returned the error %v", err)
				return 0
			}
			handles = append(handles, h)
		}
		sum := 0
		for _, h := range handles {
			n, _ := h.Join(w)
			sum += n
		}
		return sum
	}
	r.During("P23", "a job of the only worker submits more than there is room for, and waits for room")
	r.Check(enter(r, p, submits) == 3, "P23", "jobs that a job has submitted gave a wrong result")
	r.Check(await(r, submit(r, p, submits)) == 3, "P23", "jobs that a job has submitted gave a wrong result")
	r.During("P23", "a job in Block submits more than there is room for, and waits for room")
	h := submit(r, p, func(w *pool.Worker) (sum int) {
		w.Block(func() { sum = submits(w) })
		return sum
	})
	r.Check(await(r, h) == 3, "P23", "jobs that a job in Block has submitted gave a wrong result")
	r.During("P23", "a job of another pool's only worker waits for room")
	other := s.start(r, 1)
	r.Check(enter(r, other, submits) == 3, "P23", "jobs that a job of another pool has submitted gave a wrong result")
	s.close(r, other)
	fullWidth(r, p)
	s.close(r, p)
}

// roomOfMutualPools has a job of p call Run on q, where it waits for room, and the
// function call Run on p. The job must leave p's only worker to that, not only while it
// waits for room.
func (s poolSuite) roomOfMutualPools(r *run) {
	p := s.start(r, 1, pool.WithQueueLimit(1))
	q, free := s.limited(r, 1, 1)
	fill(r, q, 1)
	ctx := watch(background)
	h := submit(r, p, func(*pool.Worker) error {
		_, err := pool.Run(ctx, q, func(*pool.Worker, int) int {
			runOn(r, p, func(*pool.Worker) {})
			return 0
		}, 0)
		return err
	})
	r.During("P23", "a job of another pool waits for room")
	r.Wait(ctx.waited)
	free()
	r.During("P4", "a Run returns from a job of p, which has waited for room in q, and whose function calls Run on p")
	r.Check(await(r, h) == nil, "P23", "Run returned an error to a job of another pool")
	s.close(r, p)
	s.close(r, q)
}

// roomForWaitingOnly has more jobs in Block than there is room for, and forks and jobs of
// scopes while there is none.
func (s poolSuite) roomForWaitingOnly(r *run) {
	p := s.start(r, 1, pool.WithQueueLimit(1))
	end := make(chan struct{})
	var handles []*pool.Handle[int]
	for range 10 {
		begun := make(chan struct{})
		handles = append(handles, submit(r, p, func(w *pool.Worker) int {
			w.Block(func() { close(begun); r.Receive(end) })
			return 0
		}))
		r.During("P23", "a job begins while others are in Block")
		r.Wait(begun)
	}
	close(end)
	for _, h := range handles {
		await(r, h)
	}
	var ran atomic.Int32
	enter(r, p, func(w *pool.Worker) error {
		submitInside(r, p, 1, func() int { return 0 })
		w.Scope(func(w *pool.Worker, s *pool.Scope) {
			for range 20 {
				s.Spawn(w, func(w *pool.Worker) { ran.Add(int32(fib(w, 2))) })
			}
		})
		return w.Group(background, func(_ context.Context, w *pool.Worker, g *pool.Group) error {
			for range 20 {
				g.Spawn(w, func(context.Context, *pool.Worker) error { ran.Add(1); return nil })
			}
			return nil
		})
	})
	r.Check(ran.Load() == 40, "P23", "of 40 jobs of a scope and a group %d ran, in a pool with a full queue", ran.Load())
	s.close(r, p)
}

// roomKept does everything at once, and looks how much room is left.
func (s poolSuite) roomKept(r *run) {
	const limit = 2
	p := s.start(r, 2, pool.WithQueueLimit(limit))
	r.Rounds(4, func(int) {
		r.During("P23", "many callers at once are accepted, refused, or give up")
		var callers []func()
		for i := range 6 {
			rng := harness.NewRNG()
			callers = append(callers, func() {
				for range 20 {
					ctx, cancel := context.WithCancel(background)
					var ran atomic.Int32
					fn := func(context.Context, *pool.Worker) (int, error) { return int(ran.Add(1)), nil }
					if rng.IntN(2) == 0 {
						go func() { harness.Pause(harness.NewRNG()); cancel() }()
					}
					switch (i + rng.IntN(2)) % 4 {
					case 0:
						pool.Run(ctx, p, func(w *pool.Worker, n int) int { return fib(w, n) }, 3)
					case 1:
						if h, err := pool.SubmitErr(ctx, p, fn); err == nil {
							_, err := h.Wait(background)
							if n := ran.Load(); (err == nil) != (n == 1) {
								r.Report("P20", "Wait for a job whose context ends at some time returned %v, and it has run %d times", err, n)
							}
						}
					case 2:
						if h, err := pool.Submit(p, func(*pool.Worker) int { return 0 }); err == nil && !h.Cancel() {
							h.Wait(background)
						}
					case 3:
						all, _ := pool.SubmitAll(p, numbered(2, &ran))
						for _, h := range all {
							h.Wait(background)
						}
					}
					cancel()
				}
			})
		}
		r.Together(callers...)
		free := blockWorkers(r, p, p.Workers())
		fill(r, p, limit)
		free()
	})
	s.close(r, p)
}
