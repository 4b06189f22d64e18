package pool

import (
	"github.com/rouse-go/rouse/api"
	"github.com/rouse-go/rouse/api/prim"
)

// Stats are counts of what a pool has done since it was made. They are counted
// where that costs nothing, so they lag while jobs run: a worker hands over
// its count of forks when it publishes one, or finds nothing to do. Once the
// pool is at rest they are exact.
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
	// Run, on the caller's own goroutine, or for a submitted job, on a new one.
	Borrowed uint64
	// Steals is the number of jobs that a worker took from another one.
	Steals uint64
	// Parks is how often a worker blocked for want of work, Wakes how often
	// one was woken. Both are zero if the sleep backend does not count.
	Parks, Wakes uint64
}

type workerStats struct {
	forks, published, spawned, steals prim.Uint64
	// ended is how many submitted jobs this worker has ended, borrowed how
	// often its seat was. It counts them plainly, and hands over when it rests.
	ended, borrowed prim.Uint64
}

// Stats returns the counts so far. It may be called at any time, also after
// Close.
func (p *Pool) Stats() Stats {
	s := Stats{
		Workers:  len(p.workers),
		Injected: p.injected.Load(),
	}
	for _, w := range p.workers {
		s.Forks += w.stats.forks.Load()
		s.Published += w.stats.published.Load()
		s.Spawned += w.stats.spawned.Load()
		s.Steals += w.stats.steals.Load()
		s.Borrowed += w.stats.borrowed.Load()
	}
	if m, ok := p.sleep.(api.Meter); ok {
		metered := m.Meter()
		s.Parks, s.Wakes = metered.Parks, metered.Wakes
	}
	return s
}
