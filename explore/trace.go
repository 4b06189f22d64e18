//go:build explore

package explore

import (
	"fmt"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/rouse-go/rouse/api/prim"
)

// An event is a line of a trace. Its fields become text at the end, on one
// goroutine: package fmt shares things between goroutines.
type event struct {
	thread   *thread
	op       prim.Op
	cell     *cell
	cellType string
	values   []any
	child    *thread
	alone    bool // there was no other thread
	at       []uintptr
}

// event adds a line for the step of t.
//
//go:norace
func (e *engine) event(t *thread, op prim.Op, c *cell, child *thread) {
	e.events = append(e.events, event{thread: t, op: op, cell: c, child: child, at: t.at, alone: len(e.threads) == 1})
}

// Note completes the last line.
//
//go:norace
func (e *engine) Note(cellType string, values ...any) {
	if n := len(e.events) - 1; n >= 0 {
		e.events[n].cellType, e.events[n].values = cellType, values
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
// thread, and with what is repeated for ever once.
func (e *engine) lines() []Step {
	var steps []Step
	pointers := make(map[any]int)
	events := e.events
	alone := 0
	for alone < len(events) && events[alone].alone && events[alone].child == nil {
		alone++
	}
	from, period := 0, 0
	if e.failure != nil && e.failure.Kind == Livelock {
		from, period = cycle(events)
	}
	for i, ev := range events {
		what := ev.what(e, pointers)
		switch {
		case i == 0 && alone > 0:
			steps = append(steps, Step{What: fmt.Sprintf("(%d operations before there was another thread)", alone)})
			continue
		case i < alone:
			continue
		case period > 0 && i == from:
			steps = append(steps, Step{Thread: ev.thread.index, What: fmt.Sprintf("(what follows, %d operations, is repeated for ever)", period)})
		case period > 0 && i == from+period:
			return steps
		}
		steps = append(steps, Step{Thread: ev.thread.index, What: what, Place: ev.thread.placeOf(ev.at)})
	}
	if n := len(steps) - maxTrace; n > 0 {
		steps = append([]Step{{What: fmt.Sprintf("(%d operations not shown)", n)}}, steps[n:]...)
	}
	return steps
}

// maxTrace is how many lines of a trace are shown.
const maxTrace = 400

// cycle returns where the events begin to be the same ones over and over, and how many those are,
// or 0.
func cycle(events []event) (from, period int) {
	same := func(a, b *event) bool {
		return a.thread == b.thread && a.op == b.op && a.cell == b.cell && a.child == b.child && slices.Equal(a.at, b.at)
	}
	n := len(events)
	for period = 1; 3*period <= n && period <= maxTrace; period++ {
		i := n - 1
		for i >= period && same(&events[i], &events[i-period]) {
			i--
		}
		if n-1-i >= 2*period {
			return i + 1 - period, period
		}
	}
	return 0, 0
}

// widest is how wide a table of threads may be; else they are one below the other.
const widest = 150

// table has a column for each thread.
func table(threads []string, steps []Step) string {
	width := make([]int, len(threads))
	for _, s := range steps {
		width[s.Thread] = max(width[s.Thread], utf8.RuneCountInString(s.What), utf8.RuneCountInString(threads[s.Thread]))
	}
	total := 0
	for _, w := range width {
		total += w + 2
	}
	var b strings.Builder
	if total > widest {
		return list(threads, steps)
	}
	pad := func(s string, w int) {
		if w > 0 {
			b.WriteString(s)
			b.WriteString(strings.Repeat(" ", w+2-utf8.RuneCountInString(s)))
		}
	}
	for i, name := range threads {
		pad(name, width[i])
	}
	b.WriteByte('\n')
	for _, s := range steps {
		for i := range threads {
			if i == s.Thread {
				pad(s.What, width[i])
			} else {
				pad("", width[i])
			}
		}
		b.WriteString(s.Place)
		b.WriteByte('\n')
	}
	lines := strings.Split(b.String(), "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return strings.Join(lines, "\n")
}

// list has a line for each step, and names threads where their turns begin.
func list(threads []string, steps []Step) string {
	var b strings.Builder
	wide := 0
	for _, name := range threads {
		wide = max(wide, utf8.RuneCountInString(name))
	}
	last := -1
	for _, s := range steps {
		label := ""
		if s.Thread != last {
			label = threads[s.Thread]
			last = s.Thread
		}
		fmt.Fprintf(&b, "%-*s  %-44s  %s\n", wide, label, s.What, s.Place)
	}
	return b.String()
}

// labels returns how all threads are called.
func (e *engine) labels() (all []string) {
	for _, t := range e.threads {
		all = append(all, t.label())
	}
	return all
}

// label is how the thread is called in traces.
func (t *thread) label() string {
	name := t.name
	if i := strings.LastIndexByte(name, '/'); i >= 0 {
		name = name[i+1:]
	}
	return fmt.Sprintf("%d %s", t.index, name)
}

func (ev *event) what(e *engine, pointers map[any]int) string {
	if ev.child != nil {
		return nameOfOp(ev.op) + " " + ev.child.label()
	}
	var b strings.Builder
	b.WriteString(nameOfOp(ev.op))
	if ev.cell != nil {
		b.WriteString(" " + e.nameOf(ev.cell, ev.cellType))
	}
	var v []string
	for _, x := range ev.values {
		v = append(v, show(x, pointers))
	}
	switch {
	case ev.op == prim.OpLoad && len(v) == 1:
		fmt.Fprintf(&b, " = %s", v[0])
	case ev.op == prim.OpStore && len(v) == 1:
		fmt.Fprintf(&b, " ← %s", v[0])
	case ev.op == prim.OpSwap && len(v) == 2:
		fmt.Fprintf(&b, " ← %s, was %s", v[0], v[1])
	case ev.op == prim.OpCompareAndSwap && len(v) == 3:
		fmt.Fprintf(&b, " %s → %s: %s", v[0], v[1], v[2])
	case ev.op == prim.OpAdd && len(v) == 2:
		fmt.Fprintf(&b, " %s = %s", v[0], v[1])
	case len(v) == 2:
		fmt.Fprintf(&b, " %s, was %s", v[0], v[1])
	case len(v) > 0:
		fmt.Fprintf(&b, " %s", strings.Join(v, ", "))
	}
	return b.String()
}

// show makes a text of a value: of pointers, which differ from run to run, by
// numbers.
func show(x any, pointers map[any]int) string {
	v := reflect.ValueOf(x)
	switch {
	case !v.IsValid():
		return "nil"
	case v.Kind() != reflect.Pointer:
		if n, ok := x.(uint64); ok && n >= 1<<16 {
			return fmt.Sprintf("%#x", n)
		}
		return fmt.Sprint(x)
	case v.IsNil():
		return "nil"
	}
	n, ok := pointers[x]
	if !ok {
		n = len(pointers) + 1
		pointers[x] = n
	}
	return fmt.Sprintf("p%d", n)
}

// place returns the source line that called a primitive, or "" if none of the frames is of the
// program. Functions of twins are known by their files: the compiler may have put them into
// those that call them.
func place(at []uintptr) string {
	frames := runtime.CallersFrames(at)
	for {
		f, more := frames.Next()
		if f.Function != "" && !ours(f) {
			dir, file := filepath.Split(f.File)
			return fmt.Sprintf("%s/%s:%d", filepath.Base(dir), file, f.Line)
		}
		if !more {
			return ""
		}
	}
}

func ours(f runtime.Frame) bool {
	for _, part := range []string{"/api/prim.", "/explore.(*engine).", "/explore.(*Exec).", "/explore.(*thread).", "/explore.twins.", "/explore.(*inner).", "/explore/drive."} {
		if strings.Contains(f.Function, part) {
			return true
		}
	}
	return strings.Contains(f.File, "/explore/twin/") || strings.HasPrefix(f.Function, "runtime.")
}

// placeOf is place for a step of t, or else where t was started.
func (t *thread) placeOf(at []uintptr) string {
	if p := place(at); p != "" {
		return p
	}
	return place(t.startedAt)
}

// here says where the program is, in a run with a trace.
//
//go:norace
func (e *engine) here() string {
	if e.traced {
		if p := place(callers()); p != "" {
			return " at " + p
		}
	}
	return ""
}

// raced says which accesses are a race.
func (e *engine) raced() string {
	access := func(a access) string {
		what := "read"
		if a.write {
			what = "written"
		}
		return fmt.Sprintf("%s by %s at %s", what, e.threads[a.thread].label(), e.threads[a.thread].placeOf(a.at))
	}
	return fmt.Sprintf("%s is %s,\n\tand %s; nothing orders the two", e.nameOf(e.raceOn, ""), access(e.races[0]), access(e.races[1]))
}

// blocked says where threads that have not ended are.
func (e *engine) blocked() string {
	var lines []string
	for _, t := range e.threads {
		if !t.blocked {
			continue
		}
		line := t.label() + ": " + nameOfOp(t.op)
		if t.cell != nil {
			line += " " + e.nameOf(t.cell, "")
		}
		if p := t.placeOf(t.at); e.traced && p != "" {
			line += " at " + p
		}
		lines = append(lines, line)
	}
	return "all are blocked:\n\t" + strings.Join(lines, "\n\t")
}

// deadlock records that all threads are blocked.
//
//go:norace
func (e *engine) deadlock() {
	for _, t := range e.threads {
		t.blocked = !t.ended && !t.daemon
	}
	e.fail(Deadlock, "")
}
