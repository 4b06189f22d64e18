package lang

import (
	"reflect"
	"unsafe"

	"github.com/rouse-go/rouse/explore/drive"
)

// Read is a plain read of *p.
func Read[T any](p *T, name string) *T {
	Looked(At(p, name))
	return p
}

// Write is a plain write to *p.
func Write[T any](p *T, name string) *T {
	Wrote(At(p, name))
	return p
}

// Set(p, name)(v) is *p = v, where v is computed before.
func Set[T any](p *T, name string) func(v T) {
	return func(v T) { *Write(p, name) = v }
}

// ReadMap is a read of the map m.
func ReadMap[M ~map[K]V, K comparable, V any](m M, name string) M {
	Looked(AtMap(m, name))
	return m
}

// WriteMap is a write to the map m.
func WriteMap[M ~map[K]V, K comparable, V any](m M, name string) M {
	Wrote(AtMap(m, name))
	return m
}

// ReadEntry(m, name)(k) is a read of m[k].
func ReadEntry[M ~map[K]V, K comparable, V any](m M, name string) func(k K) M {
	return func(k K) M {
		Looked(AtEntry(m, name)(k))
		return m
	}
}

// WriteEntry(m, name)(k) is a write to m[k].
func WriteEntry[M ~map[K]V, K comparable, V any](m M, name string) func(k K) M {
	return func(k K) M {
		Wrote(AtEntry(m, name)(k))
		return m
	}
}

// SetMap(m, name)(k)(v) is m[k] = v, where v is computed before.
func SetMap[M ~map[K]V, K comparable, V any](m M, name string) func(k K) func(v V) {
	return func(k K) func(v V) {
		return func(v V) { WriteEntry(m, name)(k)[k] = v }
	}
}

// Delete(m, name)(k) is delete(m, k).
func Delete[M ~map[K]V, K comparable, V any](m M, name string) func(k K) {
	return func(k K) { delete(WriteEntry(m, name)(k), k) }
}

// ClearMap is clear(m).
func ClearMap[M ~map[K]V, K comparable, V any](m M, name string) { clear(WriteMap(m, name)) }

// ReadWhole is a read of *p by the standard library; traces do not show what is there.
func ReadWhole[T any](p *T, name string) *T {
	Looked(AtWhole(p, name))
	return p
}

// WriteWhole is a write to *p by the standard library.
func WriteWhole[T any](p *T, name string) *T {
	Wrote(AtWhole(p, name))
	return p
}

// ReadSlice is a read of the elements of s.
func ReadSlice[S ~[]E, E any](s S, name string) S {
	Looked(AtSlice(s, name))
	return s
}

// WriteSlice is a write to the elements of s.
func WriteSlice[S ~[]E, E any](s S, name string) S {
	Wrote(AtSlice(s, name))
	return s
}

// WriteOrder is a write to the elements of s by what changes their order alone.
func WriteOrder[S ~[]E, E any](s S, name string) S {
	Wrote(AtOrder(s, name))
	return s
}

// ReadFirst is a read of the first n elements of s.
func ReadFirst[S ~[]E, E any](n int, s S, name string) S {
	Looked(AtSlice(s[:min(n, len(s))], name))
	return s
}

// ClearSlice is clear(s).
func ClearSlice[S ~[]E, E any](s S, name string) {
	Wrote(AtSlice(s, name))
	clear(s)
}

// Copy is copy(to, from).
func Copy[S ~[]E, T ~[]E, E any](to S, from T, name, fromName string) int {
	n := min(len(to), len(from))
	Looked(AtSlice(from[:n], fromName))
	Wrote(AtSlice(to[:n], name))
	return copy(to, from)
}

// CopyString is Copy from a string.
func CopyString[S ~[]byte, T ~string | ~[]byte](to S, from T, name, _ string) int {
	Wrote(AtSlice(to[:min(len(to), len(from))], name))
	return copy(to, from)
}

// Append(s, name)(values...) is append(s, values...).
func Append[S ~[]E, E any](s S, name string) func(values ...E) S {
	return func(values ...E) S {
		grow(s, len(values), name)
		return append(s, values...)
	}
}

// AppendString is append(s, text...).
func AppendString[S ~[]byte, T ~string | ~[]byte](s S, text T, name string) S {
	grow(s, len(text), name)
	return append(s, text...)
}

// grow is what an append of n elements reads and writes.
func grow[S ~[]E, E any](s S, n int, name string) {
	switch {
	case n == 0 || !drive.Driven():
	case len(s)+n <= cap(s):
		Wrote(AtSlice(s[len(s):len(s)+n], name))
	default:
		Looked(AtSlice(s, name))
	}
}

