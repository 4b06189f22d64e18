package pool

import (
	"cmp"
	"container/list"
	"context"
	"fmt"

	"github.com/rouse-go/rouse/api/prim"
	"github.com/rouse-go/rouse/latch"
	"github.com/rouse-go/rouse/pool/record"
)

// A Group is a [Scope] whose jobs may fail: the first error ends it early. The call of
// [Worker.Group] that made it returns only when all its jobs have ended.
type Group struct {
	scope *Scope
	ctx   context.Context
	end   context.CancelCauseFunc
	// first is the first error.
	//
	// Writers: jobs and the body, by CAS. The one that succeeds ends ctx with it.
	// Readers: Group, when all have ended.
	first prim.Pointer[error]
	// limit bounds the jobs that have begun, or is nil. Spawn sets spawned, and limit does not change after that.
	limit   *limit
	spawned prim.Bool
	// skipped says that a job has not begun, because ctx had ended.
	skipped prim.Bool
	// after is the next one in the list of the pool, and at what refers to this one there. The list guards them.
	after *Group
	at    **Group
}

// Group calls body, which may spawn jobs, and returns when body and all jobs that were
// spawned, by it or by each other, have ended. It returns their first error, in time,
// or nil.
//
// That error ends the context that body and the jobs are handed, and is its
// [context.Cause]. A job that has not begun by then is skipped, which is no error; one
// that runs goes on, and can ask its context. If ctx ends, the jobs that have not begun
// are skipped, too; Group then returns the error of ctx, unless body or a job has
// returned one, or all jobs had begun and returned nil. The same holds for a [Pool.Shutdown]
// that gives up; the error is [ErrCanceled] then. If ctx has ended before, Group
// returns its error and does not call body. An error that is a nil pointer is an error,
// as it is anywhere in Go.
//
// If body or a job panics or calls [runtime.Goexit], so does Group, as [Worker.Scope]
// does, when all have ended: it does not return an error then. The context ends at once,
// in this case with [context.Canceled].
//
// The context that is handed on carries the worker ([NewContext]) and ends when Group
// returns. A nil ctx or body panics; a worker whose job has ended, or waits, panics if Group
// notices. Group costs some allocations more than Scope, for the context.
func (w *Worker) Group(ctx context.Context, body func(ctx context.Context, w *Worker, g *Group) error) error {
	needContext("Group", ctx)
	needFunction("Group", body == nil)
	if err := ctx.Err(); err != nil {
		return err
	}
	g := new(Group)
	prim.Declare(g)
	g.ctx, g.end = context.WithCancelCause(ctx)
	w.pool.groups.add(g, w.pool)
	defer w.pool.groups.remove(g)
	w.Scope(func(w *Worker, s *Scope) {
		g.scope = s
		g.try(w, func(ctx context.Context, w *Worker) error { return body(ctx, w, g) })
	})
	if first := g.first.Load(); first != nil {
		return *first
	}
	if !g.skipped.Load() {
		return nil
	}
	return cmp.Or(ctx.Err(), ErrCanceled)
}

// groups are those of a pool that run, in a list. No group allocates for it.
type groups struct {
	mu    prim.Mutex
	first *Group // guarded by mu
}

// add puts a group in, until that is removed. If a Shutdown has given up, the group ends at once.
//
// Pairs: abandon says so, then ends all groups that are in; a group comes in, then reads that. So
// one of the two ends it.
func (gs *groups) add(g *Group, p *Pool) {
	gs.mu.Lock()
	if g.at, g.after, gs.first = &gs.first, gs.first, g; g.after != nil {
		g.after.at = &g.after
	}
	gs.mu.Unlock()
	if p.inbox.abandoned.Load() {
		g.end(ErrCanceled)
	}
}

// remove ends a group and takes it out.
func (gs *groups) remove(g *Group) {
	g.end(nil)
	gs.mu.Lock()
	defer gs.mu.Unlock()
	if *g.at = g.after; g.after != nil {
		g.after.at = g.at
	}
	g.after, g.at = nil, nil // whoever keeps g keeps no other one
}

