package sync

import (
	"slices"
	rs "sync"
	"unsafe"

	"github.com/rouse-go/rouse/explore/drive"
)

// A Map has the methods of [sync.Map]. Range goes by the order in which keys came.
type Map struct {
	mu    rs.Mutex    // is never held while another thread may run
	at    map[any]int // the index of a key's item
	items []item
	gone  int // of the items
	last  int // number of an item
}

type item struct {
	key, value any
	number     int
	gone       bool
}

// do performs f as one step.
func (m *Map) do(op drive.Op, f func()) {
	if drive.Driven() {
		drive.Step(op, unsafe.Pointer(m))
		drive.Acquire(unsafe.Pointer(m))
		if !op.Reads() {
			drive.Release(unsafe.Pointer(m))
		}
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	f()
}

func (m *Map) get(key any) (any, bool) {
	i, ok := m.at[key]
	if !ok {
		return nil, false
	}
	return m.items[i].value, true
}

func (m *Map) set(key, value any) {
	if i, ok := m.at[key]; ok {
		m.items[i].value = value
		return
	}
	if m.at == nil {
		m.at = make(map[any]int)
	}
	m.at[key] = len(m.items)
	m.last++
	m.items = append(m.items, item{key: key, value: value, number: m.last})
}

func (m *Map) remove(key any) {
	i, ok := m.at[key]
	if !ok {
		return
	}
	delete(m.at, key)
	m.items[i] = item{gone: true, number: m.items[i].number}
	if m.gone++; m.gone <= len(m.items)/2 {
		return
	}
	m.items, m.gone = slices.DeleteFunc(m.items, func(it item) bool { return it.gone }), 0
	for i, it := range m.items {
		m.at[it.key] = i
	}
}

func (m *Map) Load(key any) (value any, ok bool) {
	m.do(drive.OpMapRead, func() { value, ok = m.get(key) })
	return value, ok
}

func (m *Map) Store(key, value any) {
	m.do(drive.OpMapWrite, func() { m.set(key, value) })
}

func (m *Map) Clear() {
	m.do(drive.OpMapWrite, func() { m.at, m.items, m.gone = nil, nil, 0 })
}

func (m *Map) LoadOrStore(key, value any) (actual any, loaded bool) {
	m.do(drive.OpMapWrite, func() {
		if actual, loaded = m.get(key); !loaded {
			actual = value
			m.set(key, value)
		}
	})
	return actual, loaded
}

func (m *Map) LoadAndDelete(key any) (value any, loaded bool) {
	m.do(drive.OpMapWrite, func() {
		value, loaded = m.get(key)
		m.remove(key)
	})
	return value, loaded
}

func (m *Map) Delete(key any) { m.LoadAndDelete(key) }

func (m *Map) Swap(key, value any) (previous any, loaded bool) {
	m.do(drive.OpMapWrite, func() {
		previous, loaded = m.get(key)
		m.set(key, value)
	})
	return previous, loaded
}

func (m *Map) CompareAndSwap(key, old, new any) (swapped bool) {
	m.do(drive.OpMapWrite, func() {
		if v, ok := m.get(key); ok && v == old {
			m.set(key, new)
			swapped = true
		}
	})
	return swapped
}

func (m *Map) CompareAndDelete(key, old any) (deleted bool) {
	m.do(drive.OpMapWrite, func() {
		if v, ok := m.get(key); ok && v == old {
			m.remove(key)
			deleted = true
		}
	})
	return deleted
}

// Range looks at each key in a step of its own.
func (m *Map) Range(f func(key, value any) bool) {
	for it, found := (item{}), true; found; {
		m.do(drive.OpMapRead, func() {
			i, _ := slices.BinarySearchFunc(m.items, it.number+1, func(it item, n int) int {
				return it.number - n
			})
			for i < len(m.items) && m.items[i].gone {
				i++
			}
			if found = i < len(m.items); found {
				it = m.items[i]
			}
		})
		if found && !f(it.key, it.value) {
			return
		}
	}
}
