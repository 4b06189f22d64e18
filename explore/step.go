//go:build explore

package explore

import (
	"math"
	"math/bits"
	"unsafe"

	"github.com/rouse-go/rouse/api/prim"
	"github.com/rouse-go/rouse/explore/drive"
)

// manySteps is of how many steps of an execution it is checked which goroutine performs them: of hundreds
// of thousands that would take minutes. The watchdog gives the same time to each so many.
const manySteps = 1 << 13

// enter returns the thread that calls.
//
//go:norace
func (e *engine) enter() *thread {
	t := e.current
	if t == nil || e.checked && e.steps < manySteps && !t.isCaller() {
		e.intruder()
	}
	if e.aborting {
		t.unwind()
	}
	return t
}

// tick counts a step of any kind.
//
//go:norace
func (e *engine) tick(t *thread) {
	t.acted = true
	if e.steps++; e.steps%manySteps == 0 {
		hide()
		e.watch.begin()
		unhide()
	}
	if e.steps > e.config.maxSteps && !(e.config.all && len(e.threads) == 1) || e.config.all && e.steps&1023 == 0 && e.overtime() {
		if e.config.all && e.threads[0].ended { // what is left behind may go on forever
			e.leave()
			t.unwind()
		}
		e.fail(Livelock, "")
		e.able = 0
		for _, u := range e.threads {
			if u != t && !u.ended && !u.daemon && e.canRun(u) {
				e.able |= u.bit()
			}
		}
		e.leave()
		t.unwind()
	}
}

// cellAt returns the cell of an address.
//
//go:norace
func (e *engine) cellAt(p unsafe.Pointer) *cell {
	c := e.cells.at(p)
	if c.number < 0 {
		c.number = e.named
		e.named++
	}
	return c
}

// point is where another thread may come first. It returns when t may perform
// op on c.
//
//go:norace
func (e *engine) point(t *thread, op prim.Op, c *cell) {
	e.tick(t)
	if !t.starting { // it is in a step of its parent's
		e.account()
	}
	t.op, t.cell = op, c
	if op != prim.OpGroupAdd {
		t.turns++
	}
	if t.late {
		t.late, t.patient = false, true
	}
	t.since, t.by, t.fresh = len(e.dpor.records), -1, true
	t.yielded, t.noted = t.patient, false
	t.used = t.hb[t.index] // also of the first operation, before which the thread may have started others
	if e.traced {
		e.written(t)
		t.comes(op, c)
	}
	if t.starting {
		t.starting = false
		e.switchTo(t, t.parent)
		e.perform(t)
		return
	}
	if e.sole && e.canRun(t) {
		t.yielded = false
		t.does()
		if e.traced {
			e.event(t, op, nil)
		}
		if !e.ordered {
			e.record(t)
		}
		return
	}
	if !e.private(t) || !e.canRun(t) {
		next := e.decide(t)
		if next == nil {
			t.unwind()
		}
		if next != t {
			e.switchTo(t, next)
		}
	}
	e.perform(t)
}

// comes notes, for traces, what op is on, and what the thread calls that. The second step of a
// wait is on what the first one was on.
//
//go:norace
func (t *thread) comes(op prim.Op, c *cell) {
	t.at = callers()
	switch op - min(op, ofTwin) {
	case prim.Op(drive.OpCondReturn), prim.Op(drive.OpRLockReturn), prim.Op(drive.OpSendReturn):
		t.on, t.called = t.waitsOn, t.waitsCalled
		return
	}
	t.on, t.called = c, ""
	if c != nil {
		t.called = c.name
	}
	switch op {
	case prim.OpCondWait, ofTwin + prim.Op(drive.OpRLock), ofTwin + prim.Op(drive.OpSend):
		t.waitsOn, t.waitsCalled = t.on, t.called
	}
}

// private reports whether nothing is lost if no other thread comes between the
// operation that t comes to and the one before. That is so for an Unlock:
// waiters for the mutex can as well come after it, unless they only try.
//
//go:norace
func (e *engine) private(t *thread) bool {
	return t.op == prim.OpUnlock && e.config.reduce && !e.tries && e.config.strategy == bounded
}

// perform accounts for the operation that t now performs.
//
//go:norace
func (e *engine) perform(t *thread) {
	if t.yielded = false; t.patient {
		t.patientAt = e.steps
		e.turns++
	}
	if e.traced && t != e.ender {
		e.event(t, t.op, nil)
	}
	t.does()
	e.schedule.step(t.index)
	e.record(t)
	h := e.hash ^ uint64(t.index)<<8 ^ uint64(t.op)
	c := t.cell
	if c != nil {
		h ^= uint64(c.number) << 16
	}
	// Neither step loses anything, and high bits come back to the low ones.
	e.hash = bits.RotateLeft64(h*0x9e3779b97f4a7c15, 32)
}

// does notes whether the step under way does more than to read.
//
//go:norace
func (t *thread) does() {
	t.touched = t.more
	if acts(t.op) {
		t.count(1)
	}
}

// count counts the step, or takes it back.
//
//go:norace
func (t *thread) count(n int) {
	t.acts += n
	if t.cell != nil {
		t.cell.acts += n
	}
	for _, c := range t.touched {
		c.acts += n
	}
}

