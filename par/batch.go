package par

import "time"

// shareTime is how much work is worth a helper, and how long the feeder does all alone at
// least, when it does.
const shareTime = 20 * time.Microsecond

// worth is how long an element must take for it to be worth handing over.
const worth = 500 * time.Nanosecond

// A batch are elements of which the goroutine at the head of a stream times one, by two looks at the
// clock. These cost as much as many an element, so the batch grows while elements are cheap. It grows with
// the number of elements so far: a long one after few short ones is found at once.
type batch struct {
	every int // how many elements go without a look between two that are timed
	skip  int // how many of the next ones do
	seen  int // how many elements there have been
	still int // how many looks in a row have found the clock where it was
	spent time.Duration
	// rest is how long elements must take all together before somebody is asked to help again, after
	// helpers were of no use.
	rest time.Duration
}

const (
	// seenFor is how many elements have been seen for each one that does without a look, and mostUnseen
	// how many do, at most. If uses tend to be short, so many as credit count as seen before.
	seenFor    = 128
	mostUnseen = 63
	credit     = 2048
	// lookEvery is how often to look at the clock.
	lookEvery = 2 * time.Microsecond
)

// note notes that a batch took so long, whose elements take so long each. It reports whether
// elements are long enough to share them, each time that they have taken shareTime together; and
// sometimes if the clock stands still: nobody knows then.
func (b *batch) note(took, each time.Duration) (long bool) {
	b.seen += b.every + 1
	b.every = min(b.seen/seenFor, mostUnseen, int(lookEvery/each))
	b.skip = b.every
	if b.still++; took > 0 {
		b.still = 0
	}
	b.spent += took
	if b.spent < max(shareTime, b.rest) && b.still < patience {
		return false
	}
	b.spent, b.still = 0, 0
	return each >= worth
}

// again is for the time after helpers were of no use: the feeder then remains alone for longer.
func (b *batch) again() {
	b.spent, b.rest = 0, min(max(2*b.rest, 2*shareTime), 64*shareTime)
}
