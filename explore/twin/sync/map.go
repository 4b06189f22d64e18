package sync

import (
	"slices"
	rs "sync"
	"unsafe"

	"github.com/rouse-go/rouse/explore/drive"
)

// A Map has the methods of [sync.Map].
type Map struct {
	mu    rs.Mutex // is never held while another thread may run
	table *table   // nil if nothing was stored since the last Clear
}

// A table has what was stored between two calls of Clear, in the order in which keys came.
type table struct {
	at    map[any]int // the index of a key's item
	items []item
	gone  int    // of the items
	last  number // of an item
}

type item struct {
	key, value any
	number     number
	gone       bool
}

// A number is an item's own: a key that is deleted and stored again has another.
type number int

// do performs f as one step.
func (m *Map) do(op drive.Op, f func(t *table)) {
	if drive.Driven() {
		drive.Step(op, unsafe.Pointer(m))
		drive.Acquire(unsafe.Pointer(m))
		if !op.Reads() {
			drive.Release(unsafe.Pointer(m))
		}
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.table == nil {
		m.table = &table{at: make(map[any]int)}
	}
	f(m.table)
}

func (t *table) get(key any) (any, bool) {
	i, ok := t.at[key]
	if !ok {
		return nil, false
	}
	return t.items[i].value, true
}

func (t *table) set(key, value any) {
	if i, ok := t.at[key]; ok {
		t.items[i].value = value
		return
	}
	t.at[key] = len(t.items)
	t.last++
	t.items = append(t.items, item{key: key, value: value, number: t.last})
}

func (t *table) remove(key any) {
	i, ok := t.at[key]
	if !ok {
		return
	}
	delete(t.at, key)
	t.items[i] = item{gone: true, number: t.items[i].number}
	if t.gone++; t.gone <= len(t.items)/2 {
		return
	}
	t.items, t.gone = slices.DeleteFunc(t.items, func(it item) bool { return it.gone }), 0
	for i, it := range t.items {
		t.at[it.key] = i
	}
}

// after returns the items whose numbers are greater than n.
func (t *table) after(n number) []item {
	i, _ := slices.BinarySearchFunc(t.items, n+1, func(it item, n number) int {
		return int(it.number - n)
	})
	return t.items[i:]
}

func (m *Map) Load(key any) (value any, ok bool) {
	m.do(drive.OpMapRead, func(t *table) { value, ok = t.get(key) })
	return value, ok
}

func (m *Map) Store(key, value any) {
	m.do(drive.OpMapWrite, func(t *table) { t.set(key, value) })
}

func (m *Map) Clear() {
	m.do(drive.OpMapWrite, func(*table) { m.table = nil })
}

func (m *Map) LoadOrStore(key, value any) (actual any, loaded bool) {
	m.do(drive.OpMapWrite, func(t *table) {
		if actual, loaded = t.get(key); !loaded {
			actual = value
			t.set(key, value)
		}
	})
	return actual, loaded
}

func (m *Map) LoadAndDelete(key any) (value any, loaded bool) {
	m.do(drive.OpMapWrite, func(t *table) {
		value, loaded = t.get(key)
		t.remove(key)
	})
	return value, loaded
}

func (m *Map) Delete(key any) { m.LoadAndDelete(key) }

func (m *Map) Swap(key, value any) (previous any, loaded bool) {
	m.do(drive.OpMapWrite, func(t *table) {
		previous, loaded = t.get(key)
		t.set(key, value)
	})
	return previous, loaded
}

func (m *Map) CompareAndSwap(key, old, new any) (swapped bool) {
	m.do(drive.OpMapWrite, func(t *table) {
		if v, ok := t.get(key); ok && v == old {
			t.set(key, new)
			swapped = true
		}
	})
	return swapped
}

func (m *Map) CompareAndDelete(key, old any) (deleted bool) {
	m.do(drive.OpMapWrite, func(t *table) {
		if v, ok := t.get(key); ok && v == old {
			t.remove(key)
			deleted = true
		}
	})
	return deleted
}

// Range visits the keys of its beginning that are still there, and then some of those that have come
// since: the explorer chooses which. It does so in the order in which they came, and loads the value
// of each in the step of its visit. As in [sync.Map], a Clear takes nothing from it.
func (m *Map) Range(f func(key, value any) bool) {
	w := walk{seen: make(map[any]bool)}
	for it, ok := w.next(m); ok && f(it.key, it.value); {
		it, ok = w.next(m)
	}
}

// A walk is the state of a Range.
type walk struct {
	table *table       // at the beginning
	old   number       // the last one at the beginning
	last  number       // the last one when the old keys were done: a visit that stores one has an end
	at    number       // of the key that was visited last
	seen  map[any]bool // keys that were visited: one may come again
}

// choices is among how many new keys a Range chooses the next one, at most.
const choices = 63

// next takes one step, or two if there is nothing at the beginning: else nothing could come between
// the beginning and the end.
func (w *walk) next(m *Map) (it item, ok bool) {
	var may []item
	begins := w.table == nil
	m.do(drive.OpMapRead, func(t *table) { may = w.left(t) })
	if begins && len(may) == 0 {
		m.do(drive.OpMapRead, func(t *table) { may = w.left(t) })
	}
	switch {
	case len(may) == 0:
		return item{}, false
	case may[0].number <= w.old:
		it = may[0]
	default:
		k := drive.Choose(len(may) + 1)
		if k == 0 {
			return item{}, false
		}
		it = may[k-1]
	}
	w.at, w.seen[it.key] = it.number, true
	return it, true
}

// left returns the old key whose turn it is, or else each new one that may be visited.
func (w *walk) left(t *table) (may []item) {
	begins := w.table == nil
	if begins {
		w.table, w.old = t, t.last
	}
	for _, it := range w.table.after(w.at) {
		switch {
		case it.gone, w.seen[it.key], len(may) == choices, w.last > 0 && it.number > w.last:
		case it.number <= w.old:
			return []item{it}
		default:
			may = append(may, it)
		}
	}
	if w.last == 0 && !begins {
		w.last = w.table.last
	}
	return may
}
