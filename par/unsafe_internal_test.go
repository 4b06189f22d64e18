package par

import (
	"reflect"
	"runtime"
	"slices"
	"testing"
	"unsafe"
)

// litter leaves garbage where the next allocations of so many bytes will be.
func litter(bytes int) {
	runtime.GC() // what the last try has had is free, or the next one would have the same
	for range 8 {
		b := make([]byte, bytes)
		for i := range b {
			b[i] = 0xa5
		}
		runtime.KeepAlive(b)
	}
	runtime.GC()
}

// The memory is not cleared, or it buys nothing; unless it may hold pointers, which the
// garbage collector would follow.
func TestUncleared(t *testing.T) {
	type plain struct {
		_ [3]int32
		_ struct{ _ complex128 }
		_ [0]*int
	}
	type pointing struct {
		_ int
		_ [1]struct{ _ string }
	}
	const n = 1 << 17
	found := func(find func() bool) bool {
		for range 20 { // the memory may be another one, or new from the system, which clears it
			litter(n * 8)
			if find() {
				return true
			}
		}
		return false
	}
	if !found(func() bool {
		s := uncleared[uint64](n)
		return slices.Contains(s, 0xa5a5a5a5a5a5a5a5)
	}) {
		t.Error("package par: memory for integers is cleared")
	}
	if found(func() bool {
		s := uncleared[*int](n)
		return slices.ContainsFunc(s, func(p *int) bool { return p != nil })
	}) {
		t.Error("package par: memory for pointers is not cleared")
	}
	for want, types := range map[bool][]reflect.Type{
		false: {reflect.TypeFor[bool](), reflect.TypeFor[uintptr](), reflect.TypeFor[complex128](), reflect.TypeFor[plain]()},
		true: {
			reflect.TypeFor[pointing](), reflect.TypeFor[string](), reflect.TypeFor[any](), reflect.TypeFor[func()](), reflect.TypeFor[unsafe.Pointer](),
			reflect.TypeFor[map[int]int](), reflect.TypeFor[chan int](), reflect.TypeFor[[]int](), reflect.TypeFor[[2]*int](),
		},
	} {
		for _, of := range types {
			if got := pointers(of); got != want {
				t.Errorf("package par: that %v may hold pointers: %v", of, got)
			}
		}
	}
	for _, n := range []int{0, 1, unclearedLeast/8 - 1, unclearedLeast / 8, unclearedLeast/8 + 1, n} {
		s := uncleared[uint64](n)
		if len(s) != n || cap(s) != n {
			t.Errorf("package par: memory for %d elements has %d, room for %d", n, len(s), cap(s))
		}
		for i := range s {
			s[i] = uint64(i)
		}
		if n > 0 && uintptr(unsafe.Pointer(&s[0]))%8 != 0 {
			t.Errorf("package par: memory for %d elements is not aligned", n)
		}
	}
	if s := uncleared[struct{}](n); len(s) != n {
		t.Errorf("package par: memory for %d empty elements has %d", n, len(s))
	}
}