// canRun reports whether the thread could perform its operation now.
//
//go:norace
func (e *engine) canRun(t *thread) bool {
	if t.ready != nil {
		return t.ready()
	}
	switch t.op {
	case prim.OpLock:
		return t.cell.holder == nil
	case prim.OpCondReturn, prim.OpFutexReturn:
		return t.released
	case prim.OpGroupWait:
		return t.cell.count == 0
	case prim.OpPark:
		return t.cell.permit || ended(t.ctx)
	case prim.OpAfterFunc:
		return t.cell.stopped || ended(t.ctx)
	case prim.OpJoin:
		return e.unjoined == 0
	}
	return true
}

// gives reports whether t gives way, and may go on at once all the same.
//
//go:norace
func (t *thread) gives() bool { return (t.op == prim.OpYield || t.op == prim.OpSpin) && !t.patient }

// seen reports whether somebody sees what threads do now: there are not just daemons, or timers still
// call functions.
//
//go:norace
func (e *engine) seen() bool { return e.live > e.daemons || e.ender != nil && !e.ender.ended }

// waitsInVain reports whether the thread is in a wait that may return for no
// reason.
//
//go:norace
func (t *thread) waitsInVain() bool {
	return !t.ended && !t.released && (t.op == prim.OpCondReturn || t.op == prim.OpFutexReturn)
}

// decide returns the thread whose turn is next. t is the one whose turn it is.
// It returns nil, and the execution is to be aborted, if there is none or the
// schedule to follow does not fit.
//
//go:norace
func (e *engine) decide(t *thread) *thread {
	if e.over() {
		e.leave() // nothing is wrong
		return nil
	}
	if e.recording {
		e.releases()
	}
	passes := !t.ended && t.gives()
	goesOn := !t.ended && !t.yielded && !passes && e.canRun(t)
	if e.settler != nil && e.config.strategy != replay {
		return e.settles(t, goesOn)
	}
	if goesOn && e.config.strategy == bounded && e.preemptions >= e.limit {
		e.curtailed = true
		return t
	}
	if len(e.threads) > maxThreads {
		return e.amongMany(t)
	}
	var ready, yielded, vain uint64
	for _, u := range e.threads {
		switch {
		case u.ended:
		case e.canRun(u):
			ready |= u.bit()
			if u.yielded {
				yielded |= u.bit()
			}
			if !u.patient {
				e.polled = 0
			}
		case u.waitsInVain():
			vain |= u.bit()
		}
	}
	if ready == 0 && (e.config.strategy != replay || !e.follow.wakes()) {
		e.deadlock()
		return nil
	}
	e.polled++
	candidates := ready &^ yielded
	if candidates == 0 {
		candidates = e.beforeTime(ready)
		for _, u := range e.threads {
			u.yielded = u.yielded && candidates&u.bit() == 0
		}
	}
	if held := yielded &^ candidates; held != 0 && e.seen() {
		e.hold(held)
	}
	if e.spurious == 0 || ready == 0 && e.config.strategy != replay {
		vain = 0
	}
	var first *thread
	if goesOn {
		first = t
	} else if u := e.ender; u != nil && candidates&u.bit() != 0 {
		first = u // timers may start others forever
	} else if others := candidates &^ t.bit(); passes && others != 0 {
		first = e.threads[bits.TrailingZeros64(others)]
	} else if candidates != 0 {
		first = e.threads[bits.TrailingZeros64(candidates)]
	}
	if e.config.strategy == replay {
		candidates = ready // the schedule knows better
	}
	next := e.schedules(first, candidates, vain)
	if next == nil {
		return nil
	}
	if goesOn && next != t && e.settler == nil {
		e.preemptions++
	}
	return next
}

// schedules chooses one of the candidates, first being the one to try first, or
// a thread that waits in vain, to be released for no reason.
//
//go:norace
func (e *engine) schedules(first *thread, candidates, vain uint64) *thread {
	var k int
	switch e.config.strategy {
	case replay:
		k = e.follow.thread(e, first, func(k int) bool { return candidates>>k&1 != 0 }, vain)
		if k < 0 {
			return nil
		}
	case randomly:
		k = e.nth(candidates, vain)
	case pct:
		k = e.highest(candidates, vain)
	default:
		k = e.branch(first, candidates, vain)
		if k < 0 {
			return nil
		}
	}
	if k < maxThreads {
		return e.threads[k]
	}
	u := e.threads[k-maxThreads]
	u.released, u.inVain = true, true
	e.spurious--
	e.schedule.wake(u.index)
	return u
}

// pick chooses a number below n, for something else than threads. It returns a
// negative one if the schedule to follow does not fit.
//
//go:norace
func (e *engine) pick(n int) int {
	if n == 1 {
		return 0
	}
	e.chooses()
	e.picked = true
	if e.settler != nil && e.config.strategy != replay {
		e.schedule.choose(0)
		return 0
	}
	var k int
	switch e.config.strategy {
	case replay:
		k = e.follow.choice(e, n)
	case randomly, pct:
		k = int(e.random() % uint64(n))
	default:
		t := e.current
		if e.steps == t.patientAt && e.steps > 0 && e.config.rounds > 0 && !t.waitsForTime() { // a loop, whose rounds are not all tried
			e.hold(t.bit())
			k = int(mix(t.id+uint64(t.steps)) % uint64(n))
			break
		}
		k = e.branch(nil, math.MaxUint64>>(64-n), 0)
	}
	if k >= 0 {
		e.schedule.choose(k)
	}
	return k
}
