package pool

import (
	"math"
	"time"

	"github.com/rouse-go/rouse/api/prim"
)

// Where forks and joins come thick, as in a recursion that forks at each call, the clock would take
// most of the time, and say little of strands that are shorter than a look at it. There strands are
// taken together in lumps. A lump counts them, and how many of them follow each other; what one
// takes is learnt from windows in which they are not even counted. See "Thick forks" in
// INTERNALS.md.

const (
	// shortStrand is up to how long a strand is short: the clock may then be wrong by some
	// hundredths.
	shortStrand = 250 * time.Nanosecond
	// Forks are thick after fewStrands short strands in a row, or more where they were taken for
	// that before, up to mostStrands. They are not, after all, if mostOdd long ones come first.
	fewStrands  = 64
	mostStrands = 1 << 14
	mostOdd     = 16
	// A window has windowSteps strands. After cycleLength windows comes a blind one, of blindForks
	// forks. A lump has lumpBlinds of those, and one more cycle.
	windowSteps = 32
	cycleLength = 24
	blindForks  = 256
	lumpBlinds  = 16
	// Long strands may be interrupts while they take leastSpare together, and spareShare of the time
	// of others, of which mostSpare may be saved up. On a virtual machine an interrupt takes up to
	// that.
	spareShare = 1.0 / 4
	leastSpare = Burden
	mostSpare  = 2 * Burden
	// leastSerial is from which share on strands follow each other, if there are fewStrands of them: a
	// tree has a few dozen on its path. lastStrands is of how many strands that share is, and
	// eachStrands of how many what one takes.
	leastSerial = 1.0 / 64
	lastStrands = 1 << 17
	eachStrands = 1 << 15
)

// A pace says whether forks and joins come thick, and has the lump that runs then. It belongs to the
// worker that measures.
type pace struct {
	thick bool
	// short is how many strands in a row were short, and patience how many must be before forks are
	// thick.
	short, patience int
	// fine is how many more short strands are windows of their own, odd how many long ones were among
	// those lately, and windows how many come before a blind one.
	fine, odd, windows int
	lump
	// rows says how deep the forks of the lump lie that are not joined, the newest one last.
	rows []depth
	// joining has the forks that run at their joins, the innermost one last. Those below fixed
	// began in lumps that have ended.
	joining []joining
	fixed   int
	// counted and plain are what a strand takes in a window and in a blind one, each what it takes
	// without the probe, serial how many of all strands follow each other, and perFork how many a
	// fork makes.
	counted, plain rate
	each, serial   mean
	perFork        float64
	// spare is how much longer than expected strands may take that may be interrupts.
	spare time.Duration
}

// A lump is a part of a job, with many forks and joins: what lies between two looks at all of the
// probe. Its steps are the ends of its strands.
type lump struct {
	// steps is how many strands have ended, depth how far they have come.
	steps int
	depth depth
	// from is the step at which the window began, next the one at which it ends.
	from, next int
	// What the strands took that were windows of their own, those of other windows, and blind
	// windows; and what long ones took beyond that.
	fines, counts, dark window
	excess              time.Duration
	// believed says that long ones are no interrupts.
	believed bool
	// site is where one of the strands has ended, or 0: no strand knows its place.
	site int
	// blind says that a blind window goes on, and blinds is how many there were. It began after
	// the fork seq; newest is the newest one then that was not joined.
	blind       bool
	blinds      int
	seq, newest uint64
	// deepest is the largest depth at which a blind window began.
	deepest depth
	// cycle has the steps, the depth and the forks at the end of the last blind window.
	cycle struct {
		steps, depth int
		forks        uint64
	}
}

// A depth is how far a point of a lump lies from its begin: how many strands follow each other up to
// there, if all are short. If long ones are to count, another path may be longer: that has loud
// strands, and takes extra beyond what they would.
type depth struct {
	strands, loud int
	extra         time.Duration
}

func (d depth) further(strands int) depth {
	return depth{d.strands + strands, d.loud + strands, d.extra}
}

// A window is a row of strands between two looks at the clock; or what many of them took.
type window struct {
	time  time.Duration
	steps int
}

func (v *window) add(t time.Duration, steps int) { v.time += t; v.steps += steps }

// A mean is one of the last most values, or a few times as many.
type mean struct{ sum, n float64 }

func (a *mean) add(sum, n, most float64) {
	if a.n > most {
		a.sum, a.n = a.sum/2, a.n/2
	}
	a.sum, a.n = a.sum+sum, a.n+n
}

func (a *mean) value() float64 { return a.sum / max(a.n, 1) }

