package pool

import (
	"fmt"
	"testing"
)

// public checks how many jobs can be stolen.
func (l lone) public(want int, when string) {
	l.t.Helper()
	got := l.seat.deque.Len()
	check(l.t, got == want, "P13: %s, %d forks are public, want %d", when, got, want)
}

// A public fork that its worker runs itself is replaced by a private one, if that is
// still wanted: the others cannot ask while it runs.
func TestForkTakenBackIsReplaced(t *testing.T) {
	l := newLone(t, 9)
	forks := l.many(30)
	l.public(8, "with 8 workers asleep")
	l.wanted.Store(0)
	l.join(forks[0])
	l.public(9, "one of which its worker has begun itself")
	l.sleep.inactive = 0
	l.wanted.Store(0)
	l.join(forks[1])
	l.public(9, "two of which their worker has begun itself, the second while nobody waited")
	l.joinAll(forks[2:])
}

// A mark that was set for a few does not hide those that have come since, although there
// is a public fork still.
func TestMarkIsForAsManyAsWait(t *testing.T) {
	l := newLone(t, 17)
	l.sleep.inactive = 3
	first := l.fork()
	l.sleep.inactive = 16
	l.pool.want(0)
	forks := l.many(40)
	l.public(16, "after a request of 3 workers, one of 16 and 41 forks")
	l.joinAll(forks)
	l.join(first)
}

// A worker that has just stolen makes its first forks public, although nobody is
// idle: whether its flag is down, or is up still since it was idle beside others.
func TestStolenJobPublishesItsFirstForks(t *testing.T) {
	for flag := range uint32(2) {
		l := newLone(t, 9)
		f := Fork(l.pool.seats[1].worker(), leaf, 0)
		l.sleep.inactive = 0
		l.wanted.Store(flag)
		check(t, l.findNext() == &f.frame.Job, "P13: the fork of another worker was not stolen")
		l.noteStolen() // as when the job begins
		forks := l.many(stolenAsk)
		l.public(stolenAsk, fmt.Sprintf("after as many forks of a stolen job, with the flag at %d before", flag))
		l.joinAll(forks)
	}
}

// If this fails, a worker that asks for forks takes it back that the job is measured, whose forks and
// joins take the long way only while the flag says so.
func TestFlagKeepsItsOtherBit(t *testing.T) {
	l := newLone(t, 2)
	flag := &l.Worker.wanted
	atOnce(t, func() { flag.Store(0) }, func() {
		equal(t, flag.Load(), wantForks|wantProbe, "P34: a worker asks for forks as a measurement begins, and the flag is")
	}, func() { l.pool.want(0) }, func() { flag.Or(wantProbe) })
}
