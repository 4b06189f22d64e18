//go:build !explore

package prim

// The compiler hands on the body of a function from another package, for
// inlining, only if it was inlined in the package that hands it on. So each
// method of an alias is called here: or an atomic load in a package that imports
// prim, and not sync/atomic itself, would not be an instruction but a call.
// These functions are never called, and the linker drops them.
var _, _, _, _, _, _, _ = inlineBool, inlineInt32, inlineInt64, inlineUint32, inlineUint64, inlinePointer, inlineBlocking

func inlineBool(b *Bool) bool {
	b.Store(b.Load() || b.Swap(true))
	return b.CompareAndSwap(true, false)
}

func inlineInt32(n *Int32) bool {
	n.Store(n.Load() + n.Swap(1) + n.Add(1) + n.And(1) + n.Or(1))
	return n.CompareAndSwap(1, 2)
}

func inlineInt64(n *Int64) bool {
	n.Store(n.Load() + n.Swap(1) + n.Add(1) + n.And(1) + n.Or(1))
	return n.CompareAndSwap(1, 2)
}

func inlineUint32(n *Uint32) bool {
	n.Store(n.Load() + n.Swap(1) + n.Add(1) + n.And(1) + n.Or(1))
	return n.CompareAndSwap(1, 2)
}

func inlineUint64(n *Uint64) bool {
	n.Store(n.Load() + n.Swap(1) + n.Add(1) + n.And(1) + n.Or(1))
	return n.CompareAndSwap(1, 2)
}

func inlinePointer(p *Pointer[int]) bool {
	p.Store(p.Swap(p.Load()))
	return p.CompareAndSwap(nil, nil)
}

func inlineBlocking(m *Mutex, g *WaitGroup) {
	m.Lock()
	g.Done()
	m.Unlock()
}
