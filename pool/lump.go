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
	// that before, up to mostStrands; and no longer after mostOdd long ones with less than fewStrands
	// between them.
	fewStrands  = 64
	mostStrands = 1 << 14
	mostOdd     = 4
	// A window has windowSteps strands. After cycleLength windows comes a blind one, of blindForks
	// forks. A lump has lumpBlinds of those, and one more cycle.
	windowSteps = 32
	cycleLength = 24
	blindForks  = 256
	lumpBlinds  = 16
	// An eighth of what lumps took may be left out of the path, and mostSpared.
	mostSpared = 10 * time.Microsecond
	// leastSerial is from which share on strands that follow each other do so in a blind window, too,
	// if there are fewStrands of them: a tree has a few dozen on its path.
	leastSerial = 1.0 / 64
)

// A pace says whether forks and joins come thick, and has the lump that runs then. It belongs to the
// worker that measures.
type pace struct {
	thick bool
	// short is how many strands in a row were short, and patience how many must be before forks are
	// thick.
	short, patience int
	// fine is how many more strands are windows of their own, odd how many windows were too long
	// lately, and windows how many come before a blind one.
	fine, odd, windows int
	lump
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
	// lumps is what all lumps took, and spared what was left out of the path.
	lumps, spared time.Duration
}

// A lump is a part of a job, with many forks and joins: what lies between two looks at all of the
// probe. Its steps are the ends of its strands.
type lump struct {
	// steps is how many strands have ended, depth how many of those follow each other up to here.
	steps, depth int
	// from is the step at which the window began, next the one at which it ends.
	from, next int
	// What the strands took that were windows of their own, those of other windows, and blind
	// windows; and what of that is left out of the path.
	fines, counts window
	dark, dropped time.Duration
	// tail is what the last strand took, if it is not one of those.
	tail time.Duration
	// site is where one of the strands has ended, or 0: no strand knows its place.
	site int
	// blind says that a blind window goes on, and blinds is how many there were. It began after
	// the fork seq; newest is the newest one then that was not joined.
	blind       bool
	blinds      int
	seq, newest uint64
	// cycle has the steps, the depth and the forks at the end of the last blind window.
	cycle struct {
		steps, depth int
		forks        uint64
	}
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
	depth, steps int
	at           path
	work         time.Duration
}

// newPace takes forks for thick at first: the first strands of a recursion lie on its path. A clock
// that costs nothing is that of a bubble, and right for strands of any length.
func newPace(m *measurement) *pace {
	p := &pace{thick: m.cost > 0, fine: fewStrands, patience: fewStrands, perFork: 3}
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
	p.lump = lump{}
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
	p.cycle.steps, p.cycle.depth, p.cycle.forks = p.steps, p.depth, w.forks()
}

// step ends a strand of a lump. If it returns false there is no lump, or it must end now, with this
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
	p.depth++
	if p.steps < p.next || q.look() {
		return true
	}
	p.steps-- // stop counts it, if it is no tail
	p.depth--
	q.counting = false
	return false
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

// fits adds a window to the lump. It returns false if the last strand of it does not fit in.
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
		return p.bears(e)
	case t > shortStrand:
		return p.bears(t - cost)
	default:
		p.fines.add(t, n)
		if p.fine--; p.fine == 0 {
			p.odd = 0
		}
		return true
	}
}

// bears takes an excess for an interrupt, and leaves it out of the path, or returns false: then it is
// the tail of the lump. Who knows which it is? Code that had only short strands before has a long
// one seldom, and one that is shorter than a burden is not worth another worker.
func (p *pace) bears(e time.Duration) bool {
	if e == 0 {
		return true
	}
	p.fine = fewStrands
	p.odd++
	switch {
	case p.odd == mostOdd:
		p.thick, p.short, p.odd, p.patience = false, 0, 0, min(2*p.patience, mostStrands)
		p.counted, p.plain = 0, 0
	case p.counted > 0 && e < Burden && p.spared+e < mostSpared+p.lumps/8:
		p.spared += e
		p.dropped += e
		return true
	}
	p.tail = e
	return false
}

