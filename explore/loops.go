//go:build explore

package explore

import (
	"math/bits"
	"runtime"
	"slices"
	"strings"

	"github.com/rouse-go/rouse/explore/drive"
)

// A loop in which a thread gives way, waits for time, or reads the same, could go round and round
// before another thread takes a step. So a thread comes to such a place at any moment a few times, and
// after that only when no other thread can go on: see REDUCTION.md. What that leaves out is told.

// A visit is to a place in the program, by the calls that led there.
type visit struct {
	calls       [16]uintptr
	value       int64
	acts        int // of the thread, by then
	times, idle int
	rounds      int // whatever was found, in a long execution
}

// visits are those of a thread, and the number of the last one's place from 1.
type visits struct {
	all  []visit
	last int
}

//go:norace
func (v *visits) reset() { v.all, v.last = v.all[:0], 0 }

// here returns the place at which the caller's caller's caller is, and whether it is a new one.
//
//go:norace
func (v *visits) here() (p *visit, first bool) {
	var calls [16]uintptr
	hide()
	runtime.Callers(4, calls[:])
	unhide()
	for i := range v.all {
		if v.all[i].calls == calls {
			v.last = i + 1
			return &v.all[i], false
		}
	}
	v.all = append(v.all, visit{calls: calls})
	v.last = len(v.all)
	return &v.all[v.last-1], true
}

// again is [drive.Again] for a thread that has performed so many operations that do something.
//
//go:norace
func (v *visits) again(value int64, acts int) (times, idle int) {
	p, first := v.here()
	if first {
		p.value, p.acts = value, acts
	} else {
		p.finds(value, acts)
	}
	return p.times, p.idle
}

// finds notes what was found at a place.
//
//go:norace
func (p *visit) finds(value int64, acts int) {
	if p.value != value {
		*p = visit{calls: p.calls, value: value, acts: acts, rounds: p.rounds}
		return
	}
	p.times++
	if p.idle++; p.acts != acts {
		p.acts, p.idle = acts, 0
	}
}

// reading is of how many operations in turn, which do but read, or find the same again, a thread is
// taken to go round, perhaps.
const reading = 3

// comesTo returns the place at which a thread is about to perform an operation, if it may go round
// there, or nil. It is patient if it has come here before and one of these is so:
//
//   - it has found the same each time, and has but read in between;
//   - it has found the same each time: that a select has no case but the default, or a lock is not free.
//     Of what only reads, four times as many are free: most loops that read have another purpose;
//   - the execution is long.
//
// That is all its own doing, so it is the same in all schedules of an order.
//
//go:norace
func (e *engine) comesTo(t *thread, op drive.Op, c *cell, waits bool) *visit {
	if e.sole || op == drive.OpNow {
		return nil
	}
	rounds := max(e.config.rounds, 1)
	t.operations++
	isLong := t.operations > e.config.longAfter*rounds
	looks := !waits && (c != nil || len(t.more) > 0)
	if looks {
		if t.read++; t.done() != t.then {
			t.then, t.read = t.done(), 0
		}
		looks = t.read >= reading || t.same >= reading && (op.Reads() || mayFail(op))
	}
	if !looks && !isLong {
		return nil
	}
	p, _ := t.been.here()
	if isLong {
		p.rounds++
		t.patient = p.rounds > rounds
	}
	if !looks {
		return nil
	}
	most := rounds
	if op.Reads() {
		most *= 4
	}
	t.patient = t.patient || p.idle >= rounds && p.acts == t.done() || p.times >= most
	return p
}

// inTurn returns those of the threads, all of them patient, that come next: all that have had no patient step, if
// loops are not shorter, or one by chance, which is fair in the long run. In all schedules of an order they are the same.
//
//go:norace
func (e *engine) inTurn(threads uint64) uint64 {
	if s := e.config.strategy; e.config.rounds == 0 || s == randomly || s == pct {
		return threads
	}
	var first, next, highest uint64
	for s := threads; s != 0; s &= s - 1 {
		t := e.threads[bits.TrailingZeros64(s)]
		if t.patientAt == 0 && !e.shorter {
			first |= t.bit()
		}
		if h := mix(t.id ^ mix(e.turns)); h >= highest {
			highest, next = h, t.bit()
		}
	}
	if first != 0 {
		return first
	}
	return next
}

// mayFail reports whether the operation may find that it cannot do what it is for.
//
//go:norace
func mayFail(op drive.Op) bool {
	switch op {
	case drive.OpSelect, drive.OpTryLock, drive.OpTryRLock, drive.OpTryWLock, drive.OpCompareAndSwap:
		return true
	}
	return false
}

// done is how many operations of the thread have done more than to read.
//
//go:norace
func (t *thread) done() int { return t.acts + t.yields }

// found notes what the operation has found, at the place if that is one.
//
//go:norace
func (t *thread) found(op drive.Op, p *visit, done int) {
	if p == nil && !op.Reads() && !mayFail(op) {
		return
	}
	found := uint64(0)
	if t.cell != nil {
		found = t.cell.found(found)
	}
	for _, c := range t.touched {
		found = c.found(found)
	}
	if t.same++; found != t.finding {
		t.finding, t.same = found, 0
	}
	if p != nil {
		p.finds(int64(found), done)
	}
}

// found returns another number, of the same others, if a step has changed the cell.
//
//go:norace
func (c *cell) found(others uint64) uint64 {
	return mix(others ^ uint64(c.number)<<32 ^ uint64(c.acts))
}

// places are in the program, by the calls that led there.
type places struct {
	all  [][16]uintptr
	told []string // by other processes
}

//go:norace
func (p *places) note(calls [16]uintptr) {
	for _, q := range p.all {
		if q == calls {
			return
		}
	}
	p.all = append(p.all, calls)
}

// where lists the places, each as one that at returns.
func (p *places) where(at func(calls []uintptr) site) []string {
	all := slices.Clone(p.told)
	for _, calls := range p.all {
		n := slices.Index(calls[:], 0)
		if n < 0 {
			n = len(calls)
		}
		if s := at(calls[:n]); s.line > 0 {
			all = append(all, s.String())
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// holdups are where threads were held up though they could go on, in the executions of a search.
type holdups struct {
	any   bool
	timer bool
	places
}

// hold notes that these threads, which have given way, were not tried.
//
//go:norace
func (e *engine) hold(threads uint64) {
	h := &e.held
	for ; threads != 0; threads &= threads - 1 {
		t := e.threads[bits.TrailingZeros64(threads)]
		if t.noted || e.still && t.waitsForTime() {
			continue
		}
		t.noted, h.any = true, true
		if t.daemon {
			h.timer = true
		}
		if t.been.last == 0 {
			continue
		}
		h.note(t.been.all[t.been.last-1].calls)
	}
}

// where lists the places.
func (h *holdups) where() []string {
	all := h.places.where(place)
	if h.timer {
		all = append(all, "a timer")
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// exhausted says that all schedules were run, up to where threads were held up.
func (e *engine) exhausted() {
	if e.report.Exhausted = e.long.n == 0; !e.report.Exhausted || !e.held.any {
		return
	}
	if e.report.UpTo = plural(e.config.rounds, "round") + " of loops"; !e.shorter {
		e.report.UpTo += " that wait"
	}
	if where := e.held.where(); len(where) > 0 {
		e.report.UpTo += ": " + strings.Join(where, ", ")
	}
}
