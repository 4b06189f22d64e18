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

// await waits for the jobs, even if one that is run meanwhile calls Goexit.
func (s *Scope) await(w *Worker) {
	defer func() {
		if !s.pending.Probe() {
			s.await(w)
		}
	}()
	w.wait(&s.pending)
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
	w.stats.spawned.Add(1)
	w.push(&j.Job)
}

// spawned is the frame of a job of a scope.
type spawned struct {
	Job
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

func (j *spawned) done(_ *Worker, f *failure) {
	s, owner := j.scope, j.scope.owner
	j.scope = nil
	if f != nil {
		s.failed.CompareAndSwap(nil, f)
	}
	if s.pending.Set() {
		owner.pool.sleep.Wake(owner.index)
	}
}
