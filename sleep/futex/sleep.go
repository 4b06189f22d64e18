package futex

import (
	"errors"
	"fmt"

	"github.com/rouse-go/rouse/api"
	"github.com/rouse-go/rouse/api/prim"
	"github.com/rouse-go/rouse/sleep/jec"
)

// A Sleep implements [api.Sleep], [api.Lender] and [api.Meter] for the workers
// of one pool. Make one with [New].
type Sleep struct {
	*jec.Sleep
	syscalls prim.Uint64 // made to wait or to wake
}

var (
	_ api.Lender = (*Sleep)(nil)
	_ api.Meter  = (*Sleep)(nil)
)

type config struct {
	rounds   api.Rounds
	jobsBits int
	// threads count the sleepers that hold a thread, and limit is how many may. If
	// threads is nil, there is no limit.
	threads *threads
	limit   int
}

// Of the first few workers the Go runtime parks each sixteenth, although the others
// park in the kernel. More than four in all do not help: when their processors are
// taken the runtime takes those of the others within 20 µs or so. And it starts its
// goroutines one after the other, so a burst of work waits for each of them.
const (
	few   = 64
	oneIn = 16
)

// limitOf returns the limit that a worker heeds.
func (c *config) limitOf(worker int) int32 {
	if c.threads == &all && worker < few && worker%oneIn == oneIn/2-1 {
		return 0
	}
	return int32(c.limit)
}

// An Option changes how [New] makes a [Sleep].
type Option func(*config)

// WithRounds sets how long a worker looks for work before it sleeps. The
// default is [api.DefaultRounds].
func WithRounds(r api.Rounds) Option { return func(c *config) { c.rounds = r } }

// WithJobsBits narrows the jobs event counter to n bits, so that it wraps all
// the time. It is meant for tests; the default is all 32.
func WithJobsBits(n int) Option { return func(c *config) { c.jobsBits = n } }

// WithGoroutinePark parks sleepers by the Go runtime even where there is a
// futex. They then hold no threads, so there may be as many as the counters
// can count. That is the default where there are more workers than GOMAXPROCS,
// and where there is no futex.
func WithGoroutinePark() Option { return WithThreadLimit(0) }

// WithThreadPark parks all sleepers in the kernel, where there is a futex, even if
// there are more workers than GOMAXPROCS. A thread that blocks there keeps its
// processor from other goroutines until the Go runtime notices, after 20 µs to
// 10 ms. That is no loss where each worker has a processor to itself. These threads are
// not among the GOMAXPROCS that the sleepers of all pools may hold.
func WithThreadPark() Option { return func(c *config) { c.threads, c.limit = nil, 0 } }

// WithThreadLimit parks at most n sleepers of this pool in the kernel at once, 8000 at
// most, where there is a futex, and the others by the Go runtime. Other pools do not matter then.
// [New] refuses a negative n.
func WithThreadLimit(n int) Option {
	return func(c *config) { c.threads, c.limit = new(threads), n }
}

// maxThreaded is how many workers may sleep in the kernel. Each holds a thread
// there, and a Go program dies when it has 10,000 of them.
const maxThreaded = 8000

// New returns a Sleep for the workers 0 to workers-1, all of them active.
// Sleepers block in the kernel where there is a futex and at least as many
// processors as workers (GOMAXPROCS now), but for each sixteenth of the first 64: its
// processor is free at once for other goroutines. Elsewhere the Go runtime parks all.
// It also parks a sleeper if the sleepers of all pools hold as many threads as there
// are processors.
//
// New fails if the number of workers is not 1 to 65535, or not at most 8000
// where each sleeper holds a thread, or if an option is nil or out of range.
func New(workers int, opts ...Option) (*Sleep, error) {
	c := config{rounds: api.DefaultRounds(workers), jobsBits: 32, threads: &all}
	if processors := prim.Processors(); workers <= processors {
		c.limit = processors
	}
	for _, o := range opts {
		if o == nil {
			return nil, errors.New("futex: New: a nil option: leave it out")
		}
		o(&c)
	}
	if c.limit < 0 {
		return nil, fmt.Errorf("futex: WithThreadLimit(%d): must be at least 0", c.limit)
	}
	c.limit = min(c.limit, maxThreaded)
	if !hasFutex {
		WithGoroutinePark()(&c)
	}
	if c.threads == nil && workers > maxThreaded {
		return nil, fmt.Errorf("futex: %d workers, must be 1 to %d: each holds a thread when it sleeps (see WithGoroutinePark)", workers, maxThreaded)
	}
	s := new(Sleep)
	prim.Declare(s)
	var err error
	s.Sleep, err = jec.New(workers, jec.WithRounds(c.rounds), jec.WithJobsBits(c.jobsBits),
		jec.WithBlocker(func(worker int) jec.Blocker { return newWord(c.threads, c.limitOf(worker), &s.syscalls) }))
	if err != nil {
		return nil, fmt.Errorf("futex: %w", err)
	}
	return s, nil
}

// Meter implements [api.Meter].
func (s *Sleep) Meter() api.Metered {
	m := s.Sleep.Meter()
	m.Syscalls = s.syscalls.Load()
	return m
}