// end ends the contexts of all groups.
func (gs *groups) end() {
	gs.mu.Lock()
	defer gs.mu.Unlock()
	for g := gs.first; g != nil; g = g.after {
		g.end(ErrCanceled)
	}
}

// RunGroup calls body with a [Group] in a job of the pool, and returns when body and all jobs
// that were spawned have ended. It is [Worker.Group] for a caller that has no worker, as
// [RunErr] is a call for one: it may be called from anywhere, takes the place of an errgroup,
// and returns what Group returns, or an error of [Run]: that of ctx if it has ended before, or
// [ErrClosed]. A nil ctx or body panics. Panics and Goexit are as
// in Run.
func RunGroup(ctx context.Context, p *Pool, body func(ctx context.Context, w *Worker, g *Group) error) error {
	needContext("RunGroup", ctx)
	needFunction("RunGroup", body == nil)
	ctx, end := beginTask(ctx, body)
	defer end()
	failed, err := run(ctx, p, body, func(w *Worker, ctx context.Context) error { return w.Group(ctx, body) }, ctx)
	return cmp.Or(err, failed)
}

// Spawn makes fn a job of the group, as [Scope.Spawn] does of a scope: w is the worker
// of the caller, which is the body or a job of the group. If fn returns an error, or the
// context that it is handed has ended before fn begins, see [Worker.Group]. Spawn after
// the end of the group panics, and so does a nil fn.
//
// Spawn waits only in the body, and only in a group with a limit: see [Group.SetLimit]. It
// allocates, and so may a job as it begins, for its context.
func (g *Group) Spawn(w *Worker, fn func(ctx context.Context, w *Worker) error) {
	needFunction("Spawn", fn == nil)
	if q := w.probe; q != nil {
		fn = measuredMember(w, g.scope, fn)
		defer q.Start()
	}
	j := &member{group: g, fn: fn}
	prim.Touch(&j.fn, true)
	j.task = j
	if !g.spawned.Load() {
		g.spawned.Store(true)
	}
	l := g.limit
	if l == nil {
		g.scope.spawn(w, &j.spawned)
		return
	}
	g.scope.countJob(w, &j.spawned)
	inBody := w == g.scope.owner && !g.scope.awaited.Load()
	switch {
	case g.ctx.Err() != nil: // or it would be kept until another one ends
		g.skip(w)
	case l.takePlace(j, inBody):
		g.scope.offerJob(w, &j.spawned)
		return
	case inBody:
		g.awaitPlace(l)
	}
}

// SetLimit bounds how many jobs of the group have begun and not ended, those that wait or
// are in [Worker.Block] included: to n. A job that is over the limit is kept. When one ends, the
// one that has been kept for longest takes its place. When the context of the group has ended,
// kept jobs are skipped as a job ends, and new ones at once.
//
// [Group.Spawn] waits until its job is kept no longer, if the body calls it: so the body has one
// kept job at most, however many it spawns. Others have its worker meanwhile. It must not hold a
// lock over Spawn that jobs of the group take. A job that calls Spawn does not wait, as it has a
// place itself.
//
// The body does not count. A job that waits, for forks or in a scope or group of its own, counts
// once, and what it waits for does not count here. So a limit of 1 is as good as any, with one
// worker too. But a job must not wait for another one of its group in any other way: that one
// may be kept until the first has ended.
//
// Call it in the body, before the first Spawn. A limit below 1, a second one, or one for a group
// that has jobs panics. A group with a limit takes a lock in each Spawn and at the end of each
// job.
func (g *Group) SetLimit(n int) {
	if n < 1 {
		panic(fmt.Sprintf("pool: SetLimit(%d): must be at least 1", n))
	}
	if g.limit != nil || g.spawned.Load() {
		panic("pool: SetLimit of a group that has jobs, or has a limit: call it once, before the first Spawn")
	}
	g.limit = &limit{free: n}
	prim.Declare(g.limit)
}

// skip ends a job that is counted and that nobody else knows of.
func (g *Group) skip(w *Worker) {
	g.skipped.Store(true)
	w.earnCredit(g.scope)
}

