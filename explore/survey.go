//go:build explore

package explore

import (
	"strings"
	"time"

	"github.com/rouse-go/rouse/api/prim"
	"github.com/rouse-go/rouse/explore/drive"
)

// What the flag -all of the command does within an exploration. The tests that it explores were not
// written for that: they are long, start hundreds of goroutines, and leave some behind. So
//
//   - schedules at random come first, which show most faults in less than a second, then the search,
//     and then others at random for what is left of the time;
//   - time moves only when all threads wait, as in a bubble of package synctest. A test that sleeps until
//     others are done, or that fails if they take a second, does not mean that time can pass at any
//     moment. Those that poll come before it: they go round for as long as takes them some milliseconds;
//   - an execution ends with the test. What others still do then counts if it panics or is a race;
//   - at random there may be more threads than a search has bits for.
//
// A failure of each schedule tells nothing of the schedule: a plain run of the test decides.

// manyThreads is how many they can be at random, for -all.
const manyThreads = 4096

// randomFirst is how many schedules at random come before the search, and half as many by PCT.
// An execution at random may have longestAll steps, and loops are taken for such later, as it
// takes time to look for them.
const (
	randomFirst = 500
	longestAll  = 500_000
	polling     = 10_000 // steps of those that poll, before time moves
)

func (e *engine) everything(start time.Time) {
	c, s := &e.config, &e.report.all
	budget, steps, long := c.maxTime, c.maxSteps, c.longAfter
	c.maxSteps, c.longAfter, c.depth = longestAll, 50*long, 3
	goesOn := e.draw(randomly, 1, start)
	s.alone = goesOn && len(e.threads) == 1 && !e.picked
	goesOn = goesOn && !s.alone && e.draw(randomly, randomFirst-1, start) && e.draw(pct, randomFirst/2, start)
	s.random = e.report.Schedules
	s.endless = e.long.n > 0 && e.long.n == e.report.Schedules
	s.many = e.dpor.width > maxThreads
	if goesOn && !s.many && e.long.n == 0 {
		c.maxTime, c.maxSteps, c.longAfter = budget*2/3, steps, long
		c.strategy = unbounded
		e.complete(start)
		if f := e.report.Failure; f != nil && !f.isFault() && !poisoned {
			s.why, e.report.Failure = string(f.Kind), nil
		}
		goesOn = e.report.Failure == nil && !e.report.Exhausted
		c.maxTime, c.maxSteps, c.longAfter = budget, longestAll, 50*long
	}
	if goesOn && !s.endless {
		before := e.report.Schedules
		e.draw(randomly, 1<<30, start)
		s.random += e.report.Schedules - before
	}
	s.timed = e.timed
	switch f := e.report.Failure; {
	case f.isFault() && f.Kind != Raced && e.always():
		s.always = true
	case f.isFault() && !s.many && s.why == "":
		c.maxTime, c.maxSteps, c.longAfter = time.Since(start)+budget/2, steps, long
		e.shorten(start)
	case f == nil && e.timed && !s.alone:
		cut := e.report.Cut
		c.maxTime, e.free = time.Since(start)+budget/10, true
		if e.draw(randomly, randomFirst/5, start); e.report.Failure.isFault() {
			first, _, _ := strings.Cut(e.report.Failure.Message, "\n")
			s.timing = string(e.report.Failure.Kind) + ": " + first
		}
		e.report.Failure, e.report.Cut, e.free = nil, cut, false
	}
}

// overtime reports whether the time is up. The first execution, which is alone, may take longer.
func (e *engine) overtime() bool {
	e.checked = e.checked && e.traced // it has been looked for long enough who performs operations
	most := e.config.maxTime
	if e.report.Schedules == 0 {
		most *= budgets - 1
	}
	return time.Since(e.begun) > most
}

// always reports whether other schedules fail, too, and the one without preemptions.
func (e *engine) always() bool {
	e.config.strategy = randomly
	for range 20 {
		e.prepare()
		if e.execute(); !e.failure.isFault() {
			return false
		}
	}
	return e.replayed(nil).isFault()
}

// isFault reports whether it is one of the test, and not that it cannot be explored.
func (f *Failure) isFault() bool {
	if f == nil || f.refused != "" {
		return false
	}
	switch f.Kind {
	case Deadlock, Panicked, Raced, Asserted:
		return true
	}
	return false
}

// testEnds makes all other threads such as need not end.
//
//go:norace
func (e *engine) testEnds() {
	for _, t := range e.threads {
		if !t.ended && !t.daemon {
			t.daemon = true
			e.daemons++
		}
	}
}

// waitsForTime reports whether the thread goes on when time does.
//
//go:norace
func (t *thread) waitsForTime() bool {
	return t.op == ofTwin+prim.Op(drive.OpSleep) || t.op == ofTwin+prim.Op(drive.OpTimerDue) || t.op == ofTwin+prim.Op(drive.OpNow)
}

// timeMoves reports whether threads that poll have gone round for long: polled counts the decisions since a
// thread that is not patient could go on, or time moved. Each was for a patient step, so there are as many in
// all schedules of an order. If several poll, each has a turn before the first one is held up again.
//
//go:norace
func (e *engine) timeMoves() bool { return !e.still || e.polled > polling }

// beforeTime returns which of the threads may go on that have given way and can.
//
//go:norace
func (e *engine) beforeTime(ready uint64) uint64 {
	others := ready
	for _, u := range e.threads {
		if u.waitsForTime() {
			others &^= u.bit()
		}
	}
	if others == 0 || e.timeMoves() {
		e.polled, others = 0, ready
		if e.still {
			return ready // deadlines say which
		}
	}
	return e.inTurn(others)
}

// amongMany is decide at random, or for a replay, without sets of threads.
//
//go:norace
func (e *engine) amongMany(t *thread) *thread {
	var list []*thread
	best := 3
	for _, u := range e.threads {
		if u.ended || !e.canRun(u) {
			continue
		}
		if !u.patient {
			e.polled = 0
		}
		order := 0 // those that have given way come later, and time comes last
		if u.yielded {
			if order = 1; u.waitsForTime() && !e.timeMoves() {
				order = 2
			}
		}
		if order < best {
			best, list = order, list[:0]
		}
		if order == best {
			list = append(list, u)
		}
	}
	if len(list) == 0 {
		e.deadlock()
		return nil
	}
	if e.polled++; best == 2 || best == 1 && e.timeMoves() {
		e.polled = 0
	}
	next := list[int(e.random()%uint64(len(list)))]
	if e.config.strategy == pct {
		for _, u := range list {
			if u.priority > next.priority {
				next = u
			}
		}
	}
	if e.config.strategy == replay {
		first := list[0]
		if !t.ended && !t.yielded && e.canRun(t) {
			first = t
		}
		k := e.follow.thread(e, first, func(k int) bool { return k < len(e.threads) && !e.threads[k].ended && e.canRun(e.threads[k]) }, 0)
		if k < 0 {
			return nil
		}
		next = e.threads[k]
	}
	if best > 0 {
		for _, u := range list {
			u.yielded = false
		}
	}
	if next != t && !t.ended && !t.yielded {
		e.preemptions++
	}
	return next
}

// leftBehind returns how many goroutines have not ended with the test.
func (e *engine) leftBehind() (n int) {
	for _, t := range e.threads {
		if t.index > 0 && t.pending && !t.timer {
			n++
		}
	}
	return n
}