// goBlind begins a window whose forks and joins go the short way.
func (q *probe) goBlind() {
	p, w := q.pace, q.worker
	strands := float64(p.steps - p.cycle.steps)
	if n := w.forks() - p.cycle.forks; n > 0 {
		p.perFork = strands / float64(n)
	}
	p.serial.add(float64(p.depth-p.cycle.depth), strands, 1<<17)
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
	p.dark += t - e
	if forks >= blindForks/4 {
		p.plain.learn(t-e, strands)
	}
	p.steps += int(strands)
	q.place(forks, strands)
	p.blind = false
	q.counting = p.bears(e)
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
	unseen, older, base := 0, uint64(0), 0
	w.eachLive(func(f *fork) bool {
		if older = f.seq &^ marks; older > p.seq {
			unseen++
			return true
		}
		if older > q.last {
			base = int(f.row)
		}
		return false
	})
	before, further := p.depth, p.serial.value()*strands
	if p.serial.sum < fewStrands || p.serial.value() < leastSerial {
		further = 0
		if older != p.newest {
			before = base
		}
	}
	p.depth = before + unseen + int(further)
	w.eachLive(func(f *fork) bool {
		n := f.seq&^marks - p.seq
		if f.seq&^marks <= p.seq {
			return false
		}
		f.row = uint32(before + unseen + int(further*float64(n/seqStep)/float64(forks)))
		unseen--
		return true
	})
}

// stepFork says where a fork lies, whose step has been made.
func (q *probe) stepFork(f *fork) {
	p := q.pace
	f.row = uint32(p.depth)
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
	p.depth = int(f.row)
	return n
}

// joined goes on with the longer path, when what stepJoin has begun has ended.
func (q *probe) joined(n int) {
	p := q.pace
	j := &p.joining[n]
	p.joining = p.joining[:n] // and without those of jobs that have panicked
	switch {
	case n < p.fixed:
		q.stop()
		p.fixed = n
		alone := j.at.burdened + q.work - j.work
		q.at.burdened += Burden
		q.at.longer(&j.at)
		q.at.burdened = min(q.at.burdened, alone)
		q.start()
	case p.blind:
		p.depth = max(p.depth, j.depth)
	default:
		p.steps++
		p.depth = max(p.depth+1, j.depth)
	}
}

// endLump is the part of stop that is for a lump.
func (q *probe) endLump(now time.Duration) {
	p := q.pace
	q.inLump = false
	cost := q.m.cost
	if q.counting && p.blind {
		q.see()
		now, cost = q.since, 0
	}
	q.counting = false
	site := p.site
	switch {
	case p.steps == 0:
		site = q.site
	case site == 0:
		site = q.findSite()
	}
	if p.tail == 0 {
		p.steps++
		p.depth++
		if !q.fits(now - q.since - cost) {
			p.steps--
			p.depth--
		}
	}
	work := p.counts.time + p.dark + p.fines.time -
		time.Duration(p.cost(q.m)*float64(p.counts.steps)+q.m.costs.fine*float64(p.fines.steps))
	p.lumps += work
	if p.steps >= fewStrands || p.each.n == 0 {
		p.each.add(float64(max(work, 0)), float64(p.steps), 1<<13)
	}
	work += p.dropped
	q.fix(site, work)
	q.work += work + p.tail
	span := p.inLump(p.depth)
	q.at.add(site, span+p.tail)
	q.at.burdened += max(work-span, 0) // nobody takes so short ones
}

// inLump returns how long strands of a lump take that follow each other.
func (p *pace) inLump(depth int) time.Duration {
	return time.Duration(math.Round(p.each.value() * float64(depth)))
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
		b.at.add(site, p.inLump(int(f.row)))
		f.task.(frame).measure(b)
		q.record(b, seq)
		return true
	})
}
