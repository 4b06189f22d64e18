//go:build explore

package explore

import (
	"fmt"
	"math/bits"
	"reflect"
	"runtime"
	"slices"
	"strings"

	"github.com/rouse-go/rouse/api/prim"
	"github.com/rouse-go/rouse/explore/drive"
)

// An event is a line of a trace. Its fields become text at the end, on one
// goroutine: package fmt shares things between goroutines.
type event struct {
	thread   *thread
	op       prim.Op
	cell     *cell
	called   string // what the thread calls the cell
	cellType string
	values   []any
	old      any // the value before a plain write
	child    *thread
	alone    bool // there was no other thread
	marked   bool
	at       []uintptr
	n        int // its number
	// when is how far the thread's clock was, and hb what happens before an access.
	when          int32
	hb            []int32
	reads, writes bool // it is an access: a plain one, or a step that is one, too
}

// What is in traces, and is no operation.
const (
	opRead = ofTwin + prim.Op(drive.OpCount) + iota // plain accesses
	opWrite
	opFails // of a test
	opDraws // a random number
)

// event adds a line for the step of t.
//
//go:norace
func (e *engine) event(t *thread, op prim.Op, child *thread) {
	e.muted = false
	when := t.hb[t.index]
	if child != nil {
		when-- // it is before the child, and has been counted
	}
	e.events = append(e.events, event{thread: t, op: op, cell: t.on, called: t.called, child: child, at: t.at, alone: len(e.threads) == 1, n: len(e.events), when: when})
}

// shows adds a line for what t does, and is no operation.
//
//go:norace
func (e *engine) shows(t *thread, op prim.Op, at []uintptr) {
	e.written(t)
	t.at, t.on = at, nil
	e.event(t, op, nil)
}

// maxAccesses is how many plain accesses are in a trace, at most.
const maxAccesses = 20_000

// mostPending is how many writes of a line wait for what else the line does: a loop may be in one.
const mostPending = 16

// accessed adds a line for a plain access.
//
//go:norace
func (e *engine) accessed(t *thread, c *cell, write bool, at []uintptr) {
	e.muted = len(e.threads) == 1 || e.accesses == maxAccesses
	if n := len(t.writes); n > 0 && (e.muted || n == mostPending || place(e.events[t.writes[0]].at) != place(at)) {
		e.written(t)
	}
	for _, i := range t.writes {
		if e.events[i].changed() {
			e.written(t)
			break
		}
	}
	if e.muted {
		return
	}
	e.accesses++
	op := opRead
	if write {
		op = opWrite
		t.writes = append(t.writes, len(e.events))
	}
	e.events = append(e.events, event{thread: t, op: op, cell: c, called: c.name, at: at, n: len(e.events), when: t.hb[t.index], hb: append([]int32(nil), t.hb...), reads: !write, writes: write})
}

// accessedInStep notes that the step of t is an access, too, and returns where it is.
//
//go:norace
func (e *engine) accessedInStep(t *thread, write bool) (at []uintptr) {
	ev := &e.events[len(e.events)-1]
	ev.reads, ev.writes, ev.hb = !write, write, append([]int32(nil), t.hb...)
	return ev.at
}

// changed reports whether what is written has another value than before. If not, what is read in
// the same line may be read for the write.
func (ev *event) changed() bool {
	if len(ev.values) == 0 {
		return false
	}
	f, ok := ev.values[0].(func() any)
	if !ok {
		return false
	}
	a, b := reflect.ValueOf(ev.old), reflect.ValueOf(f())
	switch {
	case a.IsValid() != b.IsValid() || !a.IsValid() || a.Type() != b.Type():
		return a.IsValid() || b.IsValid()
	case a.Kind() == reflect.Slice:
		return a.Pointer() != b.Pointer() || a.Len() != b.Len()
	}
	return a.Comparable() && b.Comparable() && !a.Equal(b)
}

// written completes plain writes of t, when it comes to something else: then they have taken
// place. What was read for them comes before them: the other way round, as it is called, would
// be hard to read.
//
//go:norace
func (e *engine) written(t *thread) {
	for k, i := range t.writes {
		i -= k
		ev := e.events[i]
		for j, v := range ev.values {
			if f, ok := v.(func() any); ok {
				ev.values[j] = f()
			}
		}
		for ; i < len(e.events)-1; i++ {
			e.events[i] = e.events[i+1]
		}
		e.events[i] = ev
	}
	t.writes = t.writes[:0]
}

