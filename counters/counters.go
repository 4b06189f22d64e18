package counters

import (
	"fmt"

	"github.com/rouse-go/rouse/api"
	"github.com/rouse-go/rouse/api/prim"
)

// cacheLine is the span within which two words disturb each other: amd64
// fetches lines of 64 bytes in pairs, arm64 has lines of up to 128.
const cacheLine = 128

// Counters is the packed word of one pool. It must not be copied. Make it with
// [New].
type Counters struct {
	// Read-only after New.
	workers  int
	jobsMask Word // the bits of a Word that the JEC uses

	_ [cacheLine]byte // everybody reads what is above, and writes what is below

	// bits is a Word.
	//
	// Writers: workers (inactive, sleeping, jobs on Announce); wakers
	// (sleeping); posters (jobs); borrowers (inactive with sleeping).
	// Readers: posters choosing whom to wake; workers about to block.
	// Pairs:   A2 with B4, README "Proof sketch".
	// Wraps:   jobs, modulo 2 to its width; harmless because of B5.
	bits prim.Uint64

	_ [cacheLine]byte
}

var _ api.Counters = (*Counters)(nil)

// An Option changes what [New] makes.
type Option func(*config)

type config struct {
	jobsBits int
}

// WithJobsBits narrows the JEC to n bits, 1 to 32. The default is 32. It is
// meant for tests, in which a narrow JEC wraps all the time.
func WithJobsBits(n int) Option { return func(c *config) { c.jobsBits = n } }

// New returns counters for the given number of workers, 1 to 65535, all of
// them active. It returns an error that names the limit if the number, or the
// width of the JEC, is out of range.
func New(workers int, opts ...Option) (*Counters, error) {
	cfg := config{jobsBits: 32}
	for _, opt := range opts {
		opt(&cfg)
	}
	if workers < 1 || workers > maxWorkers {
		return nil, fmt.Errorf("counters: %d workers, must be 1 to %d", workers, maxWorkers)
	}
	if cfg.jobsBits < 1 || cfg.jobsBits > 32 {
		return nil, fmt.Errorf("counters: a JEC of %d bits, must be 1 to 32", cfg.jobsBits)
	}
	c := &Counters{
		workers:  workers,
		jobsMask: (1<<cfg.jobsBits - 1) << jobsShift,
	}
	prim.Declare(c)
	return c, nil
}

// load returns the word of this moment.
func (c *Counters) load() Word { return Word(c.bits.Load()) }

// swap is the one step by which every transition changes the word.
func (c *Counters) swap(old, new Word) bool {
	return c.bits.CompareAndSwap(uint64(old), uint64(new))
}

// advance returns w with the JEC one further, wrapped to its width.
func (c *Counters) advance(w Word) Word {
	return w&countsMask | (w+oneJob)&c.jobsMask
}

// Load implements [api.Counters]. It costs one atomic load.
func (c *Counters) Load() (inactive, sleeping int, jobs uint32) {
	w := c.load()
	return w.Inactive(), w.Sleeping(), w.Jobs()
}

// AddInactive implements [api.Counters] (B1). It panics if all workers are
// inactive already.
func (c *Counters) AddInactive() {
	for {
		w := c.load()
		if w.Inactive() == c.workers {
			panic(fmt.Sprintf("counters: inactive %d + 1 of %d workers", w.Inactive(), c.workers))
		}
		if c.swap(w, w+oneInactive) {
			return
		}
	}
}

// SubInactive implements [api.Counters]. It panics if no worker is inactive,
// or if all that are inactive sleep: who calls is awake.
func (c *Counters) SubInactive() (last bool) {
	for {
		w := c.load()
		if w.Inactive() == 0 {
			panic("counters: inactive 0 - 1")
		}
		if w.Inactive() <= w.Sleeping() {
			panic(fmt.Sprintf("counters: inactive %d - 1 with %d sleeping", w.Inactive(), w.Sleeping()))
		}
		left := w - oneInactive
		if c.swap(w, left) {
			return left.Sleeping() > 0 && left.Inactive() <= left.Sleeping()
		}
	}
}

// Announce implements [api.Counters] (B2). It costs one load if the JEC is
// even already: whoever announced then shares the ticket.
func (c *Counters) Announce() (ticket uint32) {
	for {
		w := c.load()
		if !w.posted() {
			return w.Jobs()
		}
		left := c.advance(w)
		if c.swap(w, left) {
			return left.Jobs()
		}
	}
}

// TrySleep implements [api.Counters] (B4). It costs one load if it fails. It
// panics if all inactive workers sleep already: who calls is awake.
func (c *Counters) TrySleep(ticket uint32) bool {
	for {
		w := c.load()
		if w.Jobs() != ticket {
			return false
		}
		if w.Sleeping() >= w.Inactive() {
			panic(fmt.Sprintf("counters: sleeping %d + 1 of %d inactive", w.Sleeping(), w.Inactive()))
		}
		// The whole word is compared, so the ticket holds at the very
		// moment at which the sleeper is counted.
		if c.swap(w, w+oneSleeping) {
			return true
		}
	}
}

// SubSleeping implements [api.Counters] (A4). It panics if nobody sleeps.
func (c *Counters) SubSleeping() {
	for {
		w := c.load()
		if w.Sleeping() == 0 {
			panic("counters: sleeping 0 - 1")
		}
		if c.swap(w, w-oneSleeping) {
			return
		}
	}
}

// Post implements [api.Counters] (A2). It costs one load if the JEC is odd
// already: then nobody has announced since the last Post, and whoever does so
// later will find the work.
func (c *Counters) Post() (inactive, sleeping int) {
	for {
		w := c.load()
		if !w.posted() {
			left := c.advance(w)
			if !c.swap(w, left) {
				continue
			}
			w = left
		}
		return w.Inactive(), w.Sleeping()
	}
}

// Lend implements [api.Counters] (T2). It panics if nobody sleeps.
func (c *Counters) Lend() {
	for {
		w := c.load()
		if w.Sleeping() == 0 {
			panic("counters: sleeping 0 - 1 by a loan")
		}
		// sleeping <= inactive, so inactive does not borrow either.
		if c.swap(w, w-oneInactive-oneSleeping) {
			return
		}
	}
}

// Restore implements [api.Counters] (R1). It panics if all workers are
// inactive already.
func (c *Counters) Restore() (first bool) {
	for {
		w := c.load()
		if w.Inactive() == c.workers {
			panic(fmt.Sprintf("counters: inactive %d + 1 of %d workers, returning a loan", w.Inactive(), c.workers))
		}
		if c.swap(w, w+oneInactive+oneSleeping) {
			return w.Inactive() == 0
		}
	}
}

// String returns the decoded fields of this moment.
func (c *Counters) String() string { return c.load().String() }
