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

// A loop of forks: the first few become public one by one, then some each time
// that the stack has doubled, until there is one for each inactive worker.
func TestForksOfALoopBecomePublic(t *testing.T) {
	l := newLone(t, 17)
	var forks []Forked[int, int]
	// bits.Len(15) is 4: six one by one, and at heights 6+5 and 11+10.
	for i, n := range []int{1, 2, 3, 4, 5, 6, 6, 6, 6, 6, 11, 11, 11, 11, 11, 11, 11, 11, 11, 11, 16, 16, 16, 16} {
		forks = append(forks, l.fork())
		l.public(n, fmt.Sprintf("with 16 workers asleep, after %d forks", i+1))
	}
	l.joinAll(forks)
}

// Each publication posts once, however many forks it makes public.
func TestBurstIsPostedOnce(t *testing.T) {
	l := newLone(t, 17)
	l.wanted.Store(0)
	forks := l.many(30)
	l.public(0, "while nobody wants work")
	l.pool.want(0)
	l.join(forks[29])
	l.public(16, "after the first request of 16 inactive workers met 29 private forks")
	equal(t, l.sleep.posts, 1, "S6: the number of posts that have made 16 forks public is")
}

// What others have taken is wanted again, although nobody is idle just now: twice
// as much of it, or one fork for each worker.
func TestBurstGrowsWithWhatIsTaken(t *testing.T) {
	l := newLone(t, 3)
	l.wanted.Store(0)
	forks := l.many(40)
	l.pool.want(0)
	l.sleep.inactive = 1
	for i, want := range []int{1, 3, 6, 12} {
		l.join(forks[39-i])
		l.public(want, "after a request")
		equal(t, l.steal(), want, "P13: the number of forks that a thief got is")
		l.sleep.inactive = 0
	}
}

// What the worker has to take back itself was not wanted: half of it the next
// time.
func TestBurstShrinksWithWhatIsTakenBack(t *testing.T) {
	l := newLone(t, 9)
	l.wanted.Store(0)
	for _, want := range []int{8, 4, 2, 1, 1} {
		forks := l.many(20)
		l.pool.want(0)
		l.join(forks[19])
		l.public(want, "after a request")
		l.sleep.inactive = 0
		l.joinAll(forks[:19])
	}
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

// A fork at the mark becomes public even if the flag is up, and the deque full.
func TestMarkIsMetWhileTheFlagIsUp(t *testing.T) {
	l := newLone(t, 9)
	first := l.fork()
	l.pool.want(0) // a thief has taken something meanwhile
	second := l.fork()
	l.public(2, "after two forks and a request")
	l.join(second)
	l.join(first)
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
		check(t, l.find() == &f.frame.Job, "P13: the fork of another worker was not stolen")
		l.heed() // as when the job begins
		forks := l.many(stolenAsk)
		l.public(stolenAsk, fmt.Sprintf("after as many forks of a stolen job, with the flag at %d before", flag))
		l.joinAll(forks)
	}
}

// Forks joined oldest first leave pointers in the deque. They do not add up,
// although nobody steals.
func TestStraysDoNotAddUp(t *testing.T) {
	l := newLone(t, 2)
	l.pool.eager = true
	for round := range 100 {
		var forks [10]Forked[int, int]
		for i := range forks {
			l.pool.want(0)
			forks[i] = l.fork()
		}
		l.public(len(forks), fmt.Sprintf("in round %d", round))
		for _, f := range forks {
			l.join(f)
		}
		l.public(0, fmt.Sprintf("after round %d", round))
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
