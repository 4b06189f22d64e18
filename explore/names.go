//go:build explore

package explore

import (
	"fmt"
	"path"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unsafe"

	"github.com/rouse-go/rouse/api/prim"
	"github.com/rouse-go/rouse/explore/drive"
)

// A declared is a part of memory whose type is known.
type declared struct {
	p    unsafe.Pointer
	elem reflect.Type
	n    int
}

// Declare is called by [prim.Declare].
//
//go:norace
func (e *engine) Declare(p unsafe.Pointer, elem reflect.Type, n int) {
	if e.traced {
		e.declared = append(e.declared, declared{p, elem, n})
	}
}

// A variable is what is at a cell: the whole of a primitive, or its first field, which plain accesses are to.
type variable struct {
	cell  *cell
	plain bool
}

// A namer gives variables their names. If several of an execution have the same one, they have
// numbers besides.
type namer struct {
	e        *engine
	names    map[variable]string
	shared   map[*cell]bool // by accesses
	pointers map[uintptr]int
	numbers  map[*cell]int // from 1
}

func (e *engine) namer() *namer {
	n := &namer{e: e, names: make(map[variable]string), shared: make(map[*cell]bool), numbers: make(map[*cell]int), pointers: make(map[uintptr]int)}
	type named struct {
		name  string
		plain bool // the variable, and not what it points to
	}
	count := make(map[named][]*cell)
	see := func(op prim.Op, c *cell, called, cellType string) {
		v := variable{c, isPlain(op)}
		// Of twins, all that a reader would know is called something.
		if c == nil || n.names[v] != "" || op >= ofTwin && called == "" {
			return
		}
		n.names[v] = e.declaredName(c, called, cellType)
		k := named{n.names[v], v.plain}
		count[k] = append(count[k], c)
	}
	type user struct {
		thread *thread
		write  bool
	}
	users := make(map[*cell]user)
	for i := range e.events {
		ev := &e.events[i]
		see(ev.op, ev.cell, ev.called, ev.cellType)
		if ev.reads || ev.writes {
			u, ok := users[ev.cell]
			if ok && u.thread != ev.thread {
				u.thread = nil
			} else if !ok {
				u.thread = ev.thread
			}
			u.write = u.write || ev.writes
			users[ev.cell] = u
			n.shared[ev.cell] = u.thread == nil && u.write
		}
	}
	for _, t := range e.threads {
		if t.blocked {
			see(t.op, t.on, t.called, "")
		}
	}
	for k, cells := range count {
		for i, c := range cells {
			if len(cells) > 1 {
				n.names[variable{c, k.plain}] = fmt.Sprintf("%s#%d", k.name, i+1)
			}
		}
	}
	return n
}

// number is that of a cell, for pages, or 0 for none.
func (n *namer) number(c *cell) int {
	if c == nil {
		return 0
	}
	if n.numbers[c] == 0 {
		n.numbers[c] = len(n.numbers) + 1
	}
	return n.numbers[c]
}

func isPlain(op prim.Op) bool { return op == opRead || op == opWrite }

// ofOneThread reports whether the event is a plain access of what no other thread has changed.
func (n *namer) ofOneThread(ev event) bool {
	return isPlain(ev.op) && !ev.marked && !n.shared[ev.cell]
}

// name is what a variable is called, where a thread calls it so.
func (n *namer) name(v variable, called, cellType string) string {
	c, name := v.cell, n.names[v]
	if name == "" {
		name = n.e.declaredName(c, called, cellType)
	}
	if base, _, _ := strings.Cut(name, "#"); called != "" && called != base && c.name != "" {
		return called + " (" + name + ")"
	}
	return name
}

// declaredName is what a cell is called: as in the source code if that is known, or by a number.
func (e *engine) declaredName(c *cell, called, cellType string) string {
	if called != "" {
		return called
	}
	at := uintptr(c.address)
	// Parts are declared after the whole.
	for i := len(e.declared) - 1; i >= 0; i-- {
		d := e.declared[i]
		begin, size := uintptr(d.p), d.elem.Size()
		if at < begin || size == 0 || at >= begin+size*uintptr(d.n) {
			continue
		}
		name, offset := typeName(d.elem), at-begin
		if d.n > 1 {
			name += fmt.Sprintf("[%d]", offset/size)
		}
		return name + field(d.elem, offset%size)
	}
	return fmt.Sprintf("%s#%d", cellType, c.number)
}

