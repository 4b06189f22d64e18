package pool

import (
	"context"
	"math"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/rouse-go/rouse/api/prim"
)

// A measured job has a probe, and so has each of its forks and jobs while it runs. As long as a
// worker has one, a bit of its flag is up, so that its forks and joins take the long way, and come
// here. See "Measure" in INTERNALS.md.

// measuring counts the calls of Measure in the program. It is no step of the explorer: it spares
// others a look at the stack, and that decides.
var measuring prim.ReportNumber

// A measurement is one call of Measure.
type measurement struct {
	// least and most say how much of the probe's own time is in each strand. bare is how many
	// nanoseconds the shortest strands take by themselves.
	least, most time.Duration
	bare        float64
	// whole is the probe of the measured function, when that has ended.
	whole *probe

	mu prim.Mutex
	// The rest is guarded by mu.

	sites []Site
	// places has the number of a site for each return address, or inside.
	places map[uintptr]int
	// spares are for the next forks.
	spares []*probe
	// scopes are those that were opened by measured jobs.
	scopes map[*Scope]*scoped
}

// inside says that a return address lies in the packages whose callers are the sites.
const inside = -1

func newMeasurement(whole Site) *measurement {
	m := &measurement{places: make(map[uintptr]int), scopes: make(map[*Scope]*scoped)}
	prim.Declare(m)
	m.sites = append(m.sites, whole)
	return m
}

// A path is the longest chain that leads to a point of a measured function.
type path struct {
	span     time.Duration
	burdened time.Duration   // of another chain, perhaps
	shares   []time.Duration // of the span, by the number of the site
}

func (p *path) add(site int, t time.Duration) {
	p.span += t
	p.burdened += t
	for len(p.shares) <= site {
		p.shares = append(p.shares, 0)
	}
	p.shares[site] += t
}

func (p *path) set(to *path) {
	p.span, p.burdened = to.span, to.burdened
	p.shares = append(p.shares[:0], to.shares...)
}

// longer makes p the longer one of two paths that come together.
func (p *path) longer(q *path) {
	burdened := max(p.burdened, q.burdened)
	if q.span > p.span {
		p.set(q)
	}
	p.burdened = burdened
}

// sums are what jobs took together. The probe's own time is a part of took.
type sums struct {
	took, waited   time.Duration
	strands, forks int
}

func (s *sums) add(t sums) {
	s.took += t.took
	s.waited += t.waited
	s.strands += t.strands
	s.forks += t.forks
}

// work returns what the jobs took without the probe, if that takes so long in each strand.
func (m *measurement) work(s sums, probe time.Duration) time.Duration {
	return max(s.took-time.Duration(s.strands)*probe, time.Duration(float64(s.strands)*m.bare))
}

// A probe measures a job, strand by strand. A strand lies between two forks, joins or ends of
// jobs. The probe is made with the fork, or as the job is spawned, and is the worker's while the job
// runs.
type probe struct {
	m *measurement
	// of is the probe of the job that has forked this one; nil of a spawned job, which has a scope.
	of    *probe
	scope *scoped
	site  int // that has called what runs
	sums
	// at is the path to where the job has come to.
	at path
	// since is when the strand began, or the wait after it.
	since time.Duration
	// worker runs the job; on says that a strand runs.
	worker *Worker
	on     bool
	// forked has the forks that are not joined, by their numbers; number is this one's.
	forked map[uint64]*probe
	number uint64
	pcs    [nearCallers]uintptr
}

// scoped has what the jobs of a scope took that have ended, and the longest path to an end.
type scoped struct {
	sums
	at path
}

// start begins a strand: it looks at the clock as late as can be.
func (q *probe) start() {
	q.worker.wanted.Or(wantProbe)
	q.on = true
	q.since = prim.Now()
}

// stop ends it: it looks at the clock as soon as can be. A wait may follow.
func (q *probe) stop() {
	now := prim.Now()
	t := now - q.since
	q.on, q.since = false, now
	q.took += t
	q.strands++
	q.at.add(q.site, max(t-q.m.least, 0))
}

// resume ends a wait that has followed a strand, and begins one.
func (q *probe) resume() {
	t := prim.Now() - q.since
	q.waited += t
	q.at.add(q.site, t)
	q.start()
}

// setProbe has w measure its job with q, or no longer if q is nil.
func (w *Worker) setProbe(q *probe) {
	w.probe = q
	if q == nil {
		w.wanted.And(^wantProbe)
		return
	}
	q.worker = w
}

