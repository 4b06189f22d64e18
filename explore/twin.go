//go:build explore

package explore

import (
	"runtime"
	"strings"
	"testing"
	"unsafe"

	"github.com/rouse-go/rouse/api/prim"
	"github.com/rouse-go/rouse/explore/drive"
)

// A twins drives the twins of the standard library.
type twins struct{ *engine }

var _ drive.Driver = twins{}

// ofTwin is the first of the numbers that stand for operations of twins that package prim does
// not have.
const ofTwin prim.Op = 100

// asPrim has the operations of twins that package prim has, too.
var asPrim = [drive.OpCount]prim.Op{
	drive.OpLoad: prim.OpLoad, drive.OpStore: prim.OpStore, drive.OpSwap: prim.OpSwap,
	drive.OpCompareAndSwap: prim.OpCompareAndSwap, drive.OpAdd: prim.OpAdd,
	drive.OpAnd: prim.OpAnd, drive.OpOr: prim.OpOr,
	drive.OpLock: prim.OpLock, drive.OpTryLock: prim.OpTryLock, drive.OpUnlock: prim.OpUnlock,
	drive.OpCondWait: prim.OpCondWait, drive.OpSignal: prim.OpSignal, drive.OpBroadcast: prim.OpBroadcast,
	drive.OpGroupAdd: prim.OpGroupAdd, drive.OpGroupWait: prim.OpGroupWait,
	drive.OpYield: prim.OpYield,
}

//go:norace
func opOf(op drive.Op) prim.Op {
	if o := asPrim[op]; o != 0 || op == drive.OpLoad {
		return o
	}
	return ofTwin + prim.Op(op)
}

// acts reports whether op does more than to read, or to give way.
//
//go:norace
func acts(op prim.Op) bool {
	switch op {
	case prim.OpLoad, prim.OpYield, prim.OpSpin:
		return false
	}
	return op < ofTwin || !drive.Op(op-ofTwin).Reads()
}

// nameOfOp is what traces call the operation.
func nameOfOp(op prim.Op) string {
	switch op {
	case opRead:
		return "read"
	case opWrite:
		return "write"
	case opFails:
		return "fails"
	case opDraws:
		return "random number"
	}
	if op >= ofTwin {
		return drive.Op(op - ofTwin).String()
	}
	return op.String()
}

// effectOfTwin is that of an operation that package prim does not have.
//
//go:norace
func (t *thread) effectOfTwin(op drive.Op) effect {
	switch op {
	case drive.OpRLock, drive.OpTryRLock:
		return effectShare
	case drive.OpRUnlock:
		if t.shares(t.cell) < 0 {
			return effectStep // it fails if it comes before the RLock of another thread
		}
		return effectUnshare
	case drive.OpCondReturn, drive.OpRLockReturn, drive.OpBlock:
		return effectNone // one step has made it possible, and that is known
	case drive.OpGroupDone:
		return effectDone
	case drive.OpSend, drive.OpArrive:
		return effectPut
	case drive.OpTimerStart, drive.OpTimerStop:
		t.cell.waited = true // for what it does, though it but reads the time
		return effectRead
	}
	if op.Reads() && !(op == drive.OpNow && t.e.still) { // a look takes a moment then
		return effectRead
	}
	return effectStep
}

//go:norace
func (w twins) Step(op drive.Op, p unsafe.Pointer, more []unsafe.Pointer, ready func() bool) {
	e := w.engine
	t := e.enter()
	var c *cell
	if p != nil {
		c = e.cellAt(p)
	}
	for _, q := range more {
		t.more = append(t.more, e.cellAt(q))
	}
	if op == drive.OpTryLock && !e.tries {
		e.tries, e.restart = true, e.config.strategy == bounded
	}
	t.ready = ready
	if op == drive.OpYield {
		t.yields++ // a loop that gives way does not spin
	}
	var place *visit
	if !t.patient {
		meets := op == drive.OpSend || op == drive.OpRecv || op == drive.OpSelect // others may be there
		place = e.comesTo(t, op, c, ready != nil && !meets)
	}
	done := t.done()
	e.point(t, opOf(op), c)
	t.share(op, c)
	t.found(op, place, done)
	t.ready, t.patient, t.more = nil, false, t.more[:0]
}

