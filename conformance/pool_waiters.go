package conformance

import (
	"context"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/rouse-go/rouse/pool"
)

// Several waiters of one job, and a job that ends before the context does.
var poolWaiters = []poolCase{
	{"Waiters/joiner_then_outsider", "P1", 2, joinerThenOutsider},
	{"Waiters/job_then_outsider", "P1", 2, func(r *run, p *pool.Pool) { waitInOrder(r, p, waitInJob, waitOutside) }},
	{"Waiters/outsider_then_job", "P1", 2, func(r *run, p *pool.Pool) { waitInOrder(r, p, waitOutside, waitInJob) }},
	{"Waiters/mixed", "P1", 2, func(r *run, p *pool.Pool) {
		waitInOrder(r, p, waitInJob, waitOutside, waitInJob, waitInJob, waitOutside, waitOutside)
	}},
	{"Waiters/give_up_in_turn", "P8", 2, giveUpInTurn},
	{"Waiters/given_up", "P1", 2, givenUp},
}

// poolResultsFirst are about what a wait returns that could return something else.
var poolResultsFirst = []poolCase{
	{"Waiters/result_first", "P1", 2, resultFirst},
	{"Waiters/result_as_context_ends", "P1", 2, resultAsContextEnds},
	{"Waiters/ends_own_context", "P1", 1, endsOwnContext},
}

// A noticing is a context that tells when a wait asks for its end, which it does
// once it is among the waiters.
type noticing struct {
	context.Context
	once  sync.Once
	asked chan struct{}
}

func newNoticing(ctx context.Context) *noticing {
	return &noticing{Context: ctx, asked: make(chan struct{})}
}

func (c *noticing) Done() <-chan struct{} {
	c.once.Do(func() { close(c.asked) })
	return c.Context.Done()
}

// A waitKind waits for a job: as another job, or as a goroutine outside.
type waitKind func(p *pool.Pool, h *pool.Handle[int], ctx context.Context) (int, error)

func waitOutside(_ *pool.Pool, h *pool.Handle[int], ctx context.Context) (int, error) {
	return h.Wait(ctx)
}

func waitInJob(p *pool.Pool, h *pool.Handle[int], ctx context.Context) (n int, err error) {
	_, refused := pool.Run(background, p, func(*pool.Worker, int) int {
		n, err = h.Wait(ctx)
		return 0
	}, 0)
	if refused != nil {
		return 0, refused
	}
	return n, err
}

func waitInBlock(p *pool.Pool, h *pool.Handle[int], ctx context.Context) (n int, err error) {
	_, refused := pool.Run(background, p, func(w *pool.Worker, _ int) int {
		w.Block(func() { n, err = h.Wait(ctx) })
		return 0
	}, 0)
	if refused != nil {
		return 0, refused
	}
	return n, err
}

// givenUp has the context of a wait end before the job, which ends only then.
func givenUp(r *run, p *pool.Pool) {
	for _, wait := range []waitKind{waitInJob, waitOutside, waitInBlock} {
		for _, early := range []bool{true, false} {
			gate, done := make(chan struct{}), make(chan struct{})
			h := submit(r, p, func(*pool.Worker) int { r.Receive(gate); return 7 })
			ctx, cancel := context.WithCancelCause(background)
			if early {
				cancel(&thrown{"why"})
			}
			seen := watch(ctx)
			go func() {
				defer close(done)
				if n, err := wait(p, h, seen); err != context.Canceled {
					r.Report("P1", "Wait, whose context ended and whose job did not, returned %d, %v, want the error of the context", n, err)
				}
			}()
			if !early {
				r.During("P1", "a Wait is one of those that wait for the job")
				r.Wait(seen.waited)
			}
			cancel(&thrown{"why"})
			r.During("P1", "Wait returns whose context has ended while its job runs")
			r.Wait(done)
			close(gate)
			r.Check(await(r, h) == 7, "P1", "a job for which a Wait was given up gives a wrong result")
		}
	}
}