// A rate is what a strand takes, in nanoseconds. It follows the shorter ones, as others may have been
// interrupted.
type rate float64

func (r *rate) learn(t time.Duration, strands float64) {
	switch each := rate(float64(t) / strands); {
	case *r == 0:
		*r = each
	case each < *r:
		*r = (*r + each) / 2
	default:
		*r += (each - *r) / 8
	}
}

// excess returns how much longer than expected a window has taken, or 0 if that may be chance.
func (r rate) excess(t time.Duration, strands float64) time.Duration {
	if r == 0 {
		r = rate(shortStrand) / 2
	}
	expected := time.Duration(float64(r) * strands)
	if t > expected+expected/2+shortStrand {
		return t - expected
	}
	return 0
}

// A joining is a fork that runs at its join in a lump: at which depth and step that was, and when the
// lump has ended, the path up to there and the work before.
type joining struct {
	depth depth
	steps int
	at    path
	work  time.Duration
}

// newPace takes forks for thick at first: the first strands of a recursion lie on its path. A clock
// that costs nothing is that of a bubble, and right for strands of any length.
func newPace(m *measurement) *pace {
	p := &pace{thick: m.cost > 0, fine: fewStrands, patience: fewStrands, spare: leastSpare, perFork: 3}
	if !p.thick {
		p.patience = math.MaxInt
	}
	return p
}

// note notes a strand that is none of a lump. A clock that stands still tells nothing.
func (p *pace) note(raw time.Duration) {
	if raw <= 0 || raw > shortStrand {
		p.short = 0
	} else if p.short++; p.short >= p.patience {
		p.thick, p.fine, p.odd = true, fewStrands, 0
	}
}

// cost is how much of the probe's own time is in each strand of a window. It was measured before, but
// depends on what is measured.
func (p *pace) cost(m *measurement) float64 {
	if p.plain == 0 || p.counted == 0 {
		return m.costs.counted
	}
	return min(max(float64(p.counted-p.plain), 0), 2*m.costs.counted)
}

// beginLump is the part of start that is for a lump.
func (q *probe) beginLump() {
	p := q.pace
	q.worker.wanted.And(^wantForks) // each fork of the lump would have a look at it
	q.inLump, q.counting = true, true
	p.lump, p.rows = lump{}, p.rows[:0]
	p.beginWindow()
	p.beginCycle(q.worker)
}

func (p *pace) beginWindow() {
	p.from, p.next = p.steps, p.steps+windowSteps
	if p.fine > 0 {
		p.next = p.steps + 1
	}
}

func (p *pace) beginCycle(w *Worker) {
	if p.windows <= 0 {
		p.windows = cycleLength
	}
	p.cycle.steps, p.cycle.depth, p.cycle.forks = p.steps, p.depth.strands, w.forks()
}

// step ends a strand of a lump. If it returns false there is no lump, or it must end now, after this
// strand.
func (q *probe) step() bool {
	if !q.counting {
		return false
	}
	p := q.pace
	if p.blind && !q.see() {
		return false
	}
	p.steps++
	p.depth = p.depth.further(1)
	q.counting = p.steps < p.next || q.look()
	return q.counting
}

// look ends a window, and returns false if the lump must end.
func (q *probe) look() bool {
	p := q.pace
	now := prim.Now()
	t := now - q.since
	q.since = now
	if !q.fits(t) {
		return false
	}
	p.beginWindow()
	if p.site == 0 || p.windows <= 0 {
		p.site = q.findSite()
		q.since = prim.Now()
	}
	switch {
	case p.windows > 0:
	case p.blinds == lumpBlinds:
		return false
	default:
		q.goBlind()
	}
	return true
}

// fits adds a window to the lump, and returns false if that must end.
func (q *probe) fits(t time.Duration) bool {
	p := q.pace
	n := p.steps - p.from
	switch cost := time.Duration(q.m.costs.fine); {
	case p.fine <= 0:
		e := p.counted.excess(t, float64(n))
		p.counts.add(t-e, n)
		if n >= windowSteps {
			p.counted.learn(t-e, float64(n))
			p.windows--
		}
		return p.bears(t-e, e)
	case t > shortStrand:
		p.fines.add(cost, n)
		return p.bears(0, t-cost)
	default:
		p.fines.add(t, n)
		if p.fine--; p.fine == 0 {
			p.odd = 0
		}
		return true
	}
}

