package pool

import (
	"context"
	"errors"

	"github.com/rouse-go/rouse/api/prim"
	"github.com/rouse-go/rouse/latch"
)

// ErrClosed is what [Run] and [Submit] return once [Pool.Close] was called.
var ErrClosed = errors.New("pool: closed")

// ErrCloseInJob is what [Pool.Close] returns to a job of the pool, which it
// would wait for for ever.
var ErrCloseInJob = errors.New("pool: Close called by a job of the pool: close it when Run has returned")

// closing, in entered, says that nothing more is let in.
const closing = 1 << 62

// shutdown is the state of a pool's end.
type shutdown struct {
	_ [64]byte // every caller writes what follows
	// entered counts the calls of Run and Submit that asked to be let in, and
	// has closing.
	//
	// Pairs: an enter that comes before Close's Or is counted, and Close
	// waits for it; one that comes after sees closing.
	entered prim.Int64
	// goroutines are the pool's own that have not ended. It is raised by one of
	// them, or by a job that has not left.
	goroutines prim.WaitGroup
	_          [40]byte
	// left counts those that have ended, but for the jobs that workers count
	// for themselves: the beginning and the end of a job, on different
	// processors, need not write the same word.
	left prim.Int64
	// closing says that entered has closing. Whoever leaves reads it.
	//
	// Pairs: Close sets it, then adds up who has left; who leaves is counted,
	// then reads it. So the last one who does, or Close, sees all.
	closing prim.Bool
	// drained is set when all who entered have left.
	drained latch.Outside
	// ended is set when all is over.
	ended latch.Outside
}

// enter lets a job in, or returns false.
func (p *Pool) enter() bool {
	if p.shutdown.entered.Add(1)&closing == 0 {
		return true
	}
	p.leave()
	return false
}

// used reports whether anybody has ever asked to be let in. While nobody has
// there is no work, and all flags are up, so the workers of a large pool need
// not search it as they begin.
//
// Pairs: whoever brings work enters first, pushes then, and posts last; a worker
// that is counted as sleeping and reads that nobody has entered is seen by that
// post. A job that takes a seat is not pushed: what it pushes itself comes later.
func (p *Pool) used() bool { return p.shutdown.entered.Load() != 0 }

// enterNested lets in what cannot be refused any more: a job that a job of the
// pool runs inside. The caller has not left.
func (p *Pool) enterNested() { p.shutdown.entered.Add(1) }

// leave ends a job that entered.
func (p *Pool) leave() {
	p.shutdown.left.Add(1)
	p.drain()
}

// drain tells Close when all have left. It is called after a count of those
// who have was raised.
func (p *Pool) drain() {
	if p.shutdown.closing.Load() && p.allLeft() {
		p.shutdown.drained.Set()
	}
}

// allLeft reports whether all who entered have left. The counts only grow,
// nobody leaves who has not entered, and entered is read last: so if they are
// equal, all had left when the last of the others was read.
func (p *Pool) allLeft() bool {
	left := p.shutdown.left.Load() + int64(p.loose.submitted.Load())
	for _, s := range p.seats {
		left += int64(s.stats.submitted.Load())
	}
	return left == p.shutdown.entered.Load()&^closing
}

// Close ends the pool. Jobs that were accepted are run first, and what they
// fork, spawn and run inside; later ones are refused with [ErrClosed]. When
// Close returns all workers' goroutines have ended. Any number of goroutines
// may call it, any number of times: all wait for the same end, and get nil.
//
// A job of the pool cannot close it: Close then returns [ErrCloseInJob] and
// does nothing.
func (p *Pool) Close() error {
	here := workersHere()
	if here.in(p) != nil {
		return ErrCloseInJob
	}
	if len(here) > 0 {
		// A job of p may be waiting for a seat of another pool: this one's.
		here.know()
		here.vacate()
		defer here[0].regain()
	}
	s := &p.shutdown
	forEver := context.Background()
	if s.entered.Or(closing)&closing != 0 {
		return s.ended.Wait(forEver)
	}
	s.closing.Store(true)
	if !p.allLeft() {
		if err := s.drained.Wait(forEver); err != nil {
			return err
		}
	}
	for _, seat := range p.seats {
		if seat.stop.Set() {
			p.sleep.Wake(seat.index)
		}
	}
	s.goroutines.Wait()
	for _, seat := range p.seats {
		for _, w := range seat.spares {
			enlisted.drop(w.number)
		}
	}
	s.ended.Set()
	return nil
}