// endsOwnContext has a Run that has waited for the only worker end its own context.
// Its function has begun by then, so what comes of that is what Run returns.
func endsOwnContext(r *run, p *pool.Pool) {
	value := &thrown{"after the end of the context"}
	for _, panics := range []bool{false, true} {
		free, done := blockWorkers(r, p, p.Workers()), make(chan struct{})
		ctx, cancel := context.WithCancel(background)
		queued := p.Stats().Injected
		go func() {
			defer close(done)
			var n int
			var err error
			got := caught(func() {
				n, err = pool.Run(ctx, p, func(*pool.Worker, int) int {
					cancel()
					if panics {
						panic(value)
					}
					return 7
				}, 0)
			})
			switch {
			case panics && got != any(value):
				r.Report("P2", "Run, whose function panicked after the end of its context, panicked with %v (and returned %d, %v), want %v", got, n, err, value)
			case !panics && (n != 7 || err != nil):
				r.Report("P1", "Run, whose context ended after its function had begun, returned %d, %v, want 7", n, err)
			}
		}()
		r.During("P1", "Run waits for the only worker")
		r.Until(func() bool { return p.Stats().Injected > queued })
		free()
		r.During("P1", "Run returns whose function ends its context")
		r.Wait(done)
		cancel()
	}
	fullWidth(r, p)
}

// waitInOrder has waiters of those kinds wait for one job, each of which begins to
// wait when the one before it does. Then the job ends.
func waitInOrder(r *run, p *pool.Pool, kinds ...waitKind) {
	for range 3 {
		gate := make(chan struct{})
		h := submit(r, p, func(*pool.Worker) int { r.Receive(gate); return 7 })
		// One that can end: nobody waits for the end of the background.
		ctx, cancel := context.WithCancel(background)
		var all []chan struct{}
		for i, wait := range kinds {
			notices, done := newNoticing(ctx), make(chan struct{})
			go func() {
				defer close(done)
				if n, err := wait(p, h, notices); n != 7 || err != nil {
					r.Report("P1", "of those that wait for one job, number %d got %d, %v, want 7", i, n, err)
				}
			}()
			r.During("P1", "number %d of those that wait for one job begins to wait", i)
			r.Wait(notices.asked)
			all = append(all, done)
		}
		close(gate)
		for i, done := range slices.Backward(all) {
			r.During("P1", "the wait for a job that has ended, of number %d of those that wait for it", i)
			r.Wait(done)
		}
		cancel()
	}
	fullWidth(r, p)
}

// joinerThenOutsider has a job join another one for good, and then somebody outside wait for
// that, until a context ends.
func joinerThenOutsider(r *run, p *pool.Pool) {
	gate := make(chan struct{})
	h := submit(r, p, func(*pool.Worker) int { r.Receive(gate); return 7 })
	aside := p.Stats().SetAside
	joins := submit(r, p, func(w *pool.Worker) int { n, _ := h.Join(w); return n })
	r.During("P16", "a job that joins another one is set aside")
	r.Until(func() bool { return p.Stats().SetAside > aside })
	ctx, cancel := context.WithCancel(background)
	defer cancel()
	notices, done := newNoticing(ctx), make(chan struct{})
	go func() {
		defer close(done)
		if n, err := waitOutside(p, h, notices); n != 7 || err != nil {
			r.Report("P1", "a Wait outside, for a job that another one joins, returned %d, %v, want 7", n, err)
		}
	}()
	r.During("P1", "a Wait outside begins, for a job that another one joins")
	r.Wait(notices.asked)
	close(gate)
	r.During("P1", "a Wait outside ends, for a job that another one has joined")
	r.Wait(done)
	r.Check(await(r, joins) == 7, "P1", "Join of a job returned something else than its result")
	fullWidth(r, p)
}

// An endsWhenAsked is a context that ends when it is asked whether it has, but not
// before the job has ended.
type endsWhenAsked struct {
	context.Context
	end      context.CancelFunc
	jobEnded *atomic.Bool
}

func (c endsWhenAsked) Err() error {
	if c.jobEnded.Load() {
		c.end()
	}
	return c.Context.Err()
}

// resultFirst has the context of a wait end, but after the job.
func resultFirst(r *run, p *pool.Pool) {
	for _, wait := range []waitKind{waitInJob, waitOutside} {
		for range 5 {
			var ended atomic.Bool
			ctx, cancel := context.WithCancel(background)
			notices := newNoticing(ctx)
			h := submit(r, p, func(*pool.Worker) int {
				r.Receive(notices.asked)
				ended.Store(true)
				return 7
			})
			r.During("P1", "Wait returns for a job that has ended")
			n, err := wait(p, h, endsWhenAsked{notices, cancel, &ended})
			r.Check(n == 7 && err == nil, "P1", "Wait returned %d, %v for a job that returned 7 before the context ended", n, err)
			// It has ended long since, and so has the context now.
			cancel()
			n, err = wait(p, h, ctx)
			r.Check(n == 7 && err == nil, "P1", "Wait returned %d, %v for a job that had returned 7 before the call", n, err)
		}
	}
}

