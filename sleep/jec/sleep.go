package jec

import (
	"fmt"

	"github.com/rouse-go/rouse/api"
	"github.com/rouse-go/rouse/api/prim"
	"github.com/rouse-go/rouse/counters"
)

// A Sleep implements [api.Sleep], [api.Lender] and [api.Meter] for the workers
// of one pool. Make one with [New].
type Sleep struct {
	counters *counters.Counters
	// sleepers are those that can be claimed.
	sleepers *counters.Set
	rounds   api.Rounds
	seats    []seat
}

var (
	_ api.Lender = (*Sleep)(nil)
	_ api.Meter  = (*Sleep)(nil)
)

type config struct {
	rounds   api.Rounds
	jobsBits int
	blocker  func(worker int) Blocker
}

// An Option changes how [New] makes a [Sleep].
type Option func(*config)

// WithRounds sets how long a worker looks for work before it sleeps. The
// default is [api.DefaultRounds].
func WithRounds(r api.Rounds) Option { return func(c *config) { c.rounds = r } }

// WithJobsBits narrows the jobs event counter to n bits, so that it wraps all
// the time. It is meant for tests; the default is all 32.
func WithJobsBits(n int) Option { return func(c *config) { c.jobsBits = n } }

// New returns a Sleep for the workers 0 to workers-1, all of them active. It
// fails if the number of workers is not 1 to 65535, or an option is out of
// range.
func New(workers int, opts ...Option) (*Sleep, error) {
	c := config{rounds: api.DefaultRounds(workers), jobsBits: 32, blocker: newCondition}
	for _, o := range opts {
		o(&c)
	}
	if err := c.rounds.Validate(); err != nil {
		return nil, fmt.Errorf("jec: %w", err)
	}
	n, err := counters.New(workers, counters.WithJobsBits(c.jobsBits))
	if err != nil {
		return nil, fmt.Errorf("jec: %w", err)
	}
	s := &Sleep{
		counters: n,
		sleepers: counters.NewSet(workers),
		rounds:   c.rounds,
		seats:    make([]seat, workers),
	}
	prim.Declare(s)
	prim.DeclareSlice(s.seats)
	for i := range s.seats {
		s.seats[i].Blocker = c.blocker(i)
	}
	return s, nil
}

// Counts implements [api.Sleep]. It is one atomic load.
func (s *Sleep) Counts() (inactive, sleeping int) {
	inactive, sleeping, _ = s.counters.Load()
	return inactive, sleeping
}

// StartLooking implements [api.Sleep] (step B1).
func (s *Sleep) StartLooking(worker int) api.Idle {
	s.check(worker)
	s.counters.AddInactive()
	return api.Idle{Worker: worker}
}

// NoWork implements [api.Sleep] (step B2).
func (s *Sleep) NoWork(idle *api.Idle) (tired bool) {
	switch s.rounds.Next(idle.Round) {
	case api.Block:
		return true
	case api.Announce:
		idle.Ticket = uint64(s.counters.Announce()) // B2
	}
	idle.Round++
	return false
}

// Found implements [api.Sleep]. The wake precedes the job, which may block without
// end. It is a post (A2 to A4): a seat that is on its way back looks then.
func (s *Sleep) Found(idle *api.Idle) {
	if s.counters.SubInactive() {
		s.Post(1, false)
	}
}

// Post implements [api.Sleep] (steps A2 to A4). It costs an atomic load if the
// JEC is odd already and nobody sleeps, a CAS more if it was even.
func (s *Sleep) Post(jobs int, wasEmpty bool) {
	inactive, sleeping := s.counters.Post()                        // A2
	s.wakeAny(counters.ToWake(jobs, wasEmpty, inactive, sleeping)) // A3, A4
}

func (s *Sleep) check(worker int) {
	if uint(worker) >= uint(len(s.seats)) {
		panic(fmt.Sprintf("jec: worker %d, have %d", worker, len(s.seats)))
	}
}