// Note completes the last line.
//
//go:norace
func (e *engine) Note(cellType string, values ...any) {
	if n := len(e.events) - 1; n >= 0 && !e.muted {
		ev := &e.events[n]
		ev.cellType, ev.values = cellType, values
		if len(values) == 1 {
			if f, ok := values[0].(func() any); ok {
				ev.old = f()
			}
		}
	}
}

// callers returns where the caller of the explorer is.
//
//go:norace
func callers() []uintptr {
	pcs := make([]uintptr, 24)
	return pcs[:runtime.Callers(3, pcs)]
}

// lines returns the operations of the last execution: without those before there was a second
// thread, and with what is repeated forever once.
func (e *engine) lines() []Step {
	for _, t := range e.threads {
		e.written(t)
	}
	n := e.namer()
	events := slices.DeleteFunc(slices.Clone(e.events), n.ofOneThread)
	var steps []Step
	add := func(t *thread, what string, at []uintptr, on *cell, marked bool) *Step {
		p := t.where(at)
		steps = append(steps, Step{Thread: t.index, What: what, Place: p.String(), Marked: marked, file: p.file, line: p.line, on: n.number(on)})
		return &steps[len(steps)-1]
	}
	alone := 0
	for alone < len(events) && events[alone].alone && events[alone].child == nil {
		alone++
	}
	if alone == len(events) {
		alone = 0
	}
	if alone > 0 {
		steps = append(steps, remark("(%s before there was another thread)", plural(alone, "operation")))
	}
	whats := make([]string, len(events)) // also of those that are not shown: pointers have numbers
	for i := range events {
		whats[i] = n.what(&events[i])
	}
	for i := alone; i < len(events); {
		period, times := repeated(events[i:])
		if times > 0 {
			steps = append(steps, remark("(what follows, %s, is repeated %d times)", plural(period, "operation"), times))
		}
		for k := range period {
			ev := &events[i+k]
			add(ev.thread, whats[i+k], ev.at, ev.cell, ev.marked).before = e.beforeRace(ev)
		}
		i += period * max(times, 1)
	}
	if e.failure != nil {
		switch e.failure.Kind {
		case Deadlock:
			for _, t := range e.threads {
				if t.blocked {
					add(t, "blocked: "+n.waits(t), t.at, t.on, true)
				}
			}
		case Panicked:
			if t := e.failedBy; t != nil {
				first, _, _ := strings.Cut(e.failedWith, "\n")
				step := add(t, "panics: "+first, e.failedAt, nil, true)
				if _, own := failing(e.failedAt); own.line > 0 {
					step.Place, step.file, step.line = own.String(), own.file, own.line
				}
			}
		}
	}
	return steps
}

// beforeRace returns which accesses of a data race the event is, or happens before.
func (e *engine) beforeRace(ev *event) (which string) {
	for i, r := range e.racing {
		switch {
		case r.thread == nil:
		case r.thread == ev.thread && ev.n <= r.n, r.thread != ev.thread && r.hb[ev.thread.index] >= ev.when:
			which += "AB"[i : i+1]
		}
	}
	return which
}

// maxPeriod is how many operations are taken for what is repeated, at most, and leastTimes how often
// it is, at least.
const (
	maxPeriod  = 400
	leastTimes = 10
)

// same reports whether the two are the same operation, at the same place.
func (ev *event) same(o *event) bool {
	return ev.thread == o.thread && ev.op == o.op && ev.cell == o.cell && ev.child == o.child && !ev.marked && !o.marked && slices.Equal(ev.at, o.at)
}

// repeated returns with how many events they begin that are the same ones over and over, and how often
// that is; or 1 and 0.
func repeated(events []event) (period, times int) {
	for period = 1; leastTimes*period <= len(events) && period <= maxPeriod; period++ {
		n := period
		for n < len(events) && events[n].same(&events[n-period]) {
			n++
		}
		if n >= leastTimes*period {
			return period, n / period
		}
	}
	return 1, 0
}

// label is how the thread is called in traces.
func (t *thread) label() string { return fmt.Sprintf("%d %s", t.index, short(t.name)) }

func short(name string) string { return name[strings.LastIndexByte(name, '/')+1:] }