// An endsWhenAwaited is a context that calls end when a wait first asks for its end.
type endsWhenAwaited struct {
	context.Context
	once sync.Once
	end  func()
}

func (c *endsWhenAwaited) Done() <-chan struct{} {
	c.once.Do(c.end)
	return c.Context.Done()
}

// resultAsContextEnds has the job end, and then the context, before a wait has looked
// at either.
func resultAsContextEnds(r *run, p *pool.Pool) {
	for _, wait := range []waitKind{waitInJob, waitOutside, waitInBlock} {
		for range 20 {
			gate, ended := make(chan struct{}), make(chan struct{})
			h := submit(r, p, func(*pool.Worker) int { r.Receive(gate); return 7 })
			go func() {
				defer close(ended)
				h.Wait(background)
			}()
			ctx, cancel := context.WithCancel(background)
			r.During("P1", "Wait returns for a job that has ended, and whose context has ended after it")
			n, err := wait(p, h, &endsWhenAwaited{Context: ctx, end: func() {
				close(gate)
				r.Receive(ended)
				cancel()
			}})
			r.Check(n == 7 && err == nil, "P1", "Wait returned %d, %v for a job that had returned 7 before the context ended", n, err)
		}
	}
}

// giveUpInTurn has pairs of goroutines wait for a job and give up, the later one
// first. The job goes on, and must not keep what is left of them.
func giveUpInTurn(r *run, p *pool.Pool) {
	const pairs = 500
	gate := make(chan struct{})
	h := submit(r, p, func(*pool.Worker) int { r.Receive(gate); return 7 })
	waits := func() (giveUp func()) {
		ctx, cancel := context.WithCancel(background)
		notices, done := newNoticing(ctx), make(chan struct{})
		go func() {
			defer close(done)
			h.Wait(notices)
		}()
		r.Wait(notices.asked)
		return func() {
			cancel()
			r.Wait(done)
		}
	}
	inUse := func() uint64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return m.HeapObjects
	}
	r.During("P1", "Wait returns whose context has ended while its job runs")
	var before uint64
	for pair := range 2 * pairs {
		if pair == pairs {
			before = inUse()
		}
		first, second := waits(), waits()
		second()
		first()
	}
	// Each that is kept has some objects of its own.
	if after := inUse(); after > before+pairs {
		r.Report("P8", "%d waits for a job, given up while it runs, leave %d objects in memory", 2*pairs, after-before)
	}
	close(gate)
	await(r, h)
}

// waitForAnotherPool has a job of p wait for one of q, while others take the worker of
// p that it leaves. When the other job has ended, q's only worker is q's.
func (s poolSuite) waitForAnotherPool(r *run) {
	p, q := s.start(r, 1), s.start(r, 1)
	for range 5 {
		held, free, visited := make(chan struct{}), make(chan struct{}), make(chan struct{})
		enter(r, p, func(w *pool.Worker) int {
			aside := p.Stats().SetAside
			h := submit(r, q, func(*pool.Worker) int {
				r.Receive(held)
				r.Until(func() bool { return p.Stats().SetAside > aside })
				return 7
			})
			holder := submit(r, p, func(*pool.Worker) int { close(held); r.Receive(free); return 0 })
			r.During("P1", "a job waits for one of another pool")
			if n, err := h.Join(w); n != 7 || err != nil {
				r.Report("P1", "a job that waits for one of another pool got %d, %v, want 7", n, err)
			}
			go func() { enter(r, q, func(*pool.Worker) int { close(visited); return 0 }) }()
			r.During("P5", "a pool of one worker, which has no job, begins a Run while a job of another pool is blocked that has waited for one of it")
			r.Wait(visited)
			close(free)
			holder.Join(w)
			return 0
		})
		r.Wait(visited)
	}
	fullWidth(r, p)
	fullWidth(r, q)
	s.close(r, p)
	s.close(r, q)
}