// A Place is a variable, or several, that something is read from or written to.
type Place struct {
	p    unsafe.Pointer
	size uintptr
	name string
	// value returns what is there, for traces, if that is not large.
	value func() any
}

// shown is how large a variable is, at most, of which traces show the value.
const shown = 64

// At is the place of *p.
func At[T any](p *T, name string) Place {
	at := Place{p: unsafe.Pointer(p), size: unsafe.Sizeof(*p), name: name}
	if at.size <= shown && drive.Tracing() {
		at.value = func() any { return *p }
	}
	return at
}

// AtWhole is At, of which traces do not show the value.
func AtWhole[T any](p *T, name string) Place {
	return Place{p: unsafe.Pointer(p), size: unsafe.Sizeof(*p), name: name}
}

// AtMap stands for all of the map m.
func AtMap[M ~map[K]V, K comparable, V any](m M, name string) Place {
	if drive.Tracing() {
		name += "[]"
	}
	return Place{p: address(m), size: 1, name: name}
}

// AtEntry(m, name)(k) stands for all of the map m, of which m[k] is used.
func AtEntry[M ~map[K]V, K comparable, V any](m M, name string) func(k K) Place {
	return func(k K) Place {
		at := AtMap(m, name)
		if unsafe.Sizeof(*new(V)) <= shown && drive.Tracing() {
			at.value = func() any {
				defer func() { _ = recover() }() // the key may be none, as the program finds out
				v, ok := m[k]
				return drive.Entry{Key: k, Value: v, There: ok}
			}
		}
		return at
	}
}

// AtSlice is the place of the elements of s.
func AtSlice[S ~[]E, E any](s S, name string) Place {
	at := Place{p: unsafe.Pointer(unsafe.SliceData(s)), size: unsafe.Sizeof(*new(E)) * uintptr(len(s)), name: name}
	if at.size <= shown && drive.Tracing() {
		at.value = func() any {
			array := reflect.New(reflect.ArrayOf(len(s), reflect.TypeFor[E]())).Elem()
			reflect.Copy(array, reflect.ValueOf(s))
			return array.Interface()
		}
	}
	return at
}

// AtOrder is the place of the order of s, which one element has not.
func AtOrder[S ~[]E, E any](s S, name string) Place {
	if len(s) < 2 {
		s = nil
	}
	return AtSlice(s, name)
}

func access(places []Place, write bool) {
	if !drive.Driven() {
		return
	}
	for _, p := range places {
		if p.p == nil || p.size == 0 {
			continue
		}
		if drive.Tracing() {
			drive.Name(p.p, p.name)
		}
		drive.Access(p.p, p.size, write)
		switch {
		case p.value == nil:
		case write:
			drive.Note(p.value)
		default:
			drive.Note(p.value())
		}
	}
}

// Looked says that the places are read now.
func Looked(places ...Place) { access(places, false) }

// Wrote says that the places are written to now.
func Wrote(places ...Place) { access(places, true) }

// Then(v)(places...) returns v, which is the last to be computed of what is then assigned to the
// places, or given to a function that then writes to them.
func Then[T any](v T) func(places ...Place) T {
	return func(places ...Place) T { access(places, true); return v }
}

// ThenRead(v)(places...) returns v, which is the last to be computed of what a function is given
// that then reads from the places.
func ThenRead[T any](v T) func(places ...Place) T {
	return func(places ...Place) T { access(places, false); return v }
}

// Wrote2(a, b)(places...) returns a and b, which are then assigned to the places.
func Wrote2[A, B any](a A, b B) func(places ...Place) (A, B) {
	return func(places ...Place) (A, B) { access(places, true); return a, b }
}

// Wrote3 is Wrote2 for three values, and so on.
func Wrote3[A, B, C any](a A, b B, c C) func(places ...Place) (A, B, C) {
	return func(places ...Place) (A, B, C) { access(places, true); return a, b, c }
}

func Wrote4[A, B, C, D any](a A, b B, c C, d D) func(places ...Place) (A, B, C, D) {
	return func(places ...Place) (A, B, C, D) { access(places, true); return a, b, c, d }
}

func Wrote5[A, B, C, D, E any](a A, b B, c C, d D, e E) func(places ...Place) (A, B, C, D, E) {
	return func(places ...Place) (A, B, C, D, E) { access(places, true); return a, b, c, d, e }
}

func Wrote6[A, B, C, D, E, F any](a A, b B, c C, d D, e E, f F) func(places ...Place) (A, B, C, D, E, F) {
	return func(places ...Place) (A, B, C, D, E, F) { access(places, true); return a, b, c, d, e, f }
}
