package jec

import (
	"errors"
	"fmt"

	"github.com/rouse-go/rouse/api"
	"github.com/rouse-go/rouse/api/prim"
	"github.com/rouse-go/rouse/counters"
)

// A Sleep implements [api.Sleep], [api.Lender], [api.Meter] and [api.Starter] for the
// workers of one pool. Make one with [New].
type Sleep struct {
	counters *counters.Counters
	// sleepers are the workers that can be claimed.
	sleepers counters.Set
	rounds   api.Rounds
	seats    []seat
	leaves   bool // StartBy counts
}

var (
	_ api.Lender  = (*Sleep)(nil)
	_ api.Meter   = (*Sleep)(nil)
	_ api.Starter = (*Sleep)(nil)
)

type config struct {
	rounds   api.Rounds
	jobsBits int
	blocker  func(worker int) Blocker
	leaves   bool
}

// An Option changes how [New] makes a [Sleep].
type Option func(*config)

// WithRounds sets how long a worker looks for work before it sleeps. The
// default is [api.DefaultRounds].
func WithRounds(r api.Rounds) Option { return func(c *config) { c.rounds = r } }

// WithJobsBits narrows the jobs event counter to n bits, 1 to 32. The default is 32.
// It is for tests: a narrow counter wraps all the time.
func WithJobsBits(n int) Option { return func(c *config) { c.jobsBits = n } }

// New returns a Sleep for the workers 0 to workers-1, all of them active. It returns
// an error if the number of workers is not 1 to 65535, if an option is nil or out of
// range, or if a worker would have no [Blocker].
func New(workers int, opts ...Option) (*Sleep, error) {
	c := config{rounds: api.DefaultRounds(workers), jobsBits: 32, blocker: newCondition}
	for _, o := range opts {
		if o == nil {
			return nil, errors.New("jec: New: a nil option: leave it out")
		}
		o(&c)
	}
	if err := c.rounds.Validate(); err != nil {
		return nil, fmt.Errorf("jec: %w", err)
	}
	if c.blocker == nil {
		return nil, errors.New("jec: WithBlocker without a function")
	}
	n, err := counters.New(workers, counters.WithJobsBits(c.jobsBits))
	if err != nil {
		return nil, fmt.Errorf("jec: %w", err)
	}
	s := &Sleep{
		counters: n,
		sleepers: *counters.NewSet(workers),
		rounds:   c.rounds,
		seats:    make([]seat, workers),
		leaves:   c.leaves,
	}
	prim.Declare(s)
	prim.DeclareSlice(s.seats)
	for i := range s.seats {
		b := c.blocker(i)
		if b == nil {
			return nil, fmt.Errorf("jec: the function of WithBlocker returned nil for worker %d", i)
		}
		s.seats[i].Blocker = b
	}
	return s, nil
}

// Counts implements [api.Sleep]. It costs one atomic load.
func (s *Sleep) Counts() (inactive, sleeping int) {
	inactive, sleeping, _ = s.counters.Load()
	return inactive, sleeping
}

// StartLooking implements [api.Sleep]. It costs one atomic write.
func (s *Sleep) StartLooking(worker int) api.Idle {
	s.check(worker)
	s.counters.AddInactive() // B1: counted inactive
	return api.Idle{Worker: worker}
}

// NoWork implements [api.Sleep].
func (s *Sleep) NoWork(idle *api.Idle) (tired bool) {
	switch s.rounds.Next(idle) {
	case api.Block:
		return true
	case api.Announce:
		idle.Ticket = uint64(s.counters.Announce()) // B2: announce the sleep
	}
	idle.Round++
	return false
}

// Found implements [api.Sleep]. It wakes others before the job runs, because the job
// may never return.
func (s *Sleep) Found(idle *api.Idle) {
	// These are the counts that this very step left. So of workers that find work at
	// the same time exactly one is the last searcher, and wakes at least one (S2). The
	// wakes are a post (A2 to A4), so that a seat that is on its way back looks.
	inactive, sleeping := s.counters.SubInactive()
	if wake := counters.Successors(len(s.seats), inactive, sleeping); wake > 0 {
		s.counters.Post()
		s.wakeAny(wake)
	}
}

// Post implements [api.Sleep]. If no worker sleeps, it costs one atomic load, and one
// atomic write more if a worker has announced its sleep since the last post.
func (s *Sleep) Post(jobs int, wasEmpty bool) {
	inactive, sleeping := s.counters.Post()                        // A2: make the JEC odd
	s.wakeAny(counters.ToWake(jobs, wasEmpty, inactive, sleeping)) // A3, A4: decide how many, and wake them
}

func (s *Sleep) check(worker int) {
	if uint(worker) >= uint(len(s.seats)) {
		panic(fmt.Sprintf("jec: worker %d, have %d", worker, len(s.seats)))
	}
}