// shares returns the index of a lock among those that the thread has for reading, or -1.
//
//go:norace
func (t *thread) shares(c *cell) int {
	for i := len(t.shared) - 1; i >= 0; i-- {
		if t.shared[i] == c {
			return i
		}
	}
	return -1
}

// share notes what the thread has for reading after the operation.
//
//go:norace
func (t *thread) share(op drive.Op, c *cell) {
	switch op {
	case drive.OpRLock, drive.OpTryRLock:
		t.shared = append(t.shared, c)
	case drive.OpRUnlock:
		t.unshare(c)
	}
}

//go:norace
func (t *thread) unshare(c *cell) {
	if i := t.shares(c); i >= 0 {
		last := len(t.shared) - 1
		t.shared[i] = t.shared[last]
		t.shared = t.shared[:last]
	}
}

//go:norace
func (w twins) AwaitLast(op drive.Op, p unsafe.Pointer, ready func() bool) {
	w.enter().patient = true
	w.Step(op, p, nil, ready)
}

// Met notes which step the one under way goes on after.
//
//go:norace
func (w twins) Met(p unsafe.Pointer) {
	t := w.enter()
	t.count(-1)
	if r := w.follows(p); r != nil {
		r.effect, r.met = effectNone, t.op != ofTwin+prim.Op(drive.OpSendReturn) // which could do nothing else
	}
}

//go:norace
func (w twins) Follows(p unsafe.Pointer) {
	if r := w.follows(p); r != nil && w.current.op == ofTwin+prim.Op(drive.OpRecv) {
		r.effect = effectTake
	}
}

// follows notes which step the one under way comes after, and returns that, or nil if it comes after all others.
//
//go:norace
func (w twins) follows(p unsafe.Pointer) *record {
	w.enter()
	d := &w.dpor
	if !d.open || d.records[len(d.records)-1].effect == effectAny {
		return nil
	}
	r := &d.records[len(d.records)-1]
	r.by = w.cells.at(p).released - 1
	return r
}

// Arrivals is asked by each operation that may have to come to a channel.
//
//go:norace
func (w twins) Arrivals(set bool) bool {
	if w.enter(); set && !w.extra.Receives && w.config.strategy != replay {
		w.wanted.Receives, w.restart = true, true
	}
	return w.extra.Receives
}

// Wake notes that the step under way touches another cell. Which step has made a thread ready
// is known without: see releases.
//
//go:norace
func (w twins) Wake(p unsafe.Pointer) {
	e := w.engine
	e.enter()
	d := &e.dpor
	c := e.cells.at(p)
	c.acts++
	c.woken = len(d.records)
	if d.open && c.number >= 0 { // no other thread depends on a new one
		d.more = append(d.more, c)
		r := &d.records[len(d.records)-1]
		r.more[1]++
		r.woken++
	}
}

//go:norace
func (w twins) Missed() {
	t := w.enter()
	t.count(-1)
	if t.op == ofTwin+prim.Op(drive.OpTryRLock) {
		t.unshare(t.cell)
	}
	d := &w.dpor
	if !d.open {
		return
	}
	switch r := &d.records[len(d.records)-1]; r.effect {
	case effectLock:
		r.effect = effectBusy
	case effectWake:
		r.effect = effectAlone
	case effectAny:
	default:
		r.effect = effectRead
	}
}

func (w twins) Choose(n int) int { return w.choose(n) }

// mostChances is how many sequences of random numbers of a thread are tried, at most. Of the threads that
// another one starts, the first one has as many, and each later one a quarter of those of the one before: a
// loop may start one in each round.
const mostChances = 64

func (w twins) Chance(n int) int {
	if !w.mayDraw(n) {
		return -1
	}
	k := w.choose(n)
	if w.traced {
		w.shows(w.current, opDraws, callers())
		w.engine.Note("", k)
	}
	return k
}

//go:norace
func (w twins) mayDraw(n int) bool {
	t := w.enter()
	if n == 0 {
		w.drew(t)
	}
	if n <= 0 || n > mostChances/t.chances {
		return false
	}
	t.chances *= n
	return true
}

