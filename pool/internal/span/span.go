// Package span measures the work and the span of jobs, strand by strand, by the clock. It knows no
// worker: package pool says when a strand begins and ends, and which jobs fork and join.
package span

import (
	"cmp"
	"math"
	"slices"
	"time"

	"github.com/rouse-go/rouse/api/prim"
	"github.com/rouse-go/rouse/pool/measure"
)

// A Measurement is one call of Pool.Measure.
type Measurement struct {
	// least and most say how much of the probe's own time is in each strand. bare is how many
	// nanoseconds the shortest strands take by themselves.
	least, most time.Duration
	bare        float64

	mu prim.Mutex
	// The rest is guarded by mu.

	sites []measure.Site
	// places has the number of a site for each return address, or inside.
	places map[uintptr]int
	// spares are for the next forks.
	spares []*Probe
	// scopes are those that were opened by measured jobs.
	scopes map[any]*scoped
}

// New returns a measurement of fn.
func New(fn any) *Measurement {
	m := &Measurement{places: make(map[uintptr]int), scopes: make(map[any]*scoped)}
	prim.Declare(m)
	m.sites = append(m.sites, siteOf(fn))
	return m
}

// Probe returns the probe of the measured function.
func (m *Measurement) Probe() *Probe { return &Probe{m: m} }

// Calibrate finds out how much of the probe's own time is in each strand. trial runs a small program
// that forks at each call, with the probe or with none.
//
// The probe never takes less than it did there once. It takes more where caches are cold, and where
// the processor is taken away: so it takes at most what it did in half of the trials.
func (m *Measurement) Calibrate(trial func(q *Probe)) {
	q := m.Probe()
	plain, tooks := time.Duration(math.MaxInt64), make([]time.Duration, trials)
	for i := range tooks {
		begun := prim.Now()
		trial(nil)
		plain = min(plain, prim.Now()-begun)
		q.sums, q.at = sums{}, path{}
		trial(q)
		tooks[i] = q.took
	}
	slices.Sort(tooks)
	strands := float64(q.strands)
	m.bare = float64(plain) / strands
	m.least = time.Duration(max(math.Floor(float64(tooks[0]-plain)/strands), 0))
	m.most = time.Duration(max(math.Ceil(float64(tooks[trials/2]-plain)/strands), 0))
}

// trials is how often the small program is measured.
const trials = 16

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
func (m *Measurement) work(s sums, probe time.Duration) time.Duration {
	return max(s.took-time.Duration(s.strands)*probe, time.Duration(float64(s.strands)*m.bare))
}

// A Probe measures a job, strand by strand. A strand lies between two forks, joins or ends of
// jobs. The probe is made with the fork, or as the job is spawned, and is the worker's while the job
// runs.
type Probe struct {
	m *Measurement
	// of is the probe of the job that has forked this one; nil of a spawned job, which has a scope.
	of    *Probe
	scope *scoped
	site  int // that has called what runs
	sums
	// at is the path to where the job has come to.
	at path
	// since is when the strand began, or the wait after it.
	since time.Duration
	// flag is that of the worker that runs the job; on says that a strand runs.
	flag *prim.Uint32
	on   bool
	// forked has the forks that are not joined, by their numbers; number is this one's.
	forked map[uint64]*Probe
	number uint64
	pcs    [nearCallers]uintptr
}

// scoped has what the jobs of a scope took that have ended, and the longest path to an end.
type scoped struct {
	sums
	at path
}

// Wanted is the bit of a worker's flag that is up while a strand runs, so that forks and joins take the
// long way.
const Wanted = 1 << 1

// RunsWith says which flag the worker has that runs the job.
func (q *Probe) RunsWith(flag *prim.Uint32) { q.flag = flag }

// On reports whether a strand runs.
func (q *Probe) On() bool { return q.on }

// Start begins a strand: it looks at the clock as late as can be.
func (q *Probe) Start() {
	q.flag.Or(Wanted)
	q.on = true
	q.since = prim.Now()
}

// Stop ends it: it looks at the clock as soon as can be. A wait may follow.
func (q *Probe) Stop() {
	now := prim.Now()
	t := now - q.since
	q.on, q.since = false, now
	q.took += t
	q.strands++
	q.at.add(q.site, max(t-q.m.least, 0))
}

// Resume ends a wait that has followed a strand, and begins one.
func (q *Probe) Resume() {
	t := prim.Now() - q.since
	q.waited += t
	q.at.add(q.site, t)
	q.Start()
}

// branch returns the probe of a job that could begin now, called at the site. The strand has ended.
func (q *Probe) branch(of *Probe, scope *scoped, site int) *Probe {
	m := q.m
	var b *Probe
	m.mu.Lock()
	if n := len(m.spares); n > 0 {
		b, m.spares = m.spares[n-1], m.spares[:n-1]
	}
	m.mu.Unlock()
	if b == nil {
		b = &Probe{m: m}
	}
	b.of, b.scope, b.site, b.sums = of, scope, site, sums{}
	b.at.set(&q.at)
	return b
}

