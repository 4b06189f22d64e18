//go:build explore

package explore

import (
	"fmt"
	"os"
	"strings"
	"unsafe"
)

// What happens before what, by the operations' own order, is kept apart from the clocks of the
// reduction: those have more in them, that a store comes after a load, say.

//go:norace
func (e *engine) inheritHB(t, parent, follows *thread) {
	if len(t.hb) != e.dpor.width {
		t.hb = make([]int32, e.dpor.width)
	}
	when := int32(1)
	if follows != nil {
		when += follows.hb[follows.index]
	}
	for k := range t.hb {
		if parent == nil {
			t.hb[k] = 0
		} else {
			t.hb[k] = parent.hb[k]
		}
	}
	t.hb[t.index] = when
	t.used = when
	if parent != nil {
		parent.hb[parent.index]++
	}
}

//go:norace
func (w twins) Release(p unsafe.Pointer) {
	e := w.engine
	t := e.enter()
	release(p)
	c := e.cells.at(p)
	for len(c.hb) < len(t.hb) {
		c.hb = append(c.hb, 0)
	}
	join(c.hb, t.hb)
	c.released = len(e.dpor.records)
	t.hb[t.index]++
}

//go:norace
func (w twins) Acquire(p unsafe.Pointer) {
	e := w.engine
	t := e.enter()
	acquire(p)
	if c := e.cells.at(p); len(c.hb) > 0 {
		join(t.hb, c.hb)
	}
}

// An access is a plain one, to some bytes of a word.
type access struct {
	thread int
	id     uint64 // of the thread, which another one may follow under its number
	when   int32
	bytes  uint8 // a bit each
	write  bool
	atomic bool
	at     []uintptr // if traced
}

//go:norace
func (w twins) Access(p unsafe.Pointer, size uintptr, write bool) {
	t := w.enter()
	t.used = t.hb[t.index]
	a := access{write: write}
	if w.traced {
		a.at = callers()
		w.accessed(t, w.cells.at(p), write, a.at)
	}
	w.bytes(t, p, size, a)
}

//go:norace
func (w twins) AccessInStep(p unsafe.Pointer, size uintptr, write, atomic bool) {
	t := w.enter()
	a := access{write: write, atomic: atomic}
	if w.traced {
		a.at = w.accessedInStep(t, write)
	}
	w.bytes(t, p, size, a)
}

// bytes is an access to each word of some bytes.
//
//go:norace
//go:nocheckptr
func (e *engine) bytes(t *thread, p unsafe.Pointer, size uintptr, a access) {
	a.thread, a.id, a.when = t.index, t.id, t.hb[t.index]
	begin, end := uintptr(p), uintptr(p)+size
	for word := begin &^ 7; word < end; word += 8 {
		a.bytes = 0xff
		if word < begin {
			a.bytes &= 0xff << (begin - word)
		}
		if word+8 > end {
			a.bytes &= 0xff >> (word + 8 - end)
		}
		// The address of a word may lie before the variable, but not before its object.
		c := e.cells.at(unsafe.Add(p, int(word)-int(begin)))
		e.access(t, c, p, a)
	}
}

//go:norace
func (e *engine) access(t *thread, c *cell, p unsafe.Pointer, a access) {
	n := 0
	for _, b := range c.plain {
		if b.bytes&a.bytes != 0 && b.thread != a.thread && (a.write || b.write) && !(a.atomic && b.atomic) && t.hb[b.thread] < b.when {
			if e.oracle != nil {
				e.oracle.race(b, a)
				c.plain[n] = b
				n++
				continue
			}
			e.races = [2]access{b, a}
			e.raceOn = e.cells.at(p)
			e.fail(Raced, "")
			t.unwind()
		}
		// One that a later one stands for is not needed.
		if e.oracle == nil && b.bytes&^a.bytes == 0 && (b.thread == a.thread || t.hb[b.thread] >= b.when) && (a.write || !b.write) && (b.atomic || !a.atomic) {
			continue
		}
		c.plain[n] = b
		n++
	}
	c.plain = append(c.plain[:n], a)
}

// raced says which accesses are a race.
func (e *engine) raced() string {
	n := e.namer()
	access := func(i int) string {
		a := e.races[i]
		what := "read"
		if a.write {
			what = "written"
		}
		for k := len(e.events) - 1; k >= 0; k-- {
			if ev := &e.events[k]; len(ev.at) > 0 && len(a.at) > 0 && &ev.at[0] == &a.at[0] {
				ev.marked = true
				e.racing[i] = *ev
				break
			}
		}
		t := e.threads[a.thread]
		return fmt.Sprintf("%s by thread %d at %s", what, t.index, t.where(a.at))
	}
	name := n.name(variable{e.raceOn, true}, e.raceOn.name, "")
	if e.raceOn.name == "" {
		name = "a variable"
	} else if strings.Contains(name, "[]") {
		name = "the map " + strings.ReplaceAll(name, "[]", "")
	}
	text := fmt.Sprintf("%s is %s,\n\tand %s; nothing orders the two", name, access(0), access(1))
	if others := os.Getenv(othersVariable); others != "" {
		text += ",\n\tunless code of " + others + " does, which is not rewritten: the flag -with names modules to rewrite"
	}
	return text
}
