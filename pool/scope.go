package pool

import (
	"context"

	"github.com/rouse-go/rouse/api"
	"github.com/rouse-go/rouse/api/prim"
	"github.com/rouse-go/rouse/latch"
	"github.com/rouse-go/rouse/pool/record"
)

// A Scope is a set of jobs. The call of [Worker.Scope] that made it returns only
// when all of them have ended.
type Scope struct {
	owner *Worker
	// pending counts the body, the jobs that have not ended, and the credit of workers.
	pending latch.Count
	// failed is how the first job ended that did not return.
	failed prim.Pointer[failure]
	jobs   scopeJobs
	// awaited says that the body has ended, or waits for room in a group: a worker that ends a job goes on
	// with another one of the scope.
	//
	// Pairs: the owner sets it, then takes from the lists. A job that ends and reads that it is not
	// set has put all that it has spawned into a list before.
	awaited prim.Bool
}

// Scope calls body, which may spawn jobs, and returns when body and all jobs
// that were spawned, by it or by each other, have ended.
//
// If body panics, so does Scope, with the same value. Otherwise, if a job
// panicked or called [runtime.Goexit], Scope does the same as the first of
// them. By then the jobs have ended, and forks that body has left behind have
// ended or will never start.
//
// body runs on the goroutine of the caller, as the worker of the caller, and is handed that.
// Scope costs two allocations, and each [Scope.Spawn] two more. Scope panics
// if it notices that the job of w has ended, or waits.
func (w *Worker) Scope(body func(w *Worker, s *Scope)) {
	needFunction("Scope", body == nil)
	w.checkJob()
	if w.state == blocked {
		panic(inBlock) // its wait would take a seat
	}
	s := &Scope{owner: w}
	prim.Declare(s)
	w.repayCredit(nil)
	w.credit = credit{scope: s, units: bulk, list: &s.jobs.own}
	s.pending.Init(1 + bulk)
	q := w.probe
	if q != nil {
		q.Open(s)
		defer q.Close(s)
	}
	w.contain(func() {
		returned := false
		defer func() {
			q.Stop()
			w.earnCredit(s)
			if f := s.awaitJobs(w); returned && f != nil {
				w.endAs(f)
			}
		}()
		body(w, s)
		returned = true
	})
}

// Spawn makes fn a job of the scope. It may run on any worker, at any time
// until the scope ends. w is the worker of the caller, which is the body or a
// job of the scope; a worker of another pool panics. If the caller is another
// job, the scope does not end before that job has. Spawn after the end of the scope panics, and so
// does a nil fn.
//
// A worker begins the newest job first. So a job that spawns itself again until an older one has
// run may never end, on one worker; on goroutines it would.
//
// Spawn allocates, and makes the job visible to other workers at once. Workers
// that spawn at the same time, and those that end jobs, hardly write the same
// memory.
func (s *Scope) Spawn(w *Worker, fn func(w *Worker)) {
	needFunction("Spawn", fn == nil)
	if q := w.probe; q != nil {
		fn = measuredJob(w, s, fn)
		defer q.Start()
	}
	j := &plain{fn: fn}
	prim.Touch(&j.fn, true)
	j.task = j
	s.spawn(w, &j.spawned)
}

// awaitJobs runs the jobs that have not begun, and waits for the others, even if a job that it runs
// calls Goexit. It returns how the first job ended that did not return.
func (s *Scope) awaitJobs(w *Worker) (f *failure) {
	defer func() {
		if s.pending.Probe() {
			// A deque may keep one of the jobs, and so the scope, for a while.
			// The two stores alone would be a sixth of what an empty scope costs.
			if f = s.failed.Load(); f != nil {
				s.failed.Store(nil)
			}
			if s.jobs.others.Load() != nil {
				s.jobs.others.Store(nil)
			}
		} else {
			f = s.awaitJobs(w)
		}
	}()
	s.awaited.Store(true)
	for !s.pending.Probe() {
		j := s.next(w)
		if j == nil {
			w.repayCredit(nil)
			w.wait(&s.pending, cause{scope: s})
			break
		}
		w.execute(j)
	}
	return
}

// next begins a job of the scope that has not begun, wherever its pointer lies. If it returns nil,
// all have begun, or were spawned meanwhile by jobs that have not ended.
//
// The deques come first: their oldest jobs tend to have more beneath them than the newest one of a
// list, and leave no strays.
func (s *Scope) next(w *Worker) *Job {
	if j := w.seat.takeLocalOf(s); j != nil {
		return j
	}
	if s.jobs.isEmpty() {
		return nil
	}
	if w.seat.deque.Len() == 0 {
		if j := w.seat.stealOf(s); j != nil {
			return j
		}
	}
	return s.jobs.begin()
}

// spawn makes a job, whose task is set, one of the scope.
func (s *Scope) spawn(w *Worker, j *spawned) {
	s.countJob(w, j)
	s.offerJob(w, j)
}

// countJob makes a job, whose task is set, one of the scope, which does not end before it. It cannot
// begin yet.
func (s *Scope) countJob(w *Worker, j *spawned) {
	w.spendCredit(s)
	j.scope = s
	j.link.job = &j.Job
	w.counts().spawned.Add(1)
}

// offerJob lets workers begin a job that was only counted. The caller runs a job of the scope, or the
// body, or still has the unit of a job that it has ended.
func (s *Scope) offerJob(w *Worker, j *spawned) {
	w.holdCreditOf(s)
	if w.credit.list == nil {
		w.credit.list = s.jobs.list(w == s.owner, w.seat.index)
	}
	w.credit.list.add(&j.link)
	w.push(&j.Job)
}

