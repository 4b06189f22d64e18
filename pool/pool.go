package pool

import (
	"fmt"

	"github.com/rouse-go/rouse/api"
	"github.com/rouse-go/rouse/api/prim"
)

// MaxWorkers is the largest number of workers that a pool can have.
const MaxWorkers = 1<<16 - 1

// A Pool runs jobs on a fixed number of workers. Make one with [New], and
// [Pool.Close] it when it is no longer needed: its goroutines keep it alive.
//
// All methods may be called by any goroutine at any time.
type Pool struct {
	seats []*seat
	// deques are those of the seats, occupants the workers that have these, or had
	// them last.
	//
	// Writers: a worker that takes a seat.
	// Pairs:   see seat.sit.
	deques    []api.Deque[Job]
	occupants []prim.Pointer[Worker]
	injector  api.Injector[Job]
	sleep     api.Sleep
	look      func() bool // hasWork; made once, because a method value allocates
	lender    api.Lender  // sleep, if it lends seats; else nil
	eager     bool
	// panicHandler is nil if there is none.
	panicHandler func(*PanicError)
	shutdown     shutdown
	injected     prim.Uint64 // counts the jobs that were queued
	// loose are the counts of workers that have no seat.
	loose counts
	// spins is how often a worker looks at what it waits for before it looks for
	// other work.
	spins int
}

type config struct {
	workers int
	deque   func() api.Deque[Job]
	sleep   func(workers int) (api.Sleep, error)
	eager   bool
	handler func(*PanicError)
}

// An Option changes how [New] makes a [Pool].
type Option func(*config)

// WithWorkers sets how many workers the pool has, that is how many jobs run at
// once: 1 to [MaxWorkers]. The default is GOMAXPROCS. It may be larger or
// smaller than that.
func WithWorkers(n int) Option { return func(c *config) { c.workers = n } }

// WithDeque sets what makes the public deque of each worker. It is called once
// a worker and must return a new deque each time.
func WithDeque(f func() api.Deque[Job]) Option { return func(c *config) { c.deque = f } }

// WithSleep sets what makes the sleep backend. It is called once, with the
// number of workers.
func WithSleep(f func(workers int) (api.Sleep, error)) Option {
	return func(c *config) { c.sleep = f }
}

// WithEagerPublish makes every fork visible to other workers at once, instead
// of when another worker wants work.
//
// It is right for few, coarse forks of very unequal length: a worker that runs a
// long one does not notice that others wait for its private forks. A fork costs
// ten times as much, and more when others take it.
func WithEagerPublish() Option { return func(c *config) { c.eager = true } }

// WithPanicHandler sets a function that is called with each panic that leaves a
// [Run] of the pool. It is meant for a log: when it returns, the panic goes on.
//
// Run panics with the job's own value, as a sequential program would. If another
// worker has raised the panic, the code that recovers it cannot see where. The
// handler can, in [PanicError.Stack].
//
// The handler is called on every schedule, on the goroutine that called Run. By
// then the job and what it has forked have ended, and its seat is free. The
// handler is called once for each panic: of nested calls of Run, the innermost
// one does so whose pool has a handler. If a job recovers a panic that another
// worker, or a nested Run, has raised in it, and then panics with an equal
// value, the pool takes that for the same panic.
//
// If the handler itself panics or calls [runtime.Goexit], Run does that instead.
// A nil handler is none. A handler makes a panic dearer by the time of
// [debug.Stack].
func WithPanicHandler(f func(*PanicError)) Option { return func(c *config) { c.handler = f } }

// New makes a pool and starts its workers. It returns an error that names the
// option if one is out of range or a backend cannot be made; nothing is then
// left behind.
func New(opts ...Option) (*Pool, error) {
	c := config{workers: prim.Processors(), deque: defaultDeque, sleep: defaultSleep}
	for _, o := range opts {
		o(&c)
	}
	switch {
	case c.workers < 1 || c.workers > MaxWorkers:
		return nil, fmt.Errorf("pool: WithWorkers(%d): must be 1 to %d", c.workers, MaxWorkers)
	case c.deque == nil:
		return nil, fmt.Errorf("pool: WithDeque(nil): must make a deque")
	case c.sleep == nil:
		return nil, fmt.Errorf("pool: WithSleep(nil): must make a sleep backend")
	}
	s, err := c.sleep(c.workers)
	if err != nil {
		return nil, fmt.Errorf("pool: WithSleep, %d workers: %w", c.workers, err)
	}
	if s == nil {
		return nil, fmt.Errorf("pool: WithSleep: the function returned no backend")
	}
	p := &Pool{injector: newInjector(), sleep: s, eager: c.eager, panicHandler: c.handler}
	prim.Declare(p)
	p.lender, _ = s.(api.Lender)
	p.look = p.hasWork
	if prim.Processors() > 1 { // alone, one would keep those that it waits for from running
		p.spins = api.DefaultRounds(c.workers).Spin / 2
	}
	for range c.workers {
		d := c.deque()
		if d == nil {
			return nil, fmt.Errorf("pool: WithDeque: the function returned no deque")
		}
		p.deques = append(p.deques, d)
	}
	p.occupants = make([]prim.Pointer[Worker], c.workers)
	prim.DeclareSlice(p.deques)
	prim.DeclareSlice(p.occupants)
	for i, d := range p.deques {
		p.addSeat(newSeat(p, i, d))
	}
	for _, s := range p.seats {
		s.start(nil)
	}
	return p, nil
}

// addSeat gives a seat to the pool, which is not in use yet.
func (p *Pool) addSeat(s *seat) {
	p.seats = append(p.seats, s)
	p.occupants[s.index].Store(s.spares[0])
}

// Workers returns how many workers the pool has.
func (p *Pool) Workers() int { return len(p.seats) }

// inject queues a job that comes from outside, and wakes a worker if one must
// be woken for it.
func (p *Pool) inject(j *Job) {
	wasEmpty := p.injector.Push(j) // A1
	p.injected.Add(1)
	p.sleep.Post(1, wasEmpty)
}

// hasWork is the one answer to "is there work?": it looks at every place where
// a search by an idle worker would find some. Like such a search, it asks the
// owner of each empty deque for more.
//
// Private frames are not among the places: nobody but their owner can take
// them, and the owner publishes them before it waits.
func (p *Pool) hasWork() bool {
	if !p.used() {
		return false
	}
	found := !p.injector.Empty()
	for i, d := range p.deques {
		prim.Touch(&p.deques[i], false)
		if d.Len() > 0 {
			found = true
		} else {
			p.want(i)
		}
	}
	return found
}