// member is the frame of a job of a group.
type member struct {
	spawned
	group *Group
	fn    func(context.Context, *Worker) error
}

// run clears what the frame refers to, as run of a plain job does.
func (j *member) run(w *Worker) {
	g, fn := j.group, j.fn
	j.fn = nil
	prim.Touch(&j.fn, true)
	if g.ctx.Err() != nil {
		g.skipped.Store(true)
		return
	}
	g.try(w, fn)
}

func (j *member) about() (record.JobKind, uintptr, *seat) {
	return record.JobSpawned, codeOf(j.fn), nil
}

// done also ends the group early if a fork failed that the job has not joined.
func (j *member) done(w *Worker, f *failure) {
	g := j.group
	if f != nil {
		g.end(nil)
	}
	j.group = nil
	if g.limit != nil {
		g.passOn(w)
	}
	j.spawned.done(w, f)
}

// try calls fn as the worker w. If fn fails, the others need not begin any more.
func (g *Group) try(w *Worker, fn func(ctx context.Context, w *Worker) error) {
	returned := false
	defer func() {
		if !returned {
			g.end(nil)
		}
	}()
	err := fn(g.contextFor(w), w)
	returned = true
	if err != nil {
		first := err // which alone is allocated
		if g.first.CompareAndSwap(nil, &first) {
			g.end(err)
		}
	}
}

// contextFor returns the context for a job that w runs: for many jobs there is one.
func (g *Group) contextFor(w *Worker) context.Context {
	w.holdCreditOf(g.scope)
	if w.credit.ctx == nil {
		w.credit.ctx = NewContext(g.ctx, w)
	}
	return w.credit.ctx
}

// A limit has places for the jobs of a group that may begin. A job has one from when it is
// offered to the workers until it has ended.
type limit struct {
	mu   prim.Mutex
	free int // guarded by mu; if it is not 0, nothing is kept
	// kept has a *member for each job that was spawned and has no place, the oldest first. Guarded by mu.
	kept list.List
	// awaited is the one of them that the body waits for, or has waited for last. Guarded by mu.
	awaited *member
	// left is set when that job is kept no longer.
	left latch.Core
}

// takePlace gives the job a place, or keeps it. waits says that the caller waits then until it is kept
// no longer.
func (l *limit) takePlace(j *member, waits bool) (entered bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.free > 0 {
		l.free--
		return true
	}
	l.kept.PushBack(j)
	if waits {
		l.awaited = j
		l.left.Reset()
	}
	return false
}

// passPlace gives a place to the oldest job that is kept, and returns that, and whether the body waits
// for it. If there is none, the place is free.
func (l *limit) passPlace() (j *member, awaited bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	first := l.kept.Front()
	if first == nil {
		l.free++
		return nil, false
	}
	j = l.kept.Remove(first).(*member)
	return j, j == l.awaited
}

// passOn gives the place of a job that w has just ended to the next one that is kept. If the
// context has ended, none of them begins any more.
func (g *Group) passOn(w *Worker) {
	for l := g.limit; ; {
		j, awaited := l.passPlace()
		if j == nil {
			return
		}
		ended := g.ctx.Err() != nil
		if ended {
			j.group, j.fn = nil, nil
			g.skip(w)
		} else {
			g.scope.offerJob(w, &j.spawned)
		}
		if awaited && l.left.Set() {
			g.scope.owner.rouse(w)
		}
		if !ended {
			return
		}
	}
}

// awaitPlace has the body wait until its job is kept no longer. The jobs with places lie where workers find
// them, or have begun, and pass their places on as they end. If one has not begun, it begins now, on
// a goroutine of its own: all workers may have jobs that wait for the body.
//
// Pairs: as for the wait for the scope, see Scope.awaited. Nothing is spawned meanwhile but by jobs.
func (g *Group) awaitPlace(l *limit) {
	s, w := g.scope, g.scope.owner
	s.awaited.Store(true)
	defer s.awaited.Store(false)
	on := cause{scope: s}
	j := s.next(w)
	w.repayCredit(nil)
	if j == nil {
		w.wait(&l.left, on)
		return
	}
	w.giveWay(w.pool, j, &l.left, on)
}
