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

// closing, in accepted, says that nothing more is let in.
const closing = 1 << 62

// shutdown is the state of a pool's end.
type shutdown struct {
	// accepted is how many calls of Run and Submit were let in and have not
	// ended, and closing.
	//
	// Pairs: an enter that comes before Close's Or is counted, and Close
	// waits for it; one that comes after sees closing.
	accepted prim.Int64
	// drained is set when accepted has come down to closing.
	drained latch.Outside
	// workers are the seats whose goroutines have not ended for good.
	workers prim.WaitGroup
	// ended is set when all is over.
	ended latch.Outside
}

func (s *shutdown) init(workers int) { s.workers.Add(workers) }

// enter lets a job in, or returns false.
func (s *shutdown) enter() bool {
	if s.accepted.Add(1)&closing == 0 {
		return true
	}
	s.leave()
	return false
}

// enterNested lets in a job that a job of the pool runs inside. The outer one
// has kept the count from coming down.
func (s *shutdown) enterNested() { s.accepted.Add(1) }

// leave ends a job that was let in.
func (s *shutdown) leave() {
	if s.accepted.Add(-1) == closing {
		s.drained.Set()
	}
}

// Close ends the pool. Jobs that were accepted are run first, and what they
// fork, spawn and run inside; later ones are refused with [ErrClosed]. When
// Close returns all workers' goroutines have ended. Any number of goroutines
// may call it, any number of times: all wait for the same end, and get nil.
//
// A job of the pool cannot close it: Close then returns [ErrCloseInJob] and
// does nothing.
func (p *Pool) Close() error {
	if p.occupant() != nil {
		return ErrCloseInJob
	}
	s := &p.shutdown
	forEver := context.Background()
	accepted := s.accepted.Or(closing)
	if accepted&closing != 0 {
		return s.ended.Wait(forEver)
	}
	if accepted != 0 {
		if err := s.drained.Wait(forEver); err != nil {
			return err
		}
	}
	for _, w := range p.workers {
		if w.stop.Set() {
			p.sleep.Wake(w.index)
		}
	}
	s.workers.Wait()
	for _, w := range p.workers {
		w.delist()
	}
	s.ended.Set()
	return nil
}
