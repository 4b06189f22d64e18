//go:build explore

package explore

import (
	"fmt"
	"math/bits"
	"slices"
	"testing"
	"time"
)

// A node is a decision with more than one outcome, on the way to the schedule
// that is run. Outcomes are numbers: below maxThreads a thread or what else is
// chosen, from maxThreads on a thread that is released for no reason.
type node struct {
	candidates, vain   uint64
	done, doneVain     uint64
	asleep, asleepVain uint64 // need not be tried
	// backtrack are the candidates to be tried, and did what those did that were.
	backtrack uint64
	did       [maxThreads]effects
	touched   []touch
	chosen    uint64 // something was chosen in their steps
	outcome   int
	wanted    []uint64 // what its owner was told to try, if that is another process
	// hash is of all steps before. It differs from run to run only if the
	// scenario is not deterministic.
	hash uint64
}

// begun notes that an outcome was tried.
func (n *node) begun(outcome int) {
	if outcome < maxThreads {
		n.done |= 1 << outcome
	} else {
		n.doneVain |= 1 << (outcome - maxThreads)
	}
}

// next returns an outcome to be tried, or a negative number if there is none.
func (n *node) next() int {
	if left := n.backtrack &^ (n.done | n.asleep); left != 0 {
		return bits.TrailingZeros64(left)
	}
	if left := n.vain &^ (n.doneVain | n.asleepVain); left != 0 {
		return maxThreads + bits.TrailingZeros64(left)
	}
	return -1
}

// advance goes on to the next outcome, and reports whether there is one.
func (n *node) advance() bool {
	n.begun(n.outcome)
	k := n.next()
	if k >= 0 {
		n.outcome = k
	}
	return k >= 0
}

// branch returns the outcome of a decision in a search through all of them.
// first is nil if it is not about threads. It returns a negative number if the
// scenario is not deterministic.
//
//go:norace
func (e *engine) branch(first *thread, candidates, vain uint64) int {
	k := bits.TrailingZeros64(candidates)
	if first != nil {
		k = first.index
	}
	if e.coasting {
		return k
	}
	if first != nil && e.config.strategy == unbounded && e.config.reduce {
		return e.decides(k, candidates, vain)
	}
	if bits.OnesCount64(candidates)+bits.OnesCount64(vain) == 1 {
		if candidates == 0 {
			return maxThreads + bits.TrailingZeros64(vain)
		}
		return k
	}
	i := e.depth
	e.depth++
	if i == len(e.path) {
		if candidates == 0 {
			k = maxThreads + bits.TrailingZeros64(vain)
		}
		e.path = append(e.path, node{candidates: candidates, vain: vain, backtrack: candidates, outcome: k, hash: e.hash})
		return k
	}
	n := &e.path[i]
	if n.hash != e.hash || n.candidates != candidates || n.vain != vain {
		e.fail(Nondeterministic, otherwise)
		return -1
	}
	return n.outcome
}

const otherwise = "the scenario did something else when it was run again: it depends on time, chance, addresses, the order of a map or what an earlier execution has left behind"

// backtrack moves on to the next schedule, and reports whether there is one.
func (e *engine) backtrack() bool {
	for i := len(e.path) - 1; i >= e.base; i-- {
		if e.path[i].advance() {
			e.path = e.path[:i+1]
			return true
		}
	}
	return false
}

// explore runs the scenario until all is done, or it fails.
func (e *engine) explore(start time.Time) {
	c := &e.config
	switch c.strategy {
	case bounded:
		for e.limit = 0; e.limit <= c.bound; e.limit++ {
			e.curtailed = false
			before, ok := e.search(start)
			size := e.report.Schedules - before
			e.report.Sizes = append(e.report.Sizes, size)
			if !ok {
				return
			}
			// If no schedule has as many preemptions as it may have, none
			// has more.
			if !e.curtailed || e.limit > 0 && size == e.report.Sizes[e.limit-1] {
				e.exhausted()
				return
			}
		}
	case unbounded:
		e.complete(start)
		e.deepen(start)
	case randomly, pct:
		e.draw(c.strategy, c.schedules, start)
	case everything:
		e.everything(start)
	case replay:
		s, err := parseSchedule(c.schedule)
		if err != nil {
			e.report.Failure = &Failure{Kind: BadOption, Message: err.Error()}
			return
		}
		if n := s.steps(); n > c.maxSteps {
			c.maxSteps += n
		}
		e.report.Failure = e.again(s)
		if e.report.Failure == nil && !e.follow.over() {
			e.report.Failure = &Failure{Kind: Diverged, Schedule: s.String(), Message: "the scenario has ended after " + e.schedule.String()}
		}
	}
}

