package pool

import (
	"github.com/rouse-go/rouse/api/prim"
	"github.com/rouse-go/rouse/latch"
)

// A Scope is a set of jobs that end before the call of [Worker.Scope] does
// that made it.
type Scope struct {
	owner *Worker
	// pending counts the body and the jobs that have not ended.
	pending latch.Count
	// failed is how the first job ended that did not return.
	failed prim.Pointer[failure]
	// awaited says that the body has ended: who ends a job goes on with another
	// one of the list.
	//
	// Pairs: the owner sets it, then takes from the list. A job that ends and reads
	// that it is not set has put all that it has spawned into the list before that.
	awaited prim.Bool
	// unbegun is a Treiber stack of the jobs of which not each has begun.
	unbegun prim.Pointer[link]
	// most is how many links there may be before somebody looks for those that can
	// go.
	most prim.Uint32
}

// Scope calls body, which may spawn jobs, and returns when body and all jobs
// that were spawned, by it or by each other, have ended.
//
// If body panics, so does Scope, with the same value. Otherwise, if a job
// panicked or called [runtime.Goexit], Scope does the same as the first of
// them. By then the jobs have ended, and the forks that body has left behind
// have, or will never start.
func (w *Worker) Scope(body func(s *Scope)) {
	s := &Scope{owner: w}
	prim.Declare(s)
	s.pending.Init(1)
	w.contain(func() {
		returned := false
		defer func() {
			s.pending.Set()
			s.await(w)
			if f := s.failed.Load(); returned && f != nil {
				w.raise(f)
			}
		}()
		body(s)
		returned = true
	})
}

// await runs the jobs that have not begun, wherever their pointers lie, and waits
// for the others; even if a job that it runs calls Goexit.
func (s *Scope) await(w *Worker) {
	defer func() {
		if !s.pending.Probe() {
			s.await(w)
		}
	}()
	s.awaited.Store(true)
	for !s.pending.Probe() {
		j := s.next()
		if j == nil {
			w.wait(&s.pending, nil, s)
			return
		}
		if w.seat != nil {
			w.seat.tidy(j)
		}
		w.execute(j)
	}
}

// Spawn makes fn a job of the scope. It may run on any worker, at any time
// until the scope ends. w is the worker of the caller, which is the body or a
// job of the scope; a worker of another pool panics. Spawn allocates, and makes
// the job visible to other workers at once.
func (s *Scope) Spawn(w *Worker, fn func(w *Worker)) {
	if w.pool != s.owner.pool {
		panic("pool: Spawn with a worker of another pool than the scope's: spawn with the worker that the body or the job was given")
	}
	s.pending.Increment()
	j := &spawned{scope: s, fn: fn}
	prim.Touch(&j.fn, true)
	j.task = j
	j.link.job = &j.Job
	s.list(&j.link)
	w.counts().spawned.Add(1)
	w.push(&j.Job)
}

// A link is a job in the list of a scope. It does not change once it is there, and
// is put there once: so there is no ABA.
type link struct {
	job *Job
	// below is the link beneath, depth how many there are from this one on.
	below *link
	depth uint32
}

// list puts a job into the list.
func (s *Scope) list(l *link) {
	for {
		top := s.unbegun.Load()
		l.below, l.depth = top, 1
		if top != nil {
			l.depth += top.depth
		}
		if s.unbegun.CompareAndSwap(top, l) {
			break
		}
	}
	if l.depth > max(fewLinks, s.most.Load()) {
		s.prune()
	}
}

// fewLinks is how many links a list may have without a look at them.
const fewLinks = 64

// prune makes new links for the jobs that have not begun, if most have, so that a
// scope that goes on for long keeps no more than twice as many links as jobs.
//
// The caller is the body or a job of the scope. So nobody waits for what the list
// lacks meanwhile: when the caller ends, all is back.
func (s *Scope) prune() {
	left := uint32(0)
	all := s.unbegun.Load()
	for l := all; l != nil; l = l.below {
		if !l.job.isClaimed() {
			left++
		}
	}
	s.most.Store(2 * left)
	if all == nil || 2*left > all.depth {
		return
	}
	for l := s.unbegun.Swap(nil); l != nil; l = l.below {
		if !l.job.isClaimed() {
			s.list(&link{job: l.job})
		}
	}
}

// next begins a job of the list, or returns nil.
func (s *Scope) next() *Job {
	for {
		l := s.unbegun.Load()
		if l == nil {
			return nil
		}
		if s.unbegun.CompareAndSwap(l, l.below) && l.job.begin() {
			return l.job
		}
	}
}

// spawned is the frame of a job of a scope.
type spawned struct {
	Job
	link  link
	scope *Scope
	fn    func(*Worker)
}

// run and done let go of what the frame refers to: the deque that it was
// stolen from may keep the frame for a while.

func (j *spawned) run(w *Worker) {
	fn := j.fn
	j.fn = nil
	prim.Touch(&j.fn, true)
	fn(w)
}

func (j *spawned) done(w *Worker, f *failure) {
	s, owner := j.scope, j.scope.owner
	j.scope = nil
	if f != nil {
		s.failed.CompareAndSwap(nil, f)
	}
	// The next job begins before this one ends: the owner waits for begun ones.
	if w != owner && s.awaited.Load() {
		w.next = s.next()
	}
	if s.pending.Set() {
		owner.rouse(w)
	}
}