// labels returns how all threads are called, each with those that it has followed.
func (e *engine) labels() (all []string) {
	for _, t := range e.threads {
		var names []string
		for _, name := range t.names {
			if name = short(name); !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
		all = append(all, fmt.Sprintf("%d %s", t.index, strings.Join(names, ", ")))
	}
	return all
}

// here says where the program is, in a run with a trace.
//
//go:norace
func (e *engine) here() string {
	if e.traced {
		if p := place(callers()); p.line > 0 {
			return " at " + p.String()
		}
	}
	return ""
}

// explain completes the failure of an execution by what is known at its end.
func (e *engine) explain() {
	f := e.failure
	if f == nil {
		return
	}
	switch f.Kind {
	case Deadlock:
		f.Message = e.blocked()
	case Raced:
		f.Message = e.raced()
	case Foreign:
		f.Message = e.foreign(withoutOurs(f.Message))
	case Panicked:
		f.Message = e.panics()
	case Livelock:
		f.Message = fmt.Sprintf("an execution took more than %d operations: %s", e.config.maxSteps, e.goesRound())
		f.Message += e.remains()
	}
}

// goesRound says what threads do in an execution that is too long.
func (e *engine) goesRound() string {
	period := 1
	for n := len(e.events); ; period++ {
		if period > maxPeriod || leastTimes*period > n {
			return "it does not repeat itself. Either MaxSteps is too low, or the test does not end"
		}
		i := n - 1
		for i >= period && e.events[i].same(&e.events[i-period]) {
			i--
		}
		if n-1-i >= (leastTimes-1)*period {
			break
		}
	}
	round := uint64(0)
	for _, ev := range e.events[len(e.events)-period:] {
		round |= ev.thread.bit()
	}
	var names []string
	for _, t := range e.threads {
		if round&t.bit() != 0 {
			names = append(names, t.label())
		}
	}
	text := strings.Join(names, " and ") + " went round, and no other thread could go on. Either the loop has no end, or it has more rounds than MaxSteps allows"
	if others := e.able &^ round; others != 0 {
		text = strings.Join(names, " and ") + " went round, and kept " + e.threads[bits.TrailingZeros64(others)].label() + " from going on. " +
			"Either MaxSteps is too low, or the loop waits for another thread and does not give way; runtime.Gosched gives way"
	}
	return text
}

// remains says what has no end when the test has returned.
func (e *engine) remains() string {
	var names []string
	for _, t := range e.threads {
		if t.pending && !t.daemon {
			names = append(names, t.begins())
		}
	}
	if e.threads[0].pending || names == nil {
		return ""
	}
	return "\n\tthe " + e.threads[0].name + " has returned without ending all that it started; what still runs begins at " + strings.Join(names, ", ")
}

// blocked says where threads that have not ended are.
func (e *engine) blocked() string {
	n := e.namer()
	var lines []string
	for _, t := range e.threads {
		if !t.blocked {
			continue
		}
		line := t.label() + ": " + n.waits(t)
		if p := t.where(t.at); e.traced && p.line > 0 {
			line += " at " + p.String()
		}
		line += n.holders(t)
		lines = append(lines, line)
	}
	what := "all threads are blocked:"
	if len(e.threads) > 0 && !e.threads[0].blocked {
		what = "the " + e.threads[0].name + " has returned, and what it started is blocked forever:"
	}
	return what + "\n\t" + strings.Join(lines, "\n\t")
}

// panics says what a thread has panicked with, and where it was.
func (e *engine) panics() string {
	message := e.failedWith
	if e.failedBy != nil {
		message = e.failedBy.label() + ": " + message
	}
	frames, _ := failing(e.failedAt)
	for _, f := range frames {
		message += fmt.Sprintf("\n\t%s  %s", site{f.File, f.Line}, f.Function[strings.LastIndexByte(f.Function, '/')+1:])
	}
	return message
}

// failing returns the frames of a panic without those of the explorer, and of what a twin of it has
// called, and which line is the innermost one that is not the standard library's.
func failing(at []uintptr) (all []runtime.Frame, own site) {
	frames := runtime.CallersFrames(at)
	for {
		f, more := frames.Next()
		switch {
		case f.Function == "":
		case !ours(f):
			all = append(all, f)
			if own.line == 0 && !inLibrary(f.File) {
				own = site{f.File, f.Line}
			}
		case own.line == 0 && inTwin(f.File):
			all = all[:0]
		}
		if !more {
			return all, own
		}
	}
}

// deadlock records that all threads are blocked.
//
//go:norace
func (e *engine) deadlock() {
	for _, t := range e.threads {
		t.blocked = !t.ended && !t.daemon
	}
	e.strangers.proceed(e)
	if e.inner == nil || !e.inner.skipped {
		e.fail(Deadlock, "")
	}
	e.leave()
}