// spare keeps a probe for the next job. The caller has the lock.
func (m *Measurement) spare(b *Probe) {
	clear(b.forked)
	b.of, b.scope = nil, nil
	m.spares = append(m.spares, b)
}

// Skip takes t, which was no part of the job, off the strand that runs.
func (q *Probe) Skip(t time.Duration) { q.since += t }

// Fork ends the strand, and returns the probe of a fork.
func (q *Probe) Fork() *Probe {
	q.Stop()
	q.forks++
	return q.branch(q, nil, q.findSite())
}

// Record notes the number of a fork.
func (q *Probe) Record(b *Probe, seq uint64) {
	if q.forked == nil {
		q.forked = make(map[uint64]*Probe)
	}
	q.forked[seq] = b
	b.number = seq
}

// Joins ends the strand before a join, and returns the probe of the fork, or nil if that was made
// before the measurement began: then it is a part of the strand.
func (q *Probe) Joins(seq uint64) *Probe {
	q.Stop()
	b := q.forked[seq]
	if b == nil {
		q.Start()
	}
	return b
}

// Join goes on with the longer path. A fork that another worker takes is a burden. Where it takes
// longer to have it taken than to run it, it is not taken.
func (q *Probe) Join(b *Probe) {
	delete(q.forked, b.number)
	b.at.burdened += measure.Burden
	q.meet(&b.at, b.sums)
	q.m.mu.Lock()
	defer q.m.mu.Unlock()
	q.m.spare(b)
}

// End ends the job of b. outer is the probe of the job that goes on with its worker, or nil: if that has
// forked b, it joins.
func (b *Probe) End(outer *Probe) {
	b.Stop()
	switch {
	case b.scope != nil:
		b.scope.join(b)
	case b.of == outer:
		outer.Join(b)
	}
}

// meet is Join with a path, of jobs that have these sums.
func (q *Probe) meet(p *path, of sums) {
	alone := q.at.burdened + q.m.work(of, q.m.least) + of.waited
	q.at.longer(p)
	q.at.burdened = min(q.at.burdened, alone)
	q.sums.add(of)
}

// Include adds what another measurement has measured within this job.
func (q *Probe) Include(within *Probe) {
	burdened := q.at.burdened + within.at.burdened
	q.at.add(q.site, within.at.span)
	q.at.burdened = burdened
	q.sums.add(within.sums)
}

// Beside calls f, which an Invoke runs itself, at the place of its fork.
func (q *Probe) Beside(seq uint64, f func()) {
	before := q.site
	q.site = q.forked[seq].site
	defer func() {
		q.Stop()
		q.site = before
		q.Start()
	}()
	f()
}

// Opens is called when a measured job opens a scope.
func (q *Probe) Opens(s any) {
	q.m.mu.Lock()
	defer q.m.mu.Unlock()
	q.m.scopes[s] = new(scoped)
}

// Closes is called when all jobs of the scope have ended. A strand begins.
func (q *Probe) Closes(s any) {
	q.m.mu.Lock()
	defer q.m.mu.Unlock()
	all := q.m.scopes[s]
	delete(q.m.scopes, s)
	q.meet(&all.at, all.sums)
	q.Start()
}

// join notes a job that has ended.
func (s *scoped) join(b *Probe) {
	b.m.mu.Lock()
	defer b.m.mu.Unlock()
	b.at.burdened += measure.Burden
	s.at.longer(&b.at)
	s.sums.add(b.sums)
	b.m.spare(b)
}

// Spawn ends the strand before a Spawn, and returns the probe of the job, or nil if the scope was
// opened outside of what is measured: the job may outlive that.
func (q *Probe) Spawn(s any) *Probe {
	q.Stop()
	q.m.mu.Lock()
	scope := q.m.scopes[s]
	q.m.mu.Unlock()
	if scope == nil {
		return nil
	}
	q.forks++
	return q.branch(nil, scope, q.findSite())
}

// mostSites is how many sites a profile names.
const mostSites = 8

// Profile says what was measured, when the job of q has ended.
func (q *Probe) Profile() measure.Profile {
	m := q.m
	p := measure.Profile{Work: m.work(q.sums, m.most), Waited: q.waited, Forks: q.forks}
	p.Span = min(q.at.span, p.Work+p.Waited)
	p.Burdened = max(q.at.burdened, p.Span)
	for i, span := range q.at.shares {
		if span > 0 {
			s := m.sites[i]
			s.Span = span
			p.Sites = append(p.Sites, s)
		}
	}
	slices.SortStableFunc(p.Sites, func(a, b measure.Site) int { return cmp.Compare(b.Span, a.Span) })
	if len(p.Sites) > mostSites {
		for _, s := range p.Sites[mostSites:] {
			p.Rest += s.Span
		}
		p.Sites = p.Sites[:mostSites:mostSites]
	}
	return p
}
