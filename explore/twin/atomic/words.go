package atomic

import (
	ra "sync/atomic"
	"unsafe"

	"github.com/rouse-go/rouse/explore/drive"
)

// The functions are those of [sync/atomic] of the same names, each through one of the
// following, with the real one.

// stepOn is step on a word that may be read and written plainly elsewhere.
func stepOn[T any](op drive.Op, p *T) {
	if p == nil || !drive.Driven() {
		return
	}
	drive.Step(op, unsafe.Pointer(p))
	drive.Acquire(unsafe.Pointer(p))
	if op == drive.OpCompareAndSwap {
		return
	}
	drive.AccessInStep(unsafe.Pointer(p), unsafe.Sizeof(*p), !op.Reads(), true)
	if !op.Reads() {
		drive.Release(unsafe.Pointer(p))
	}
}

func load[T any](p *T, real func(*T) T) T {
	stepOn(drive.OpLoad, p)
	v := real(p)
	if drive.Tracing() {
		note(v)
	}
	return v
}

func store[T any](p *T, v T, real func(*T, T)) {
	stepOn(drive.OpStore, p)
	real(p, v)
	if drive.Tracing() {
		note(v)
	}
}

func swap[T any](op drive.Op, p *T, v T, real func(*T, T) T) T {
	stepOn(op, p)
	x := real(p, v)
	if drive.Tracing() {
		note(v, x)
	}
	return x
}

func compareAndSwap[T any](p *T, old, new T, real func(*T, T, T) bool) bool {
	stepOn(drive.OpCompareAndSwap, p)
	ok := real(p, old, new)
	if drive.Driven() {
		drive.AccessInStep(unsafe.Pointer(p), unsafe.Sizeof(*p), ok, true)
		swapped(unsafe.Pointer(p), old, new, ok)
	}
	return ok
}

func LoadInt32(addr *int32) int32            { return load(addr, ra.LoadInt32) }
func StoreInt32(addr *int32, val int32)      { store(addr, val, ra.StoreInt32) }
func SwapInt32(addr *int32, new int32) int32 { return swap(drive.OpSwap, addr, new, ra.SwapInt32) }
func CompareAndSwapInt32(addr *int32, old, new int32) bool {
	return compareAndSwap(addr, old, new, ra.CompareAndSwapInt32)
}
func AddInt32(addr *int32, delta int32) int32 {
	return swap(drive.OpAdd, addr, delta, ra.AddInt32)
}
func AndInt32(addr *int32, mask int32) int32 { return swap(drive.OpAnd, addr, mask, ra.AndInt32) }
func OrInt32(addr *int32, mask int32) int32  { return swap(drive.OpOr, addr, mask, ra.OrInt32) }

func LoadInt64(addr *int64) int64            { return load(addr, ra.LoadInt64) }
func StoreInt64(addr *int64, val int64)      { store(addr, val, ra.StoreInt64) }
func SwapInt64(addr *int64, new int64) int64 { return swap(drive.OpSwap, addr, new, ra.SwapInt64) }
func CompareAndSwapInt64(addr *int64, old, new int64) bool {
	return compareAndSwap(addr, old, new, ra.CompareAndSwapInt64)
}
func AddInt64(addr *int64, delta int64) int64 {
	return swap(drive.OpAdd, addr, delta, ra.AddInt64)
}
func AndInt64(addr *int64, mask int64) int64 { return swap(drive.OpAnd, addr, mask, ra.AndInt64) }
func OrInt64(addr *int64, mask int64) int64  { return swap(drive.OpOr, addr, mask, ra.OrInt64) }

func LoadUint32(addr *uint32) uint32       { return load(addr, ra.LoadUint32) }
func StoreUint32(addr *uint32, val uint32) { store(addr, val, ra.StoreUint32) }
func SwapUint32(addr *uint32, new uint32) uint32 {
	return swap(drive.OpSwap, addr, new, ra.SwapUint32)
}
func CompareAndSwapUint32(addr *uint32, old, new uint32) bool {
	return compareAndSwap(addr, old, new, ra.CompareAndSwapUint32)
}
func AddUint32(addr *uint32, delta uint32) uint32 {
	return swap(drive.OpAdd, addr, delta, ra.AddUint32)
}
func AndUint32(addr *uint32, mask uint32) uint32 {
	return swap(drive.OpAnd, addr, mask, ra.AndUint32)
}
func OrUint32(addr *uint32, mask uint32) uint32 {
	return swap(drive.OpOr, addr, mask, ra.OrUint32)
}

func LoadUint64(addr *uint64) uint64       { return load(addr, ra.LoadUint64) }
func StoreUint64(addr *uint64, val uint64) { store(addr, val, ra.StoreUint64) }
func SwapUint64(addr *uint64, new uint64) uint64 {
	return swap(drive.OpSwap, addr, new, ra.SwapUint64)
}
func CompareAndSwapUint64(addr *uint64, old, new uint64) bool {
	return compareAndSwap(addr, old, new, ra.CompareAndSwapUint64)
}
func AddUint64(addr *uint64, delta uint64) uint64 {
	return swap(drive.OpAdd, addr, delta, ra.AddUint64)
}
func AndUint64(addr *uint64, mask uint64) uint64 {
	return swap(drive.OpAnd, addr, mask, ra.AndUint64)
}
func OrUint64(addr *uint64, mask uint64) uint64 {
	return swap(drive.OpOr, addr, mask, ra.OrUint64)
}

func LoadUintptr(addr *uintptr) uintptr       { return load(addr, ra.LoadUintptr) }
func StoreUintptr(addr *uintptr, val uintptr) { store(addr, val, ra.StoreUintptr) }
func SwapUintptr(addr *uintptr, new uintptr) uintptr {
	return swap(drive.OpSwap, addr, new, ra.SwapUintptr)
}
func CompareAndSwapUintptr(addr *uintptr, old, new uintptr) bool {
	return compareAndSwap(addr, old, new, ra.CompareAndSwapUintptr)
}
func AddUintptr(addr *uintptr, delta uintptr) uintptr {
	return swap(drive.OpAdd, addr, delta, ra.AddUintptr)
}
func AndUintptr(addr *uintptr, mask uintptr) uintptr {
	return swap(drive.OpAnd, addr, mask, ra.AndUintptr)
}
func OrUintptr(addr *uintptr, mask uintptr) uintptr {
	return swap(drive.OpOr, addr, mask, ra.OrUintptr)
}

func LoadPointer(addr *unsafe.Pointer) unsafe.Pointer       { return load(addr, ra.LoadPointer) }
func StorePointer(addr *unsafe.Pointer, val unsafe.Pointer) { store(addr, val, ra.StorePointer) }
func SwapPointer(addr *unsafe.Pointer, new unsafe.Pointer) unsafe.Pointer {
	return swap(drive.OpSwap, addr, new, ra.SwapPointer)
}
func CompareAndSwapPointer(addr *unsafe.Pointer, old, new unsafe.Pointer) bool {
	return compareAndSwap(addr, old, new, ra.CompareAndSwapPointer)
}
