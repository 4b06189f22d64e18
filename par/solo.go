package par

import "time"

// shareTime is how much work is worth a helper, and how long the feeder does all alone at
// least, when it does.
const shareTime = 20 * time.Microsecond

// worth is how long an element must take for it to be worth handing over.
const worth = 500 * time.Nanosecond

// A solo finds out, while the feeder of a stream does everything, how long elements take, by
// few looks at the clock.
type solo struct {
	skip  int           // how many of the next elements begin without a look at the clock
	every int           // how many begin between two looks
	last  time.Duration // when the element of the last look began
	spent time.Duration // in about so many calls
	calls int
	still int // how many looks in a row have found the clock where it was
	// enough is how long to remain alone, at least.
	enough time.Duration
	// seen is how many short elements there have been, and credit if those of the function
	// tend to be short: the more, the longer is the time between two looks. So a long
	// element after short ones is found soon.
	seen int
	// total is how long all have taken, and how many there were.
	total    time.Duration
	elements int
	// pardoned is how many there had been when one that was long did not count.
	pardoned int
}

const (
	credit = 2048
	// seenFor is how many elements have been seen for each one that does without a look.
	seenFor = 128
	// unseenMost is how many do, at most.
	unseenMost = 63
)

// note notes an element that was looked at. It stands for those that were skipped, too. It
// reports whether elements take so long that it is worth it to share them, and how long,
// each time that they have taken shareTime together.
func (s *solo) note(begun, ended time.Duration) (cost time.Duration, share bool) {
	n := s.every + 1
	took := (ended - begun) * time.Duration(n)
	s.spent += took
	s.calls += n
	s.total += took
	s.elements += n
	s.seen += n
	if s.still++; ended > begun {
		s.still = 0
	}
	s.pace(begun, n)
	switch {
	case s.still == patience:
		s.still = 0
		return shareTime, true
	case s.spent < max(shareTime, s.enough):
		return 0, false
	}
	cost = s.spent / time.Duration(s.calls)
	long := took >= s.spent/2
	s.spent, s.calls = 0, 0
	if cost < worth {
		return cost, false
	}
	s.every, s.skip = 0, 0
	if long && s.pardon() {
		s.total -= took
		return cost, false
	}
	s.seen = 0
	return cost, true
}

// pardon reports whether not to count one element that is long after thousands of short ones.
// A machine that has other things to do has taken the processor away, as likely as not.
func (s *solo) pardon() bool {
	if s.elements < credit || s.pardoned > 0 && s.elements-s.pardoned < pardonEach {
		return false
	}
	s.pardoned = s.elements
	return true
}

// pardonEach is for how many elements none is pardoned after one that was.
const pardonEach = 1 << 18

// pace sets how many elements to skip, so that a look comes each lookEvery. The time of the
// source and the consumer counts as well here: the looks are to cost little beside all that.
func (s *solo) pace(begun time.Duration, n int) {
	each := (begun - s.last) / time.Duration(n)
	if s.last == 0 {
		each = lookEvery
	}
	s.last = begun
	s.every = min(s.seen/seenFor, unseenMost, int(lookEvery/max(1, each)))
	s.skip = s.every
}

// lookEvery is how often to look at the clock, twice.
const lookEvery = 2 * time.Microsecond

// again is for the time after helpers were of no use: the feeder then remains alone for
// longer.
func (s *solo) again() {
	*s = solo{enough: min(max(2*s.enough, 2*shareTime), 64*shareTime), total: s.total, elements: s.elements, pardoned: s.pardoned}
}