// branch returns the probe of a job that could begin now, called at the site. The strand has ended.
func (q *probe) branch(of *probe, scope *scoped, site int) *probe {
	m := q.m
	var b *probe
	m.mu.Lock()
	if n := len(m.spares); n > 0 {
		b, m.spares = m.spares[n-1], m.spares[:n-1]
	}
	m.mu.Unlock()
	if b == nil {
		b = &probe{m: m}
	}
	b.of, b.scope, b.site, b.sums = of, scope, site, sums{}
	b.at.set(&q.at)
	return b
}

// spare keeps a probe for the next job. The caller has the lock.
func (m *measurement) spare(b *probe) {
	clear(b.forked)
	b.of, b.scope = nil, nil
	m.spares = append(m.spares, b)
}

// run calls fn as the job of b. If the job that has forked it runs it itself, or another one of the
// same worker is about to go on, a strand of that begins then, however fn has ended.
func (b *probe) run(w *Worker, fn func()) {
	outer, limit := w.probe, w.head
	defer func() {
		b.stop()
		w.setProbe(outer)
		switch {
		case b.scope != nil:
			b.scope.join(b)
		case b.of == outer:
			outer.join(b)
		}
		if outer != nil {
			outer.start()
		}
	}()
	if outer != nil && outer.on {
		outer.stop() // it waits for a scope
	}
	w.setProbe(b)
	b.start()
	fn()
	if w.head > limit {
		w.settle(limit)
	}
}

// measuredFork returns the function of a fork, which measures fn, and its probe. The strand ends.
func measuredFork[A, R any](q *probe, fn func(*Worker, A) R) (func(*Worker, A) R, *probe) {
	q.stop()
	q.forks++
	b := q.branch(q, nil, q.findSite())
	if fn == nil {
		return nil, b // which panics as others do
	}
	return func(w *Worker, arg A) (result R) {
		b.run(w, func() { result = fn(w, arg) })
		return result
	}, b
}

// record notes the number of a fork.
func (q *probe) record(b *probe, seq uint64) {
	if q.forked == nil {
		q.forked = make(map[uint64]*probe)
	}
	q.forked[seq] = b
	b.number = seq
}

// joins ends the strand before a join, and returns the probe of the fork, or nil if that was made
// before the measurement began: then it is a part of the strand.
func (q *probe) joins(seq uint64) *probe {
	q.stop()
	b := q.forked[seq]
	if b == nil {
		q.start()
	}
	return b
}

// join goes on with the longer path. A fork that another worker takes is a burden. Where it takes
// longer to have it taken than to run it, it is not taken.
func (q *probe) join(b *probe) {
	delete(q.forked, b.number)
	b.at.burdened += Burden
	q.meet(&b.at, b.sums)
	q.m.mu.Lock()
	defer q.m.mu.Unlock()
	q.m.spare(b)
}

// meet is join with a path, of jobs that have these sums.
func (q *probe) meet(p *path, of sums) {
	alone := q.at.burdened + q.m.work(of, q.m.least) + of.waited
	q.at.longer(p)
	q.at.burdened = min(q.at.burdened, alone)
	q.sums.add(of)
}

// include adds what another measurement has measured within this job.
func (q *probe) include(within *probe) {
	burdened := q.at.burdened + within.at.burdened
	q.at.add(q.site, within.at.span)
	q.at.burdened = burdened
	q.sums.add(within.sums)
}

// beside calls f, which an Invoke runs itself, at the place of its fork.
func (q *probe) beside(seq uint64, f func()) {
	before := q.site
	q.site = q.forked[seq&^guarded].site
	defer func() {
		q.stop()
		q.site = before
		q.start()
	}()
	f()
}

// opens is called when a measured job opens a scope.
func (q *probe) opens(s *Scope) {
	q.m.mu.Lock()
	defer q.m.mu.Unlock()
	q.m.scopes[s] = new(scoped)
}

// closes is called when all jobs of the scope have ended. A strand begins.
func (q *probe) closes(s *Scope) {
	q.m.mu.Lock()
	defer q.m.mu.Unlock()
	all := q.m.scopes[s]
	delete(q.m.scopes, s)
	q.meet(&all.at, all.sums)
	q.start()
}

// join notes a job that has ended.
func (s *scoped) join(b *probe) {
	b.m.mu.Lock()
	defer b.m.mu.Unlock()
	b.at.burdened += Burden
	s.at.longer(&b.at)
	s.sums.add(b.sums)
	b.m.spare(b)
}

// spawns ends the strand before a Spawn, and returns the probe of the job, or nil if the scope was
// opened outside of what is measured: the job may outlive that.
func (q *probe) spawns(s *Scope) *probe {
	q.stop()
	q.m.mu.Lock()
	scope := q.m.scopes[s]
	q.m.mu.Unlock()
	if scope == nil {
		return nil
	}
	q.forks++
	return q.branch(nil, scope, q.findSite())
}

