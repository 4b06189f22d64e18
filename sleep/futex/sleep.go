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
	// threads counts the sleepers that hold a thread; at most limit may. If threads is
	// nil, there is no limit.
	threads *threads
	limit   int
}

// The Go runtime parks each sixteenth of the first few workers; the others park in the
// kernel. More than four in all do not help: once their processors are taken, the
// runtime takes those of the others within 20 µs or so. And it starts its goroutines
// one after the other, so a burst of work waits for each of them.
const (
	few   = 64
	oneIn = 16
)

// limitOf returns the limit on threads for a worker.
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

// WithJobsBits narrows the jobs event counter to n bits, 1 to 32. The default is 32.
// It is for tests: a narrow counter wraps all the time.
func WithJobsBits(n int) Option { return func(c *config) { c.jobsBits = n } }

// WithGoroutinePark lets the Go runtime park all sleepers, even where there is a futex.
// They hold no threads, so there may be up to 65535 workers. It is the default if there
// are more workers than GOMAXPROCS, or if there is no futex.
func WithGoroutinePark() Option { return WithThreadLimit(0) }

// WithThreadPark parks all sleepers in the kernel, where there is a futex, even if
// there are more workers than GOMAXPROCS. A thread that blocks there keeps its
// processor from other goroutines until the Go runtime notices, which can take
// milliseconds. That does no harm if each worker has a processor to itself. The
// limit on the threads of all pools does not count these threads.
func WithThreadPark() Option { return func(c *config) { c.threads, c.limit = nil, 0 } }

// WithThreadLimit parks at most n sleepers of this pool in the kernel at once, where
// there is a futex, whatever other pools do; the Go runtime parks the others. n above
// 8000 means 8000. [New] refuses a negative n.
func WithThreadLimit(n int) Option {
	return func(c *config) { c.threads, c.limit = new(threads), n }
}

// maxThreaded is how many workers may sleep in the kernel. Each holds a thread there,
// and a Go program dies at 10,000 threads.
const maxThreaded = 8000

// New returns a Sleep for the workers 0 to workers-1, all of them active. Sleepers
// block in the kernel if there is a futex and at least as many processors (GOMAXPROCS
// now) as workers. At most four of them, and those that come when the sleepers of all
// pools hold as many threads as there are processors, are parked by the Go runtime
// instead. Without a futex, or with fewer processors, it parks all.
//
// New returns an error if the number of workers is not 1 to 65535, or above 8000 with
// [WithThreadPark], or if an option is nil or out of range.
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
