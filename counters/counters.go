package counters

import (
	"errors"
	"fmt"

	"github.com/rouse-go/rouse/api"
	"github.com/rouse-go/rouse/api/prim"
)

// cacheLine is the span within which two words disturb each other: amd64
// fetches lines of 64 bytes in pairs, arm64 has lines of up to 128.
const cacheLine = 128

// Counters is the packed word of one pool. Make it with [New], and do not copy it.
//
// A method panics if a caller has broken the protocol. Its step is done all the
// same, and may have carried into another field. So do not use these Counters
// again: the word may hold anything.
type Counters struct {
	// Read-only after New.
	workers  int
	jobsMask Word // the bits of a Word that the JEC uses

	_ [cacheLine]byte // everybody reads the fields above, and writes those below

	// bits is a Word.
	//
	// Writers: workers (inactive, sleeping, jobs on Announce); wakers
	// (sleeping); posters (jobs); borrowers (inactive with sleeping).
	// Readers: posters that choose which worker to wake; workers about to block.
	// Pairs:   A2, a post, with B4, which counts a sleeper: README "What the word promises".
	// Wraps:   jobs, modulo 2 to its width; harmless because of B5, the last look.
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
// for tests: a narrow JEC wraps all the time.
func WithJobsBits(n int) Option { return func(c *config) { c.jobsBits = n } }

// New returns counters for the given number of workers, 1 to 65535, all of
// them active. It returns an error that names the limit if the number, or the
// width of the JEC, is out of range, and an error if an option is nil.
func New(workers int, opts ...Option) (*Counters, error) {
	cfg := config{jobsBits: 32}
	for _, opt := range opts {
		if opt == nil {
			return nil, errors.New("counters: New: a nil option: leave it out")
		}
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

// add changes the word whatever it holds, by one atomic write, and returns the values
// that this very step met and left. The caller looks at the first for a count that
// was at its limit.
func (c *Counters) add(delta Word) (was, left Word) {
	left = Word(c.bits.Add(uint64(delta)))
	return left - delta, left
}

// sub is add of the negative.
func (c *Counters) sub(delta Word) (was, left Word) { return c.add(-delta) }

// swap changes the word if it holds old. Only the two steps that depend on the JEC,
// Announce and TrySleep, need it.
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

// Posted reports whether work was posted since a worker last announced that it
// will sleep. It costs one atomic load.
func (c *Counters) Posted() bool { return c.load().posted() }

// AddInactive implements [api.Counters]. It costs one atomic write. It panics if
// all workers are already inactive.
func (c *Counters) AddInactive() {
	if was, _ := c.add(oneInactive); was.Inactive() >= c.workers {
		panic(fmt.Sprintf("counters: inactive %d + 1 of %d workers", was.Inactive(), c.workers))
	}
}

// SubInactive implements [api.Counters]. It costs one atomic write. It panics if no
// worker is inactive, or if all inactive workers sleep, because the caller is awake.
func (c *Counters) SubInactive() (inactive, sleeping int) {
	was, left := c.sub(oneInactive)
	if was.Inactive() == 0 {
		panic("counters: inactive 0 - 1")
	}
	if was.Inactive() <= was.Sleeping() {
		panic(fmt.Sprintf("counters: inactive %d - 1 with %d sleeping", was.Inactive(), was.Sleeping()))
	}
	return left.Inactive(), left.Sleeping()
}

// Announce implements [api.Counters]. It costs one atomic load if the JEC is already
// even: then the caller shares the ticket of the worker that made it so. Otherwise it
// costs one atomic write for each attempt.
func (c *Counters) Announce() (ticket uint32) {
	// An Add would not do: of two announcers that add at once, the second would make
	// the JEC odd again, as if work had been posted.
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

// TrySleep implements [api.Counters]. It costs one atomic load if it fails, else one
// atomic write for each attempt. It panics if all inactive workers already sleep,
// because the caller is awake.
func (c *Counters) TrySleep(ticket uint32) bool {
	// The ticket must hold at the very moment at which the sleeper is counted. If an
	// Add counted first, and was undone where the JEC has moved, posters would
	// meanwhile count a sleeper that searches on.
	for {
		w := c.load()
		if w.Jobs() != ticket {
			return false
		}
		if w.Sleeping() >= w.Inactive() {
			panic(fmt.Sprintf("counters: sleeping %d + 1 of %d inactive", w.Sleeping(), w.Inactive()))
		}
		if c.swap(w, w+oneSleeping) {
			return true
		}
	}
}

// SubSleeping implements [api.Counters]. It costs one atomic write. It panics if
// fewer than n workers sleep, or if n is not positive.
func (c *Counters) SubSleeping(n int) {
	if n < 1 || n > c.workers {
		panic(fmt.Sprintf("counters: SubSleeping of %d, must be 1 to %d workers", n, c.workers))
	}
	if was, _ := c.sub(Word(n) * oneSleeping); was.Sleeping() < n {
		panic(fmt.Sprintf("counters: sleeping %d - %d", was.Sleeping(), n))
	}
}

// Post implements [api.Counters]. It costs one atomic load if the JEC is already odd:
// no worker has announced since the last Post, and one that does so later will find
// the work. Otherwise it costs one atomic write more.
func (c *Counters) Post() (inactive, sleeping int) {
	w := c.load()
	if !w.posted() {
		// An Or needs no comparison: if another poster was first, the bit is set already.
		w = Word(c.bits.Or(uint64(oneJob))) | oneJob
	}
	return w.Inactive(), w.Sleeping()
}

// Lend implements [api.Counters]. It costs one atomic write. It panics if no worker
// sleeps.
func (c *Counters) Lend() {
	// sleeping <= inactive, so inactive does not borrow unless sleeping does.
	if was, _ := c.sub(oneInactive + oneSleeping); was.Sleeping() == 0 {
		panic("counters: sleeping 0 - 1 by a loan")
	}
}

// Restore implements [api.Counters]. It costs one atomic write. It panics if all
// workers are already inactive.
func (c *Counters) Restore() (first bool) {
	was, _ := c.add(oneInactive + oneSleeping)
	if was.Inactive() >= c.workers {
		panic(fmt.Sprintf("counters: inactive %d + 1 of %d workers, returning a loan", was.Inactive(), c.workers))
	}
	return was.Inactive() == 0
}

// String returns the decoded fields of this moment.
func (c *Counters) String() string { return c.load().String() }