// bears notes that strands took t, and e beyond that. An e is an interrupt, or a long strand, and
// nobody can tell which. So the path has both lengths until the lump ends. Where long strands come
// seldom among short ones they are taken for interrupts. If they are not, bears returns false: the
// lump must end.
func (p *pace) bears(t, e time.Duration) bool {
	p.spare = min(p.spare+time.Duration(spareShare*float64(t)), mostSpare)
	if e == 0 {
		return true
	}
	p.depth.extra += e
	p.excess += e
	p.spare -= e
	trial := p.fine > 0
	if trial {
		p.odd++
		p.fine = fewStrands
	}
	if p.spare >= 0 && p.odd < mostOdd {
		return true
	}
	p.believed = true
	p.spare, p.odd, p.fine = max(p.spare, 0), 0, fewStrands
	if trial {
		p.thick, p.short, p.patience = false, 0, min(2*p.patience, mostStrands)
		p.counted, p.plain = 0, 0
	}
	return false
}

// goBlind begins a window whose forks and joins go the short way.
func (q *probe) goBlind() {
	p, w := q.pace, q.worker
	strands := float64(p.steps - p.cycle.steps)
	if n := w.forks() - p.cycle.forks; n > 0 {
		p.perFork = strands / float64(n)
	}
	p.serial.add(float64(p.depth.strands-p.cycle.depth), strands, lastStrands)
	p.deepest = q.longer(p.deepest, p.depth)
	p.blind, p.newest = true, 0
	p.blinds++
	w.eachLive(func(f *fork) bool { p.newest = f.seq &^ marks; return false })
	w.wanted.And(^(wantProbe | wantForks))
	w.lookAfter(blindForks)
	p.seq, p.cycle.forks = w.seq, w.forks()
	q.since = prim.Now()
}

// see ends a blind window, and returns false if the lump must end.
func (q *probe) see() bool {
	now := prim.Now()
	p, w := q.pace, q.worker
	w.wanted.Or(wantProbe)
	forks := int(w.forks() - p.cycle.forks)
	strands := p.perFork * float64(forks)
	t := now - q.since - q.m.cost
	e := p.plain.excess(t, strands)
	p.dark.add(t-e, int(strands))
	if forks >= blindForks/4 {
		p.plain.learn(t-e, strands)
	}
	p.steps += int(strands)
	q.place(forks, strands)
	p.blind = false
	q.counting = p.bears(t-e, e)
	p.beginWindow()
	p.beginCycle(w)
	q.since = prim.Now()
	return q.counting
}

// place says at which depth the forks of a blind window lie that are not joined, and where it ends.
//
// Where strands follow each other, they go on to do so. Elsewhere the forks that are not joined
// follow each other, and the newest older one: if that is not the one of before, the job runs
// another branch now.
func (q *probe) place(forks int, strands float64) {
	p, w := q.pace, q.worker
	unseen, older, base := 0, uint64(0), depth{}
	w.eachLive(func(f *fork) bool {
		if older = f.seq &^ marks; older > p.seq {
			unseen++
			return true
		}
		if older > q.last {
			base = p.rows[f.row]
		}
		return false
	})
	before, further := p.depth, p.serial.value()*strands
	if !p.isSerial() {
		further = 0
		if older != p.newest {
			before = base
		}
	}
	p.depth = before.further(unseen + int(further))
	rows := len(p.rows)
	p.rows = append(p.rows, make([]depth, unseen)...)
	w.eachLive(func(f *fork) bool {
		n := f.seq&^marks - p.seq
		if f.seq&^marks <= p.seq {
			return false
		}
		unseen--
		f.row = uint32(rows + unseen)
		p.rows[f.row] = before.further(unseen + 1 + int(further*float64(n/seqStep)/float64(forks)))
		return true
	})
}

// stepFork says where a fork lies, whose step has been made.
func (q *probe) stepFork(f *fork) {
	p := q.pace
	f.row = uint32(len(p.rows))
	p.rows = append(p.rows, p.depth)
	if p.blind { // since that step
		p.seq, p.newest = f.seq, f.seq
	}
}

// stepJoin goes back to where a fork of the lump has begun, which runs now, and returns how many run so
// already; or -1 if the fork is none of the lump, or that must end. beside says that a
// strand ends which has run beside the fork.
func (q *probe) stepJoin(f *fork, beside bool) int {
	if !q.counting || f.seq&^marks <= q.last {
		return -1
	}
	p := q.pace
	// The join of a fork that is older than a blind window need not end that.
	if dark := p.blind && f.seq&^marks <= p.seq; !dark && (p.blind || beside) && !q.step() {
		return -1
	}
	n := len(p.joining)
	if n < cap(p.joining) {
		p.joining = p.joining[:n+1] // with its path, for the next one
	} else {
		p.joining = append(p.joining, joining{})
	}
	p.joining[n].depth, p.joining[n].steps = p.depth, p.steps
	p.depth = p.rows[f.row]
	if f.position+1 == q.worker.head { // no newer one has a row
		p.rows = p.rows[:f.row]
	}
	return n
}