// typeName is short, and without type arguments.
func typeName(t reflect.Type) string {
	name, _, _ := strings.Cut(t.Name(), "[")
	if name == "" || primitive(t) {
		return path.Base(t.PkgPath())
	}
	return name
}

func primitive(t reflect.Type) bool {
	p := t.PkgPath()
	return strings.HasSuffix(p, "/api/prim") || p == "sync/atomic" || p == "sync"
}

// field is the path to what lies at an offset in a value of type t.
func field(t reflect.Type, offset uintptr) string {
	switch {
	case primitive(t):
		return ""
	case t.Kind() == reflect.Array && t.Elem().Size() > 0:
		return fmt.Sprintf("[%d]", offset/t.Elem().Size()) + field(t.Elem(), offset%t.Elem().Size())
	case t.Kind() == reflect.Struct:
		for i := t.NumField() - 1; i >= 0; i-- {
			if f := t.Field(i); f.Offset <= offset && f.Type.Size() > 0 {
				return "." + f.Name + field(f.Type, offset-f.Offset)
			}
		}
	}
	return ""
}

// what says what an event is.
func (n *namer) what(ev *event) string {
	if ev.child != nil {
		return fmt.Sprintf("go %d", ev.child.index)
	}
	var b strings.Builder
	on := ev.cell
	if ev.op == ofTwin+prim.Op(drive.OpSelectReturn) {
		on = nil // which case it was is said
	}
	operation := n.operation(ev.op, on, ev.called, ev.cellType)
	if len(ev.values) == 1 {
		if entry, ok := ev.values[0].(drive.Entry); ok {
			return n.entry(operation, entry, ev.op == opWrite)
		}
	}
	b.WriteString(operation)
	var v []string
	for _, x := range ev.values {
		v = append(v, n.show(x))
	}
	switch {
	case ev.op == prim.OpCompareAndSwap && len(v) == 3 && ev.values[2] == false:
		fmt.Fprintf(&b, " %s → %s fails", v[0], v[1])
	case ev.op == prim.OpCompareAndSwap && len(v) == 3:
		fmt.Fprintf(&b, " %s → %s", v[0], v[1])
	case ev.op == prim.OpSwap && len(v) == 2:
		fmt.Fprintf(&b, " ← %s, was %s", v[0], v[1])
	case ev.op == ofTwin+prim.Op(drive.OpGroupDone) && len(v) == 2:
		fmt.Fprintf(&b, " = %s", v[1])
	case (ev.op == prim.OpAdd || ev.op == prim.OpGroupAdd) && len(v) == 2:
		fmt.Fprintf(&b, " %s = %s", signed(v[0]), v[1])
	case len(v) == 2 && isText(ev.values[0]): // of a select
		equals := "="
		if strings.HasPrefix(v[0], "send ") {
			equals = "←"
		}
		return fmt.Sprintf("%s: %s %s %s", b.String(), v[0], equals, v[1])
	case len(v) == 2:
		fmt.Fprintf(&b, " %s, was %s", v[0], v[1])
	case len(v) == 1 && isText(ev.values[0]):
		fmt.Fprintf(&b, ": %s", v[0])
	case len(v) == 1 && writes(ev.op):
		fmt.Fprintf(&b, " ← %s", v[0])
	case len(v) == 1:
		fmt.Fprintf(&b, " = %s", v[0])
	case len(v) > 0:
		fmt.Fprintf(&b, " %s", strings.Join(v, ", "))
	}
	return b.String()
}

// entry completes what is said of a map.
func (n *namer) entry(operation string, e drive.Entry, write bool) string {
	operation = strings.Replace(operation, "[]", "["+n.show(e.Key)+"]", 1)
	switch {
	case !e.There && write:
		return operation + ": deleted"
	case !e.There:
		return operation + ": none"
	case write:
		return operation + " ← " + n.show(e.Value)
	}
	return operation + " = " + n.show(e.Value)
}