// spawned is the common part of the frames of jobs of scopes and groups.
type spawned struct {
	Job
	link  link
	scope *Scope // does not change
}

func (j *spawned) done(w *Worker, f *failure) {
	if f != nil {
		j.scope.failed.CompareAndSwap(nil, f)
	}
	w.earnCredit(j.scope)
}

// plain is the frame of a job of a scope.
type plain struct {
	spawned
	fn func(*Worker)
}

// run clears the references of the frame: a deque may keep the frame for a while.
func (j *plain) run(w *Worker) {
	fn := j.fn
	j.fn = nil
	prim.Touch(&j.fn, true)
	fn(w)
}

func (j *plain) about() (record.JobKind, uintptr, *seat) { return record.JobSpawned, codeOf(j.fn), nil }

// isOf reports whether the job, claimed or not, is one of the scope.
func (j *Job) isOf(s *Scope) bool {
	switch f := j.task.(type) {
	case *plain:
		return f.scope == s
	case *member:
		return f.scope == s
	}
	return false
}

// takeLocalOf begins the newest job of the seat's own deque that nobody has begun, if
// that is one of the scope.
func (s *seat) takeLocalOf(scope *Scope) *Job {
	for s.deque.Len() > 0 {
		j := s.pop()
		if j == nil {
			return nil
		}
		if j.isOf(scope) {
			if j.begin() {
				return j
			}
		} else if !j.isClaimed() {
			s.push(j) // with a post, for the deque was short for a moment
			return nil
		}
	}
	return nil
}

// stealOf begins the oldest job of another seat's deque, if it is one of the scope.
// Another one that it comes upon is moved to this seat's deque, which is empty, and
// ends the search: to begin it would keep the worker from the scope.
func (s *seat) stealOf(scope *Scope) *Job {
	for n := range s.otherSeats {
		d := s.pool.seat(n).deque
		for j, outcome := d.Steal(); outcome == api.Stolen; j, outcome = d.Steal() {
			s.pool.want(n) // others may find the deque empty now
			if j.isOf(scope) {
				if j.begin() {
					s.stats.steals.Add(1)
					s.thief.victim, s.thief.stole = n, 1
					return j
				}
			} else if !j.isClaimed() {
				s.push(j)
				return nil
			}
		}
	}
	return nil
}

// A scope counts the jobs that have not ended. If each Spawn and each end of a job wrote the count,
// workers with short jobs would do little else than pass its cache line on. So a worker holds a
// credit: units of the count that it has taken, or got from jobs that have ended, and not given
// back. See "Credit" in INTERNALS.md for when it must be given back. The idea is from Mattern,
// "Global quiescence detection based on credit distribution and recovery" (1989), for messages.

// bulk is how many units a worker takes at a time.
const bulk = 32

// A credit is a worker's share of the count of one scope. While it lasts, Spawn and the end of
// a job read little that other workers write, the scope's lists alone: when each read the owner, a tree of
// small jobs took half as long again on two workers.
type credit struct {
	scope *Scope
	// units are for jobs to be spawned, or of jobs that have ended.
	units int
	// list is the one to which the worker adds, or nil before it has spawned.
	list *jobList
	// ctx is the context of the group's jobs that the worker runs, or nil before there is one.
	ctx context.Context
}

// holdCreditOf makes the credit one of s. Credit of another scope goes back. That one has not ended, for
// the worker runs a job of it, or one that such a job waits for: so nobody is roused.
func (w *Worker) holdCreditOf(s *Scope) {
	if w.credit.scope != s {
		w.repayCredit(nil)
		w.credit.scope = s
	}
}

// spendCredit takes a unit for a new job of s, which has not ended.
func (w *Worker) spendCredit(s *Scope) {
	w.checkJob()
	if w.state == blocked {
		panic(inBlock)
	}
	if w.credit.scope != s && w.pool != s.owner.pool {
		panic("pool: Spawn with a worker of another pool than the scope's: spawn with the worker that the body or the job was given")
	}
	w.holdCreditOf(s)
	if w.credit.units == 0 {
		if s.pending.Probe() {
			panic("pool: Spawn after the end of the scope or group: spawn in its body, or in one of its jobs")
		}
		s.pending.Add(bulk)
		w.credit.units = bulk
	}
	w.credit.units--
}

// earnCredit takes over the unit of a job of s, or of the body, that has ended.
func (w *Worker) earnCredit(s *Scope) {
	w.holdCreditOf(s)
	w.credit.units++
}

// repayCredit gives the whole credit back. by is as for rouse.
func (w *Worker) repayCredit(by *Worker) {
	s, n := w.credit.scope, w.credit.units
	w.credit = credit{}
	if n == 0 {
		return
	}
	owner := s.owner
	if s.pending.Sub(n) {
		owner.rouse(by)
	}
}

// nextOfScope begins another job of the scope whose credit the worker has. If there is none, it gives
// the credit back.
//
// The worker is between two jobs. The next one begins before the unit of the last one goes back:
// the owner of the scope waits for begun jobs.
func (w *Worker) nextOfScope() (j *Job) {
	if s := w.credit.scope; w.credit.units > 0 && w.successor == nil {
		j = w.seat.takeLocalOf(s)
		if j == nil && s.awaited.Load() {
			j = s.next(w)
		}
	}
	if j == nil {
		w.repayCredit(w)
	}
	return j
}
