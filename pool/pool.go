package pool

import (
	"github.com/rouse-go/rouse/api"
	"github.com/rouse-go/rouse/api/prim"
	"github.com/rouse-go/rouse/pool/internal/notes"
	"github.com/rouse-go/rouse/pool/internal/spell"
)

// MaxWorkers is the largest number of workers that a pool can have.
const MaxWorkers = 1<<16 - 1

// A Pool runs jobs on a fixed number of workers, and those of callers beside. Make one with [New], and
// [Pool.Close] it when it is no longer needed, or use the one of [Default].
//
// All methods may be called by any goroutine at any time.
type Pool struct {
	// The first two cache lines have all that a job needs to begin in a pool at rest: they are
	// cold then.

	seats []*seat // of the workers
	sleep sleep
	looks looks
	eager bool
	// observer is nil while nothing observes the pool.
	//
	// Writers: Record, the function that it returns, and Measure, by CAS.
	// Readers: whatever meets an event: see observe.go.
	observer prim.Report[observer]
	random   *randomness // nil without WithRandomSchedule
	// builtIn says that the pool is the built-in one, or was.
	builtIn bool
	// asked is how often somebody has asked for Stats: see Worker.nextJob.
	//
	// Writers: Stats.
	// Wraps:   only whether it has changed matters.
	asked  prim.ReportNumber
	notes  notes.Book
	guests guests

	_ [128]byte // the last fields of guests are written by all that take a guest's seat, and so are those below
	// inbox begins with what all searches read, and ends with what all callers write.
	inbox     inbox
	shutdown  shutdown
	groups    groups
	ids       spell.Group[Worker]
	unhandled unhandled
}

// sleep is how the seats of workers sleep.
type sleep struct {
	api.Sleep
	lender  api.Lender  // the same, if it lends seats; else nil
	leaves  bool        // seats sleep without a goroutine
	hasWork func() bool // hasWork; made once, because a method value allocates
}

// looks say for how long a worker looks before it sleeps.
type looks struct {
	// spins is how often a worker looks at its latch before it looks for other
	// work. Each look reads its own cache line, and most joins end meanwhile.
	spins int
	// lingers says that a seat which was at work for long looks for longer before it
	// sleeps: there are others, and a processor for each.
	lingers bool
}

// Workers returns how many workers the pool has. That never changes.
//
// It is no bound for an index. More jobs may run at once than there are workers, and a job may have
// another seat after each wait: see "No guarantees" in RULES.md. And for the default pool
// it is the number at this moment: the next call of [Default] may return another pool. Keep
// what each goroutine needs for itself in a sync.Pool, or for loops in a Scratch of package
// par.
func (p *Pool) Workers() int { return len(p.seats) }
