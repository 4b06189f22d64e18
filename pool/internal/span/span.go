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
	// scopes are those that were opened by measured jobs. Of each a probe has what its jobs took that have
	// ended, and the longest path to an end.
	scopes map[any]*Probe
}

// New returns a measurement of fn.
func New(fn any) *Measurement {
	m := &Measurement{places: make(map[uintptr]int), scopes: make(map[any]*Probe)}
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
	span   time.Duration
	shares []time.Duration // of the span, by the number of the site
}

func (p *path) add(site int, t time.Duration) {
	p.span += t
	for len(p.shares) <= site {
		p.shares = append(p.shares, 0)
	}
	p.shares[site] += t
}

func (p *path) set(to *path) {
	p.span = to.span
	p.shares = append(p.shares[:0], to.shares...)
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

// A Probe measures a job, strand by strand. A strand lies between two forks, joins or ends of
// jobs. The probe is made with the fork, or as the job is spawned, and is the worker's while the job
// runs. Of a job that is not measured it is nil: then the methods that begin and end strands do nothing.
type Probe struct {
	m *Measurement
	// of is the probe of the job that has forked this one; nil of a spawned job, which has a scope.
	of, scope *Probe
	site      int // that has called what runs
	sums
	// at is the path to where the job has come to.
	at path
	// since is when the strand began, or ended. on says that it runs, waits that the job waits after it.
	since     time.Duration
	on, waits bool
	// forked has the forks that are not joined, by their numbers; number is this one's.
	forked map[uint64]*Probe
	number uint64
	// spares are probes of forks that were joined, for the next ones: new ones would push the program
	// out of the caches.
	spares []*Probe
}

// Start begins a strand: it looks at the clock as late as can be.
func (q *Probe) Start() {
	if q != nil {
		q.on = true
		q.since = prim.Now()
	}
}

// Stop ends it, if one runs: it looks at the clock as soon as can be.
func (q *Probe) Stop() {
	if q == nil || !q.on {
		return
	}
	now := prim.Now()
	t := now - q.since
	q.on, q.since = false, now
	q.took += t
	q.strands++
	q.at.add(q.site, max(t-q.m.least, 0))
}

// Wait ends the strand, if one runs, for a wait that counts: not one for a fork or a scope, before which the
// strand has ended.
func (q *Probe) Wait() {
	if q != nil && q.on {
		q.Stop()
		q.waits = true
	}
}

// GoOn ends such a wait, and begins a strand.
func (q *Probe) GoOn() {
	if q == nil || !q.waits {
		return
	}
	q.waits = false
	t := prim.Now() - q.since
	q.waited += t
	q.at.add(q.site, t)
	q.Start()
}

// branch returns the probe of a job that could begin now. The strand has ended.
func (q *Probe) branch() *Probe {
	b := new(Probe)
	if n := len(q.spares); n > 0 {
		b, q.spares = q.spares[n-1], q.spares[:n-1]
	}
	clear(b.forked)
	*b = Probe{m: q.m, site: q.findSite(), forked: b.forked, at: path{shares: b.at.shares}, spares: b.spares}
	b.at.set(&q.at)
	q.forks++
	return b
}

// Skip takes t, which was no part of the job, off the strand that runs.
func (q *Probe) Skip(t time.Duration) { q.since += t }

// Fork ends the strand, and returns the probe of a fork, which has that number.
func (q *Probe) Fork(number uint64) *Probe {
	q.Stop()
	b := q.branch()
	b.of, b.number = q, number
	if q.forked == nil {
		q.forked = make(map[uint64]*Probe)
	}
	q.forked[number] = b
	return b
}

// Joins ends the strand before a join, and returns the probe of the fork, or nil if that was made
// before the measurement began: then it is a part of the strand, or a wait.
func (q *Probe) Joins(number uint64) *Probe {
	q.Stop()
	b := q.forked[number]
	if b == nil {
		q.Start()
	}
	return b
}

// Join goes on with the longer path.
func (q *Probe) Join(b *Probe) {
	delete(q.forked, b.number)
	q.meet(b)
	q.spares = append(q.spares, b)
}

// meet goes on with the longer path, and adds what the jobs of b took.
func (q *Probe) meet(b *Probe) {
	if b.at.span > q.at.span {
		q.at.set(&b.at)
	}
	q.sums.add(b.sums)
}

// End ends the job of b, and returns how long it took. outer is the probe of the job that goes on with its
// worker, or nil: if that has forked b, it joins.
func (b *Probe) End(outer *Probe) (took time.Duration) {
	b.Stop()
	took = b.took
	switch {
	case b.scope != nil:
		b.m.mu.Lock()
		defer b.m.mu.Unlock()
		b.scope.meet(b)
	case b.of == outer:
		outer.Join(b)
	}
	return took
}

// Include adds what another measurement has measured within this job.
func (q *Probe) Include(within *Probe) {
	if q == nil {
		return
	}
	q.at.add(q.site, within.at.span)
	q.sums.add(within.sums)
}

// Enter begins what an Invoke runs itself, at the site of its fork, and returns the site around it, for Leave.
func (q *Probe) Enter(number uint64) (around int) {
	around, q.site = q.site, q.forked[number].site
	return around
}

// Leave ends it.
func (q *Probe) Leave(around int) { q.site = around }

// Open is called when the job opens a scope.
func (q *Probe) Open(s any) {
	q.m.mu.Lock()
	defer q.m.mu.Unlock()
	q.m.scopes[s] = new(Probe)
}

// Close is called when all jobs of the scope have ended. A strand begins.
func (q *Probe) Close(s any) {
	q.m.mu.Lock()
	defer q.m.mu.Unlock()
	q.meet(q.m.scopes[s])
	delete(q.m.scopes, s)
	q.Start()
}

// Spawn ends the strand before a Spawn, and returns the probe of the job, or nil if the scope was
// opened outside of what is measured: the job may outlive that.
func (q *Probe) Spawn(s any) *Probe {
	q.Stop()
	q.m.mu.Lock()
	of := q.m.scopes[s]
	q.m.mu.Unlock()
	if of == nil {
		return nil
	}
	b := q.branch()
	b.scope = of
	return b
}

// Piece is Spawn for a piece of a loop, for which the scope stands. All but the first count as forks.
func (q *Probe) Piece(loop any) *Probe {
	b := q.Spawn(loop)
	if b.scope.strands == 0 { // none has ended
		q.forks--
	}
	return b
}

// mostSites is how many sites a profile names.
const mostSites = 8

// Profile says what was measured, when the job of q has ended.
func (q *Probe) Profile() measure.Profile {
	m := q.m
	p := measure.Profile{Waited: q.waited, Forks: q.forks}
	p.Work = max(q.took-time.Duration(q.strands)*m.most, time.Duration(float64(q.strands)*m.bare))
	p.Span = min(q.at.span, p.Work+p.Waited)
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
