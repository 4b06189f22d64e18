package pool

import (
	"context"

	"github.com/rouse-go/rouse/api"
	"github.com/rouse-go/rouse/api/prim"
	"github.com/rouse-go/rouse/latch"
)

// closing, in entered, says that nothing is let in any more.
const closing = 1 << 62

// shutdown is the state of a pool's end.
type shutdown struct {
	// entered counts the calls of Run and Submit that asked to be let in. It
	// also has the bit closing.
	//
	// Pairs: an enter that comes before Close's Or is counted, and Close
	// waits for it; one that comes after sees closing.
	entered prim.Int64
	// lives counts the seats that have not ended, those of guests that somebody has, and
	// the goroutines that return a borrowed one. It is raised by a job that has not left, or by a
	// goroutine with a seat. One that has passed its seat on only returns, and is not counted.
	lives closeGroup
	_     [24]byte
	// left counts those of them that have ended. It lies on another cache line, so that the beginning
	// and the end of a job, on different processors, do not write the same one. A worker counts the
	// submitted jobs that it ends itself, and tells of them with its other counts: see reportCounts.
	//
	// Pairs: a caller that leaves adds to left, then reads closing; Close sets closing, then reads left.
	// So one of the two finds that all have left.
	left prim.Int64
	// closing says that entered has closing. All that leave read it.
	closing prim.Bool
	// drained is set when all that entered have left.
	drained latch.Outside
	// ended is set when all is over.
	ended latch.Outside
}

// enter counts n jobs that ask to be let in, and reports whether they are. If they are not, the
// caller refuses them, or runs them all the same inside a job of the pool, which has not left.
func (p *Pool) enter(n int) bool {
	if p == nil {
		panic(nilPool)
	}
	return p.shutdown.entered.Add(int64(n))&closing == 0
}

// admit is enter for one job that is refused if it is not let in.
func (p *Pool) admit() error {
	if p.enter(1) {
		return nil
	}
	p.refuse(1)
	return ErrClosed
}

// refuse ends n jobs that have asked to be let in, and never will be.
func (p *Pool) refuse(n int) {
	p.inbox.refused.Add(uint64(n))
	p.leave(n)
}

// wasUsed reports whether a call has ever asked to be let in. Until then there
// is no work, and all flags are up, so the workers of a large pool need not
// search it as they begin.
//
// Pairs: a caller that brings work enters, then pushes, then posts. That post
// sees a worker that is counted as sleeping and has read that nobody has entered.
// A job that takes a seat is not pushed: its own pushes come later.
func (p *Pool) wasUsed() bool { return p.shutdown.entered.Load() != 0 }

// leave ends n jobs that entered, and tells Close when all have left.
func (p *Pool) leave(n int) {
	p.shutdown.left.Add(int64(n))
	if p.shutdown.closing.Load() && p.allLeft() {
		p.shutdown.drained.Set()
	}
}

// allLeft reports whether all that entered have left. Both counts only grow, nothing leaves without
// having entered, and entered is read last: so if they are equal, all had left when left was read.
func (p *Pool) allLeft() bool {
	left := p.shutdown.left.Load()
	return left == p.shutdown.entered.Load()&^closing
}

// Close ends the pool. Accepted jobs are run first, with all that they fork, spawn and run
// inside, jobs that the limit of a group keeps ([Group.SetLimit]) included; later ones are
// refused with [ErrClosed]. When Close returns, all workers' goroutines have ended. Any number
// of goroutines may call it, any number of times: all wait for the same end, and get nil. At
// rest it costs about half a microsecond for each worker. If nobody was told of a submitted
// job's panic, it goes to the panic handler before Close returns, or ends the program: see
// [Submit]. For an end by a deadline there is [Pool.Shutdown].
//
// Close waits for no caller that it would have to wait for itself:
//
//   - In a job of the pool, and in a deferred function of a job, also while that panics or
//     exits, it returns [ErrCloseInJob] and does nothing. It knows jobs by their goroutine.
//   - In the panic handler, which Close waits for, it does the same, if nobody else is told
//     of the panic. If the panic leaves a [Run], the job has ended by then, and Close ends
//     the pool, unless that Run was itself called in a job of the pool.
//   - A finalizer and a cleanup are on goroutines of the Go runtime. There Close ends the pool,
//     and all other finalizers wait meanwhile.
//
// Nor may something that a job waits for elsewhere close the pool: a goroutine that the job has
// started, or a job of another pool on a goroutine of that. Close cannot tell there, and both wait
// forever.
//
// Nor does Close end the pool while that is the default: then it returns [ErrDefault],
// see [SetDefault].
func (p *Pool) Close() error { return p.close(context.Background()) }

// Shutdown is Close that stops waiting when ctx ends, and then returns the error of ctx
// at once. The submitted jobs that have not begun by then are taken back: they never begin, and
// their waiters get [ErrCanceled]. A job that a worker has taken has begun, and so has each
// [Run] that was let in. Those that run go on, with what they fork and spawn in scopes, and the
// pool ends when they have; a later Close or Shutdown waits for that. The contexts of their
// groups end: jobs of a group that have not begun never do, and [Worker.Group] returns
// [ErrCanceled].
//
// If ctx has ended before, Shutdown takes back the jobs that have not begun. It returns the
// error of ctx, or nil if the pool has ended by then. Shutdown and Close may be called by
// any number of goroutines, any number of times. A job of the pool, and its panic handler,
// gets [ErrCloseInJob] as from Close, and everybody [ErrDefault] while the pool is the
// default. A nil ctx panics.
func (p *Pool) Shutdown(ctx context.Context) error {
	needContext("Shutdown", ctx)
	return p.close(ctx)
}

func (p *Pool) close(ctx context.Context) error {
	if p.builtIn || p == defaults.set.Load() {
		return ErrDefault
	}
	if p.isHere() {
		return ErrCloseInJob
	}
	// A job of p may wait for this one, or for its forks.
	defer workerHere().block().endBlock()
	s := &p.shutdown
	if s.entered.Or(closing)&closing == 0 {
		s.closing.Store(true)
		p.inbox.queue.close()
		if ctx.Done() == nil {
			p.end()
		} else {
			prim.Go(p.end)
		}
	}
	if err := s.ended.Wait(ctx); err != nil {
		p.abandon()
		return err
	}
	return nil
}

// end waits for all that entered, and ends the seats. It is called once.
func (p *Pool) end() {
	s := &p.shutdown
	if !p.allLeft() {
		_ = s.drained.Wait(context.Background()) // which never ends
	}
	// All are told before the first is woken: a worker that ends wakes others, which would search a
	// large pool in vain.
	var asleep []int
	for _, seat := range p.seats {
		if seat.stop.Set() {
			asleep = append(asleep, seat.index)
		}
	}
	for _, seat := range asleep {
		p.sleep.Wake(seat)
	}
	s.lives.Wait()
	p.reportAll()
	for seat := range p.eachSeat {
		for _, w := range seat.spares.workers {
			workerIDs.Drop(w.number)
		}
	}
	s.ended.Set()
}

// abandon ends the contexts of all groups, and takes back all submitted jobs that have not begun.
// It does not find one that is just being accepted: see Pool.accept.
func (p *Pool) abandon() {
	p.inbox.abandoned.Store(true)
	p.groups.end()
	for {
		switch j, outcome := p.inbox.queue.Steal(); outcome {
		case api.Stolen:
			j.recall()
		case api.Lost:
			prim.Yield()
		case api.Empty:
			return
		}
	}
}