// draw runs n schedules by chance, and reports whether to go on.
func (e *engine) draw(by strategy, n int, start time.Time) (on bool) {
	e.config.strategy, e.path, on = by, e.path[:0], true
	for i := 0; i < n && on; i++ {
		e.prepare()
		e.once()
		e.passOver()
		on = e.goesOn(start)
	}
	return on
}

// fewFirst is how many schedules of each bound, from 0 to firstBound, come before a complete search:
// they show what is easy to find with the fewest preemptions. If those are not all, as many at random come
// after them: a search goes back to its last decision first, and so comes late to what happens early in a
// long execution. Each of these has at most some fewSteps operations.
const (
	fewFirst   = 1000
	fewSteps   = 200_000
	firstBound = 2
)

// only has a search end after so many schedules or operations.
func (e *engine) only(schedules, steps int) {
	e.few, e.fewSteps = e.report.Schedules+schedules, e.report.Steps+steps
}

// complete is a search without a bound.
func (e *engine) complete(start time.Time) {
	c := &e.config
	var sizes []int
	if c.reduce && e.oracle == nil {
		c.strategy = bounded
		for e.limit = 0; e.limit <= firstBound; e.limit++ {
			e.curtailed = false
			e.only(fewFirst, fewSteps)
			before, ok := e.search(start)
			e.few = 0
			if ok {
				sizes = append(sizes, e.report.Schedules-before)
			}
			if ok && !e.curtailed {
				e.report.Sizes = sizes
				e.exhausted()
				return
			}
			if e.report.Failure != nil || e.report.Cut != "" || e.long.n >= mostLong {
				return
			}
			if !ok {
				e.only(fewFirst, fewSteps)
				e.draw(randomly, fewFirst, start)
				e.few = 0
				break
			}
		}
		c.strategy = unbounded
		if e.report.Failure != nil {
			e.shorten(start)
		}
		if e.report.Failure != nil || e.report.Cut != "" || e.long.n >= mostLong {
			return
		}
	}
	another := c.deeper > 0 && !c.all
	e.spares = another
	ok := e.reduced(start)
	if e.spares = false; ok {
		e.report.Sizes = sizes
	} else if another && e.report.Cut != "" {
		e.soon(start)
	}
	e.shorten(start)
}

// soon is a search with shorter loops, if the one that has just been cut had no end: that one had three
// quarters of the time.
func (e *engine) soon(start time.Time) {
	c, orders := &e.config, e.report.Orders
	c.deeper, c.longAfter, e.shorter, e.report.Cut = 0, 0, true, ""
	if !e.reduced(start) {
		e.report.Orders = orders
	}
}

// reduced is the search without a bound. It returns false if that was ended early.
func (e *engine) reduced(start time.Time) bool {
	redundant := e.report.Redundant
	before, ok := e.search(start)
	e.report.Orders = e.report.Schedules - before - (e.report.Redundant - redundant)
	if ok {
		e.exhausted()
	}
	return ok
}

// deepen searches once more if threads were held up, with more rounds: a loop that ends by itself
// has none of them held up then. It takes as many schedules as there were before.
func (e *engine) deepen(start time.Time) {
	before := e.report
	if !before.Exhausted || before.UpTo == "" || e.config.deeper <= e.config.rounds {
		return
	}
	e.config.rounds, e.config.strategy = e.config.deeper, unbounded
	e.only(max(fewFirst, before.Schedules), max(fewSteps, before.Steps))
	e.report.Exhausted, e.report.UpTo = false, ""
	ok := e.reduced(start) && e.long.n == 0
	e.few, e.long = 0, tooLong{}
	if f := e.report.Failure; ok || f != nil && f.Kind != Livelock && f.Kind != TooManyThreads {
		e.shorten(start)
		return
	}
	// What was complete still is. An execution may be longer than it may be.
	e.report.Failure, e.report.Cut = nil, ""
	e.report.Exhausted, e.report.UpTo, e.report.Orders = true, before.UpTo, before.Orders
}