// signed is a number that is added.
func signed(s string) string {
	if strings.HasPrefix(s, "-") {
		return s
	}
	return "+" + s
}

func isText(x any) bool {
	_, ok := x.(drive.Text)
	return ok
}

func writes(op prim.Op) bool {
	return op == prim.OpStore || op == opWrite || op == ofTwin+prim.Op(drive.OpSend)
}

// operation is the operation and what it is on.
func (n *namer) operation(op prim.Op, c *cell, called, cellType string) string {
	s := nameOfOp(op)
	base, returns := strings.CutSuffix(s, " returns")
	if c != nil && (op < ofTwin || called != "") {
		base += " " + n.name(variable{c, isPlain(op)}, called, cellType)
	}
	if returns {
		return base + " goes on"
	}
	return base
}

// waits says what the thread, which is blocked, waits for.
func (n *namer) waits(t *thread) string {
	return strings.TrimSuffix(n.operation(t.op, t.on, t.called, ""), " goes on")
}

// lockHolders are the threads that hold a lock, as far as the trace shows. The function of a Once is one.
type lockHolders struct {
	writer  *thread // has it, or waits until the readers have left
	readers []*thread
	queue   []*thread // come to read, behind the writer
}

// after is what becomes of it by an operation.
func (h *lockHolders) after(ev *event) {
	t, got := ev.thread, len(ev.values) == 1 && ev.values[0] == true
	switch ev.op {
	case prim.OpLock, ofTwin + prim.Op(drive.OpWLock):
		h.writer = t
	case prim.OpTryLock, ofTwin + prim.Op(drive.OpTryWLock):
		if got {
			h.writer = t
		}
	case ofTwin + prim.Op(drive.OpRLock):
		if h.writer != nil {
			h.queue = append(h.queue, t)
		} else {
			h.readers = append(h.readers, t)
		}
	case ofTwin + prim.Op(drive.OpTryRLock):
		if got {
			h.readers = append(h.readers, t)
		}
	case ofTwin + prim.Op(drive.OpOnce):
		if h.writer == nil {
			h.writer = t
		}
	case prim.OpUnlock, ofTwin + prim.Op(drive.OpWUnlock), ofTwin + prim.Op(drive.OpOnceDone):
		h.writer, h.readers, h.queue = nil, h.queue, nil
	case ofTwin + prim.Op(drive.OpRUnlock):
		i := slices.Index(h.readers, t)
		if i < 0 {
			i = len(h.readers) - 1 // another thread has locked it
		}
		if i >= 0 {
			h.readers = slices.Delete(h.readers, i, i+1)
		}
	}
}

// holders says which threads have the lock that t waits for, or what a group counts, or returns "".
func (n *namer) holders(t *thread) string {
	if t.on == nil {
		return ""
	}
	var h lockHolders
	count := ""
	for i := range n.e.events {
		if ev := &n.e.events[i]; ev.cell == t.on {
			h.after(ev)
			if len(ev.values) == 2 {
				count = fmt.Sprintf(", which counts %v", ev.values[1])
			}
		}
	}
	ended := ""
	name := func(u *thread) string {
		if u == t {
			return strconv.Itoa(u.index) + " itself"
		}
		if !u.pending && !strings.Contains(ended, fmt.Sprintf("; %d ", u.index)) {
			ended += fmt.Sprintf("; %d has ended", u.index)
		}
		return strconv.Itoa(u.index)
	}
	switch {
	case t.op == prim.OpGroupWait, t.op == ofTwin+prim.Op(drive.OpGroupWait):
		return count
	case len(h.readers) == 0 && h.writer == nil:
		return ""
	case len(h.readers) == 0:
		how := ", held by "
		if t.op == ofTwin+prim.Op(drive.OpOnce) {
			how = ", run by "
		}
		return how + name(h.writer) + ended
	}
	var names []string
	for _, u := range h.readers {
		if s := name(u); !slices.Contains(names, s) {
			names = append(names, s)
		}
	}
	text := ", held by " + strings.Join(names, ", ") + " for reading"
	if h.writer != nil && h.writer != t {
		text += ", and " + name(h.writer) + " comes first"
	}
	return text + ended
}
