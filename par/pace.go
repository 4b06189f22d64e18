package par

import (
	"time"

	"github.com/rouse-go/rouse/api/prim"
)

const (
	// stretch is the time between two looks at the clock that a loop aims at as it begins,
	// and when elements have got longer: some 60 times the cost of the clock. It doubles up
	// to the quantum.
	stretch = 2500 * time.Nanosecond
	quantum = 10 * time.Microsecond
	// steady is for how many ranges the clock is not looked at then. That waits for all
	// that the processor reads from memory: in a loop over long slices, half a microsecond.
	steady = 8
	// tick is the least time that a range is taken to have lasted: the cost of the clock.
	tick = 40 * time.Nanosecond
	// most is by how much the length grows from one range to the next. That the first
	// elements are quick does not say that all are.
	most = 16
	// longest is the largest number of elements between two looks. At 0.3 ns each they
	// take a quantum.
	longest = 1 << 15
)

// patience is how many looks in a row may find the clock where it was. It may be a coarse
// one, or that of a synctest bubble, which stands still while anything runs: loops must be
// shared there, too.
const patience = 16

// A pace says how many elements to do between two looks: it follows the time of the last ones.
type pace struct {
	// length is how many elements to do as one range.
	length int
	last   time.Duration // when the clock was looked at
	aim    time.Duration // how long a range is to take
	// unread elements have been done since; after enough of them it is time to look again.
	unread, enough int
	// still is how many looks in a row have found the clock where it was.
	still int
}

// pacedFrom begins with one element.
func pacedFrom(now time.Duration) pace { return pace{length: 1, last: now, aim: stretch} }

// done notes a range of n elements. It looks at the clock if it is time to; if only single
// elements are taken, at each eighth.
func (p *pace) done(n int) {
	unread := p.unread + n
	if unread < p.enough || n == 1 && p.length > 1 && unread%8 != 0 {
		p.unread = unread
		return
	}
	p.look(prim.Now(), n)
}

// look sets the length to as many elements as the aim has time for, by the time of the unread
// elements, and of n more, which were the last range. It reports whether the clock stands still.
//
//go:noinline
func (p *pace) look(now time.Duration, n int) (still bool) {
	took, done := now-p.last, p.unread+n
	p.last, p.unread, p.enough = now, 0, 0
	if took > 0 {
		p.still = 0
	} else if p.still++; p.still%patience != 0 {
		return false
	}
	fits := time.Duration(done) * p.aim / max(took, tick)
	p.length = max(1, min(int(fits), p.length*most, longest))
	switch {
	case p.length < n/2:
		p.aim = stretch
	case p.aim < quantum:
		p.aim = min(2*p.aim, quantum)
	case p.length > 1:
		p.enough = steady * p.length
	}
	return p.still > 0
}