// measuredJob returns the function of a job of a scope, which measures fn.
func measuredJob(q *probe, s *Scope, fn func(*Worker)) func(*Worker) {
	b := q.spawns(s)
	if b == nil {
		return fn
	}
	return func(w *Worker) { b.run(w, func() { fn(w) }) }
}

// measuredMember is measuredJob for a job of a group.
func measuredMember(q *probe, s *Scope, fn func(context.Context, *Worker) error) func(context.Context, *Worker) error {
	b := q.spawns(s)
	if b == nil {
		return fn
	}
	return func(ctx context.Context, w *Worker) (err error) {
		b.run(w, func() { err = fn(ctx, w) })
		return err
	}
}

// findSite returns the number of the nearest call that lies outside of this package and par.
func (q *probe) findSite() int {
	pcs := q.pcs[:]
	for {
		n := prim.Callers(1, pcs)
		if site := q.m.siteAmong(pcs[:n]); site != inside {
			return site
		}
		if n < len(pcs) {
			return q.site
		}
		pcs = make([]uintptr, 8*len(pcs))
	}
}

// nearCallers is how many calls there mostly are, at most, from what forks to its fork.
const nearCallers = 8

func (m *measurement) siteAmong(pcs []uintptr) int {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, pc := range pcs {
		site, known := m.places[pc]
		if !known {
			site = m.locate(pc)
			m.places[pc] = site
		}
		if site != inside {
			return site
		}
	}
	return inside
}

// locate returns the number of the site with the return address, which is new if there is none.
func (m *measurement) locate(pc uintptr) int {
	f, _ := runtime.CallersFrames([]uintptr{pc}).Next()
	if isOurs(f.Function) && !strings.HasSuffix(f.File, "_test.go") {
		return inside
	}
	s := Site{Function: strings.TrimSuffix(f.Function, "[...]"), File: f.File, Line: f.Line}
	for i, old := range m.sites {
		if i > 0 && old == s {
			return i
		}
	}
	m.sites = append(m.sites, s)
	return len(m.sites) - 1
}

// isOurs reports whether a function is one of this package or of par.
func isOurs(function string) bool {
	pool := reflect.TypeFor[Pool]().PkgPath()
	return strings.HasPrefix(function, pool+".") || strings.HasPrefix(function, strings.TrimSuffix(pool, "pool")+"par.")
}

// siteOf returns where a function begins.
func siteOf(fn any) Site {
	f := runtime.FuncForPC(reflect.ValueOf(fn).Pointer())
	if f == nil {
		return Site{Function: "the measured function"}
	}
	s := Site{Function: strings.TrimSuffix(strings.TrimSuffix(f.Name(), "-fm"), "[...]")}
	if s.File, s.Line = f.FileLine(f.Entry()); s.File == "<autogenerated>" { // of a method value
		s.File, s.Line = "", 0
	}
	return s
}

// calibrate finds out how much of the probe's own time is in each strand. It measures a small
// recursion that forks at each call, and does the same without a probe. The worker has no pool, so
// that nobody takes a fork.
//
// The probe never takes less than it did there once. It takes more where caches are cold, and where
// the processor is taken away: so it takes at most what it did in half of the trials.
func (m *measurement) calibrate() {
	w := &Worker{state: running}
	prim.Declare(w)
	w.stack.init(0)
	q := &probe{m: m}
	plain, tooks := time.Duration(math.MaxInt64), make([]time.Duration, trials)
	for i := range tooks {
		begun := prim.Now()
		trialTree(w, trialDepth)
		plain = min(plain, prim.Now()-begun)
		q.sums, q.at = sums{}, path{}
		w.setProbe(q)
		q.start()
		trialTree(w, trialDepth)
		q.stop()
		w.setProbe(nil)
		w.wanted.Store(0) // nobody asks
		tooks[i] = q.took
	}
	slices.Sort(tooks)
	strands := float64(q.strands)
	m.bare = float64(plain) / strands
	m.least = time.Duration(max(math.Floor(float64(tooks[0]-plain)/strands), 0))
	m.most = time.Duration(max(math.Ceil(float64(tooks[trials/2]-plain)/strands), 0))
}

// trials is how often the small recursion is measured, trialDepth how deep that is.
const (
	trials     = 16
	trialDepth = 8
)

func trialTree(w *Worker, n int) int {
	if n < 2 {
		return n
	}
	a, b := Invoke(w, trialTree, n-1, trialTree, n-2)
	return a + b
}