// fewAfter is how many schedules of each bound are tried for a failure with fewer preemptions
// than the one that was found.
const fewAfter = 20_000

// shorten looks for a failure with fewer preemptions than the one that was found, if there is one.
func (e *engine) shorten(start time.Time) {
	found, cut := e.report.Failure, e.report.Cut
	if found == nil || found.Trace == "" || found.Preemptions == 0 && e.report.Processes <= 1 {
		return
	}
	e.config.strategy = bounded
	most := min(firstBound, found.Preemptions-1)
	if e.report.Processes > 1 {
		// Which failure they have found first depends on time; what is found here does not.
		most = min(firstBound, found.Preemptions)
	}
	for e.limit = 0; e.limit <= most; e.limit++ {
		e.report.Failure = nil
		e.only(fewAfter, 5*fewSteps)
		e.search(start)
		e.few = 0
		if f := e.report.Failure; f != nil && (f.Kind == found.Kind || e.report.Processes > 1) {
			return
		}
	}
	e.report.Failure, e.report.Cut = found, cut
}

// search goes through all schedules that the limit allows. It returns how many
// were run before the last restart, and false if it was ended early.
func (e *engine) search(start time.Time) (before int, ok bool) {
	before = e.report.Schedules
	e.path = e.path[:0]
	e.held = holdups{}
	for {
		e.once()
		e.passOver()
		switch {
		case e.failure != nil:
			e.goesOn(start)
			return before, false
		case e.restart:
		case !e.backtrack():
			return before, true
		case e.shares(before):
			if ok := e.together(start); !e.restart {
				return before, ok
			}
		}
		if e.restart {
			// The schedules so far had no switch before an Unlock.
			e.restart = false
			e.path = e.path[:0]
			if e.oracle != nil {
				*e.oracle = newOracle()
			}
			before = e.report.Schedules
		}
		if !e.goesOn(start) {
			return before, false
		}
	}
}

// once runs the schedule that the path says.
func (e *engine) once() {
	// Only the first few executions look which goroutine performs an
	// operation: that takes a microsecond each time.
	e.checked = e.report.Schedules < 2
	ended := e.execute()
	if ended && e.failure == nil && e.depth < len(e.path) {
		e.failure = &Failure{Kind: Nondeterministic, Message: otherwise}
	}
	if e.coasting {
		e.report.Redundant++
	}
	e.keep()
}

// goesOn reports whether there are to be more schedules after the last one.
func (e *engine) goesOn(start time.Time) bool {
	e.tell(start)
	switch {
	case e.few > 0 && (e.report.Schedules >= e.few || e.report.Steps >= e.fewSteps) && e.failure == nil:
		return false
	case e.long.n >= mostLong:
		return false
	case e.failure != nil && e.config.all && !e.failure.isFault():
		e.report.Failure = e.failure
		return false
	case e.failure != nil:
		e.report.Failure = e.confirm(e.failure)
		return false
	}
	e.report.Cut = e.cut(start)
	return e.report.Cut == ""
}

// A tooLong is an execution that took more than MaxSteps operations, the first of n.
type tooLong struct {
	schedule schedule
	rounds   int // see Rounds
	n        int
}

// mostLong is how many executions may be too long before the search ends: each takes as long as thousands
// of small ones. Two of them may then be as many times as long.
const (
	mostLong = 50
	asLong   = 100
)

