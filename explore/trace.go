//go:build explore

package explore

import (
	"fmt"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"

	"github.com/rouse-go/rouse/api/prim"
)

// An event is a line of a trace. Its fields become text at the end, on one
// goroutine: package fmt shares things between goroutines.
type event struct {
	thread   *thread
	op       prim.Op
	cell     int // its number, or negative
	cellType string
	values   []any
	child    *thread
	at       []uintptr
}

// event adds a line for the step of t.
//
//go:norace
func (e *engine) event(t *thread, op prim.Op, c *cell, child *thread) {
	ev := event{thread: t, op: op, cell: -1, child: child, at: t.at}
	if c != nil {
		ev.cell = c.number
	}
	e.events = append(e.events, ev)
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

// maxTrace is how many lines of a trace are shown.
const maxTrace = 400

// trace returns the operations of the last execution, a line each.
func (e *engine) trace() string {
	var b strings.Builder
	skipped := max(0, len(e.events)-maxTrace)
	if skipped > 0 {
		fmt.Fprintf(&b, "(%d operations not shown)\n", skipped)
	}
	width := 0
	for _, t := range e.threads {
		width = max(width, len(t.label()))
	}
	pointers := make(map[any]int)
	last := -1
	for _, ev := range e.events[skipped:] {
		label := ""
		if ev.thread.index != last {
			label = ev.thread.label() // named where its turn begins
			last = ev.thread.index
		}
		what := ev.what(pointers)
		fmt.Fprintf(&b, "%-*s  %-44s  %s\n", width, label, what, place(ev.at))
	}
	return b.String()
}

// label is how the thread is called in traces.
func (t *thread) label() string {
	name := t.name
	if i := strings.LastIndexByte(name, '/'); i >= 0 {
		name = name[i+1:]
	}
	return fmt.Sprintf("%d %s", t.index, name)
}

func (ev *event) what(pointers map[any]int) string {
	if ev.child != nil {
		return fmt.Sprintf("%v %s", ev.op, ev.child.label())
	}
	var b strings.Builder
	b.WriteString(ev.op.String())
	if ev.cell >= 0 {
		fmt.Fprintf(&b, " %s#%d", ev.cellType, ev.cell)
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

// place returns the source line that called a primitive.
func place(at []uintptr) string {
	frames := runtime.CallersFrames(at)
	for {
		f, more := frames.Next()
		if f.Function != "" && !strings.Contains(f.Function, "/api/prim.") && !strings.Contains(f.Function, "/explore.(*engine).") && !strings.Contains(f.Function, "/explore.(*Exec).") {
			dir, file := filepath.Split(f.File)
			return fmt.Sprintf("%s/%s:%d", filepath.Base(dir), file, f.Line)
		}
		if !more {
			return ""
		}
	}
}

// blocked says where threads that have not ended are.
func (e *engine) blocked() string {
	var lines []string
	for _, t := range e.threads {
		if !t.blocked {
			continue
		}
		line := fmt.Sprintf("%s: %v", t.label(), t.op)
		if t.cell != nil {
			line += fmt.Sprintf(" #%d", t.cell.number)
		}
		if p := place(t.at); e.traced && p != "" {
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
