// Package words does without prim what its twin in alias does through it.
package words

import (
	"sync"
	"sync/atomic"
)

type Words struct {
	B   atomic.Bool
	I32 atomic.Int32
	I64 atomic.Int64
	U32 atomic.Uint32
	U64 atomic.Uint64
	P   atomic.Pointer[int]
	Mu  sync.Mutex
	Wg  sync.WaitGroup
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
	b.value = v
	return b.result
}

// Touches has the hooks where they should be: behind the accesses, and of types that do
// not depend on T.
func (b *Box[T]) Touches(v T) int {
	b.value = v
	b.number++
	n := b.number
	return n
}

var _, _ = (*Box[string]).Hooks, (*Box[string]).Touches