// drew notes where a random number is drawn of which others are not tried.
//
//go:norace
func (e *engine) drew(t *thread) {
	if t.told++; t.told > mostChances { // a loop, in which others were told
		return
	}
	var calls [16]uintptr
	hide()
	runtime.Callers(3, calls[:])
	unhide()
	e.drawn.note(calls)
}

//go:norace
func (w twins) Random() uint64 {
	t := w.enter()
	w.drew(t)
	t.draws++
	return mix(t.id + mix(t.draws))
}

//go:norace
func (w twins) Again(value int64) (times, idle int) {
	t := w.enter()
	return t.been.again(value, t.acts)
}

//go:norace
func (w twins) Rounds() int { return w.config.rounds }

//go:norace
func (w twins) Still(set bool) bool {
	w.timed = true
	w.still = w.still || set
	return w.still
}

func (w twins) Go(f func()) {
	name := nameOf(f)
	if w.traced {
		if p := origin(callers()); p.line > 0 {
			name = p.String()
		} else if p := whereIs(f); p.line > 0 { // what a timer or the end of a context calls
			name = p.String()
		} else {
			name = "deadline" // of a context
		}
	}
	w.again()
	w.start(name, f, false, false)
}

// again has the thread that is about to be started come after others, if many were started before,
// and some of them here: a loop that starts one in each round could go round forever. A round has an
// operation that may wait for others: a loop without one has started all before any other thread takes a
// step, whenever those come.
//
//go:norace
func (w twins) again() {
	t := w.enter()
	rounds := max(w.config.rounds, 1)
	free := 4 * rounds
	if w.shorter {
		free = rounds
	}
	if w.late = nil; t.children < uint64(free) {
		return
	}
	p, first := t.been.here()
	if !first && (p.acts != t.turns || w.shorter) {
		p.times++
	}
	if p.acts = t.turns; p.times >= rounds {
		w.late = p
	}
}

//go:norace
func (w twins) Seen() {
	w.enter()
	w.rewritten = true
}

//go:norace
func (w twins) Daemon(f func()) {
	w.start("timer", func() {
		w.daemon()
		f()
	}, false, true)
}

// daemon has nobody see what the thread does when there are but daemons.
//
//go:norace
func (w twins) daemon() { w.enter().expendable = true }

func (w twins) WhenIdle(p unsafe.Pointer, f func()) {
	before := w.traced
	w.trace(false) // it is nothing of the program's
	w.start("the end", func() {
		w.last()
		w.Step(drive.OpIdle, p, nil, w.idle)
		f()
	}, false, true)
	w.trace(before)
}

//go:norace
func (w twins) trace(on bool) { w.traced = on }

// last has the thread come first when all others have ended.
//
//go:norace
func (w twins) last() { w.ender = w.enter() }

// idle reports whether there are but daemons.
//
//go:norace
func (e *engine) idle() bool { return e.live == e.daemons }

//go:norace
func (w twins) Tracing() bool { return w.traced }

//go:norace
func (w twins) Note(values ...any) { w.engine.Note("", values...) }

//go:norace
func (w twins) Name(p unsafe.Pointer, name string) {
	if e := w.engine; e.traced && p != nil {
		e.enter()
		e.cellAt(p).name = name
	}
}

//go:norace
func (w twins) Fail(message string) {
	t := w.enter()
	first, rest, _ := strings.Cut(message, "\n")
	if rest != "" {
		rest = "\n" + rest
	}
	w.fail(Panicked, first+w.here()+rest)
	if name, _, ok := strings.Cut(message, drive.NotControlled); ok {
		w.failure.refused = name
	}
	t.unwind()
}

// OnEnd is called by a twin that has state.
//
//go:norace
func (w twins) OnEnd(f func()) {
	w.enter()
	w.inTurns = true
	w.onEnd = append(w.onEnd, f)
}

func (w twins) TB(t testing.TB) testing.TB {
	if w.inner != nil {
		if n := w.inner.of(t); n != nil {
			return n
		}
	}
	return t
}

// Resumed has the goroutine that calls be that of the thread whose turn it is.
//
//go:norace
func (w twins) Resumed() {
	if t := w.current; t != nil && w.checked {
		t.goroutine = self()
	}
}