// joined goes on with the longer path, when what stepJoin has begun has ended.
func (q *probe) joined(n int) {
	p := q.pace
	j := &p.joining[n]
	p.joining = p.joining[:n+1] // without those of jobs that have panicked
	if n >= p.fixed && (p.blind || q.step()) {
		p.joining = p.joining[:n]
		p.depth = q.longer(p.depth, j.depth)
		return
	}
	q.stop()
	p.joining, p.fixed = p.joining[:n], n
	alone := j.at.burdened + q.work - j.work
	q.at.burdened += Burden
	q.at.longer(&j.at)
	q.at.burdened = min(q.at.burdened, alone)
	q.start()
}

// endLump is the part of stop that is for a lump.
func (q *probe) endLump(now time.Duration) {
	p := q.pace
	q.inLump = false
	switch {
	case !q.counting: // the last strand has ended
	case p.blind:
		q.see()
		if q.ended {
			p.depth = q.longer(p.depth, p.deepest)
		}
	default:
		p.steps++
		p.depth = p.depth.further(1)
		p.believed = !q.fits(now-q.since-q.m.cost) || p.believed
	}
	q.counting = false
	site := p.site
	switch {
	case p.steps == 1:
		site = q.site
	case site == 0:
		site = q.findSite()
	}
	work := q.short()
	switch { // what is counted is disturbed more than what is not
	case p.dark.steps >= fewStrands && !p.isSerial():
		p.each.add(float64(p.dark.time), float64(p.dark.steps), eachStrands)
	case p.steps >= fewStrands || p.each.n == 0:
		p.each.add(float64(max(work, 0)), float64(p.steps), eachStrands)
	}
	if p.fine > 0 || p.serial.n == 0 || p.isSerial() { // nobody knows that they are beside each other
		p.believed = true
	}
	work += p.excess
	q.fix(site, work)
	q.work += work
	span := p.inLump(p.depth)
	q.at.add(site, span)
	q.at.burdened += max(work-span, 0) // nobody takes so short ones
}

// isSerial reports whether strands follow each other, and not only down and up a tree.
func (p *pace) isSerial() bool {
	return p.serial.sum >= fewStrands && p.serial.value() >= leastSerial
}

// short returns what the strands of a lump took, without what long ones took beyond that.
func (q *probe) short() time.Duration {
	p := q.pace
	return p.counts.time + p.dark.time + p.fines.time -
		time.Duration(p.cost(q.m)*float64(p.counts.steps)+q.m.costs.fine*float64(p.fines.steps))
}

// longer returns the depth where two paths come together.
func (q *probe) longer(d, e depth) depth {
	each := q.pace.each.value()
	if each == 0 {
		each = float64(q.short()) / float64(max(q.pace.steps, 1))
	}
	strands := max(d.strands, e.strands)
	if max(each, 1)*float64(e.loud-d.loud) > float64(d.extra-e.extra) {
		d = e
	}
	d.strands = strands
	return d
}

// inLump returns how long it takes to get to a point of a lump.
func (p *pace) inLump(d depth) time.Duration {
	n, extra := d.strands, time.Duration(0)
	if p.believed {
		n, extra = d.loud, d.extra
	}
	return time.Duration(math.Round(p.each.value()*float64(n))) + extra
}

// fix gives paths to what the lump leaves: forks that are not joined get probes, and joins that go
// on get what they had come to.
func (q *probe) fix(site int, work time.Duration) {
	p := q.pace
	for i := p.fixed; i < len(p.joining); i++ {
		j := &p.joining[i]
		before := work * time.Duration(j.steps) / time.Duration(p.steps+1)
		j.at.set(&q.at)
		j.at.add(site, p.inLump(j.depth))
		j.at.burdened, j.work = q.at.burdened+before, q.work+before
	}
	p.fixed = len(p.joining)
	q.worker.eachLive(func(f *fork) bool {
		seq := f.seq &^ marks
		if seq <= q.last {
			return false
		}
		b := q.branch(q, nil, site)
		b.at.add(site, p.inLump(p.rows[f.row]))
		f.task.(frame).measure(b)
		q.record(b, seq)
		return true
	})
}
