package pool

import (
	"github.com/rouse-go/rouse/api"
	"github.com/rouse-go/rouse/api/prim"
)

// Stats are counts of what a pool has done since it was made. They are counted
// where that costs nothing, so they lag while jobs run: a worker hands over
// its count of forks when it publishes one, or finds nothing to do. Once the
// pool is at rest they are exact (rule P26).
type Stats struct {
	// Workers is how many workers the pool has.
	Workers int
	// Forks is the number of forks, those of [Invoke] and [Join] included.
	Forks uint64
	// Published is how many of the forks were made visible to other workers.
	Published uint64
	// Spawned is the number of jobs spawned in scopes.
	Spawned uint64
	// Injected is the number of jobs that came from outside and were queued.
	Injected uint64
	// Borrowed is how often the seat of a sleeping worker was taken: by a
	// Run, on the caller's own goroutine, for a submitted job, on a new one, or by
	// a job that had given up its seat and goes on.
	Borrowed uint64
	// Steals is how often a worker took a job from another one and began it. When it takes
	// one of several, it also takes along some of the others, for later: these are not
	// counted.
	Steals uint64
	// SetAside is how often a job gave up its seat and was blocked, because it
	// waited for other jobs.
	SetAside uint64
	// Seatless is how often a job went on without a seat, because none was free.
	Seatless uint64
	// Parks is how often a worker blocked for want of work, Wakes how often
	// one was woken. Both are zero if the sleep backend does not count.
	Parks, Wakes uint64
}

// counts are what the workers of a seat have counted, and some without one.
type counts struct {
	forks, published, spawned, steals, borrowed prim.Uint64
	// submitted is how many submitted jobs have ended. A worker counts them, and its
	// forks, plainly, and hands over when it rests.
	submitted       prim.Uint64
	aside, seatless prim.Uint64
}

// counts returns where the worker counts: with its seat, or the last one that it had.
// One place for all that have none would be a line that all write.
func (w *Worker) counts() *counts { return &w.pool.seats[w.last].stats }

// tell hands over what the worker has counted plainly.
func (w *Worker) tell() {
	c := w.counts()
	if forks := w.forks(); forks != w.told.forks {
		c.forks.Add(forks - w.told.forks)
		w.told.forks = forks
	}
	if w.submitted != w.told.submitted {
		c.submitted.Add(w.submitted - w.told.submitted)
		w.told.submitted = w.submitted
		w.pool.drain()
	}
}

// Stats returns the counts so far. It may be called at any time, also after
// Close.
func (p *Pool) Stats() Stats {
	s := Stats{Workers: len(p.seats), Injected: p.injected.Load()}
	for _, seat := range p.seats {
		s.add(&seat.stats)
	}
	if m, ok := p.sleep.(api.Meter); ok {
		metered := m.Meter()
		s.Parks, s.Wakes = metered.Parks, metered.Wakes
	}
	return s
}

func (s *Stats) add(c *counts) {
	s.Forks += c.forks.Load()
	s.Published += c.published.Load()
	s.Spawned += c.spawned.Load()
	s.Steals += c.steals.Load()
	s.Borrowed += c.borrowed.Load()
	s.SetAside += c.aside.Load()
	s.Seatless += c.seatless.Load()
}
