package par

import (
	"math"
	"reflect"
	"strings"
	"unsafe"
)

// unclearedLeast is how many bytes are worth it.
const unclearedLeast = 1 << 18

// uncleared returns n elements for a caller that writes each of them before anybody reads
// it. If that fails, nobody may see them.
//
// Go clears memory on the processor that asks for it. In a Map of a cheap function that is a
// seventh of the time with one worker, and most of it with many. Memory that may hold pointers
// is cleared here, too, for the garbage collector reads it. Other memory is that of a
// [strings.Builder], which Go leaves as it is.
func uncleared[E any](n int) []E {
	size := int(unsafe.Sizeof(*new(E)))
	if size == 0 || n < unclearedLeast/size || n > math.MaxInt/size || pointers(reflect.TypeFor[E]()) {
		return make([]E, n)
	}
	var b strings.Builder
	b.Grow(n * size)
	b.WriteByte(0) // for the address: a string of nothing has none
	memory := unsafe.Pointer(unsafe.StringData(b.String()))
	if soil != nil {
		soil(unsafe.Slice((*byte)(memory), n*size))
	}
	return unsafe.Slice((*E)(memory), n)
}

// soil writes to memory that is not cleared, in tests alone: else it may be clear by chance.
var soil func([]byte)

// pointers reports whether a value of the type may hold pointers.
func pointers(t reflect.Type) bool {
	switch k := t.Kind(); k {
	case reflect.Array:
		return t.Len() > 0 && pointers(t.Elem())
	case reflect.Struct:
		for i := range t.NumField() {
			if pointers(t.Field(i).Type) {
				return true
			}
		}
		return false
	default:
		return k < reflect.Bool || k > reflect.Complex128
	}
}

// view returns the elements of a slice as To, which has the same representation.
func view[To any](s reflect.Value) []To { return unsafe.Slice((*To)(s.UnsafePointer()), s.Len()) }

// An address is where an element lies.
type address = unsafe.Pointer

func addressOf[E any](x *E) address { return unsafe.Pointer(x) }

// fieldAt returns the field of an element that lies so many bytes into it.
func fieldAt[F any](at address, offset uintptr) F { return *(*F)(unsafe.Add(at, offset)) }

// codeOf returns where the code of a function begins. It is the same for all closures of one
// line of the source.
func codeOf[F any](f F) uintptr { return **(**uintptr)(unsafe.Pointer(&f)) }

// kindOf returns a number for the type of the value in an interface.
func kindOf[I any](i *I) uintptr { return *(*uintptr)(unsafe.Pointer(i)) }
