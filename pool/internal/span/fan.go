package span

import (
	"math/bits"
	"time"

	"github.com/rouse-go/rouse/pool/measure"
)

// A Fan measures calls of a measured job that could run at the same time, although one comes
// after the other: the pieces of a loop. See package loops.
type Fan struct {
	probe *Probe
	// before is the path without the piece, longest the longest one with a piece.
	before, longest path
	site, outer     int
	pieces          int
	begun           sums // before the piece
	done            sums // of the pieces
	open            bool // a piece runs
}

// Fan returns a Fan for a loop that begins now.
func (q *Probe) Fan() *Fan {
	q.Stop()
	return &Fan{probe: q, outer: q.site, site: q.findSite()}
}

// Begin begins a piece: what follows could begin where the Fan was made, or where the caller has
// come to since, with Resume.
func (f *Fan) Begin() {
	q := f.probe
	f.before.set(&q.at)
	q.site = f.site
	f.begun, q.sums = q.sums, sums{}
	f.open = true
	f.pieces++
	q.Start()
}

// End ends a piece, and returns how long it took. What follows is not measured until the next
// Begin, Resume or Close.
func (f *Fan) End() time.Duration {
	q := f.probe
	begun := q.since
	q.Stop()
	f.open = false
	f.longest.longer(&q.at)
	f.done.add(q.sums)
	q.at.set(&f.before)
	q.sums = f.begun
	q.site = f.outer
	return q.since - begun
}

// Resume measures what follows as a part of the caller's job, which goes on beside the pieces,
// until Pause.
func (f *Fan) Resume() { f.probe.Start() }

// Pause ends what Resume has begun.
func (f *Fan) Pause() { f.probe.Stop() }

// Close ends the loop: the caller goes on when all pieces have ended.
func (f *Fan) Close() {
	q := f.probe
	switch {
	case f.open:
		f.End() // it has panicked
	default:
		q.Stop()
	}
	further := max(f.pieces-1, 0)
	f.done.forks += further
	// Each that comes to help calls for others: the number of those at work doubles.
	f.longest.burdened += measure.Burden * time.Duration(bits.Len(uint(further)))
	q.meet(&f.longest, f.done)
	q.Start()
}
