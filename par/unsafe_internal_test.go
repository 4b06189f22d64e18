package par

import (
	"reflect"
	"testing"
	"unsafe"
)

// Memory that may hold pointers is cleared, since the garbage collector would follow them.
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
	const n = 1 << 17
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