// passOver has the search go on after an execution that was too long. A loop that ends may be longer
// than MaxSteps, and another schedule may show a fault. Code on package prim polls by Yield, which lets
// others go on, so there a livelock is one.
func (e *engine) passOver() {
	f := e.failure
	if f == nil || f.Kind != Livelock || !e.inTurns {
		return
	}
	if e.long.n++; e.long.n == 1 {
		e.long.schedule, e.long.rounds = slices.Clone(e.schedule), e.config.rounds
	}
	e.failure = nil
}

// lengthy looks into executions that were too long, of a search that has found no failure. A loop of many
// rounds may have an end, and a fault may come after it. So an execution without preemptions, in which no
// thread is patient, and the first one that was too long may take asLong times as many operations. If that
// one ends, too, nothing has failed, and the search was cut. Otherwise it is a livelock.
func (e *engine) lengthy() *Failure {
	c := e.config
	most := c.maxSteps * asLong
	if f := e.longer(nil, most, min(most, mostRounds)); f != nil && f.Kind != Livelock {
		return e.confirm(f)
	}
	if f := e.longer(e.long.schedule, most, e.long.rounds); f != nil && f.Kind != Livelock {
		return e.confirm(f)
	} else if f == nil {
		if e.report.Cut == "" {
			e.report.Cut = fmt.Sprintf("MaxSteps(%d) (an execution has %d operations)", c.maxSteps, e.steps)
		}
		return nil
	}
	e.config.maxSteps, e.schedule = c.maxSteps, e.long.schedule
	f := e.confirm(&Failure{Kind: Livelock})
	f.Message += fmt.Sprintf("\n\tit was continued, and had no end after %d operations", most)
	return f
}

// longer runs a schedule, and what comes after it without preemptions, of at most so many operations.
func (e *engine) longer(s schedule, steps, rounds int) *Failure {
	e.config.maxSteps, e.config.rounds = steps, rounds
	return e.replayed(s)
}

// cut returns which limit ends the exploration now, or "" if none does.
func (e *engine) cut(start time.Time) string {
	c := &e.config
	most, longest := c.maxSchedules, c.maxTime
	if e.spares {
		most, longest = most-most/4, longest-longest/4
	}
	switch {
	case most > 0 && e.report.Schedules >= most:
		return fmt.Sprintf("MaxSchedules(%d)", c.maxSchedules)
	case longest > 0 && time.Since(start) >= longest:
		return fmt.Sprintf("MaxTime(%v)", c.maxTime)
	}
	return ""
}

// differing is how often a schedule is run again, at most, to show what differs.
const differing = 20

// confirm runs the schedule that failed twice more, and returns the failure
// with its trace, or one that says that the scenario is not deterministic.
func (e *engine) confirm(f *Failure) *Failure {
	s := slices.Clone(e.schedule)
	if e.stale {
		return f // it would be once more
	}
	switch f.Kind {
	case Stuck, Foreign, BadOption, Lost:
		return f
	case Nondeterministic:
		// What depends on chance does the same twice, by chance.
		f.Message = e.otherwise(s).Message
		return f
	}
	e.quiet.loud = e.report.Schedules > 1 || !testing.Verbose() // or it is there
	once := e.again(s)
	if once == nil || once.Kind != f.Kind {
		return e.differs(s, f, once)
	}
	// The steps must be the same ones. Values need not be: a package may have
	// ids that it never gives out again.
	hash := e.hash
	if twice := e.again(s); twice == nil || twice.Kind != f.Kind || e.hash != hash {
		return e.differs(s, once, twice)
	}
	return once
}

// again runs a schedule with a trace.
func (e *engine) again(s schedule) *Failure {
	e.traced, e.checked = true, true
	f := e.replayed(s)
	e.traced, e.checked = false, false
	if f != nil {
		f.Schedule = e.schedule.String()
		f.Preemptions = e.preemptions
		f.rounds = e.config.rounds
		f.Threads, f.Steps = e.labels(), e.lines()
		f.Trace = table(f.Threads, f.Steps)
	}
	return f
}

// replayed runs a schedule.
func (e *engine) replayed(s schedule) *Failure {
	before := e.config.strategy
	e.config.strategy = replay
	e.follow, e.extra = follow(s)
	e.execute()
	e.config.strategy = before
	return e.failure
}
