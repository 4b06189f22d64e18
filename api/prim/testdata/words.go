// Package words synchronizes through prim. The test makes a twin of it that does without.
package words

import "github.com/rouse-go/rouse/api/prim"

type Words struct {
	B   prim.Bool
	I32 prim.Int32
	I64 prim.Int64
	U32 prim.Uint32
	U64 prim.Uint64
	P   prim.Pointer[int]
	Mu  prim.Mutex
	Wg  prim.WaitGroup
}

func (w *Words) Atomics(p *int) (int64, bool, *int) {
	w.B.Store(true)
	w.I32.Add(1)
	w.I64.Store(w.I64.Load() + 1)
	w.U32.Or(2)
	old := w.P.Swap(p)
	return int64(w.U64.Load()), w.U64.CompareAndSwap(1, 2) && w.B.Load(), old
}

func (w *Words) Blocks() {
	w.Mu.Lock()
	w.Wg.Done()
	w.Mu.Unlock()
	w.Wg.Wait()
}

// A Box is generic, as the frames of a pool are.
type Box[T any] struct {
	words         Words
	value, result T
	all           []T
	number        int
}

func (b *Box[T]) Hooks(v T) T {
	prim.Declare(b)
	prim.DeclareSlice(b.all)
	prim.Touch(&b.value, true)
	b.value = v
	prim.Touch(&b.result, false)
	return b.result
}

// Touches has the hooks where they should be: behind the accesses, and of types that do
// not depend on T.
func (b *Box[T]) Touches(v T) int {
	b.value = v
	b.number++
	prim.Touch(&b.number, true)
	n := b.number
	prim.Touch(&b.number, false)
	return n
}

var _, _ = (*Box[string]).Hooks, (*Box[string]).Touches
