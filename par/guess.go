package par

import (
	"reflect"

	"github.com/rouse-go/rouse/api/prim"
	"github.com/rouse-go/rouse/par/internal/radix"
)

// Most orders are that of a number or a string in the elements, and a radix sort by that is
// many times as fast as any sort that compares: a comparison is a call, and a branch that
// goes either way. So SortFunc compares a few elements, looks for a field that agrees, sorts
// by it, and then proves that cmp has the same order: see sortItems. If there is no such field,
// or the proof fails, s is as it was.

const (
	// guesses is how many pairs of elements are compared to find a field.
	guesses = 64
	// fieldsMost is how many parts of an element are looked at.
	fieldsMost = 16
	// arrayMost is how many parts of an array are.
	arrayMost = 4
)

// fieldOf returns the first field that orders a sample of s as cmp does, or nil.
func fieldOf[E any](s []E, cmp func(a, b E) int) field {
	n := prim.Size(guesses)
	var orders [guesses]int
	var at [guesses + 1]address
	for i, last := 0, 0; i <= n; i++ {
		next := int(uint64(i) * uint64(len(s)) / uint64(n+1))
		at[i] = addressOf(&s[next])
		if i > 0 {
			orders[i-1] = cmp(s[last], s[next])
		}
		last = next
	}
	return fieldFor(reflect.TypeFor[E](), at[:n+1], orders[:n])
}

// fieldFor returns the first field of a type that orders neighbours, which lie there, so.
func fieldFor(t reflect.Type, at []address, orders []int) (found field) {
	told := 0
	for _, o := range orders {
		if o != 0 {
			told++
		}
	}
	if told < len(orders)/4 { // merging is quick where most are equal
		return nil
	}
	left := fieldsMost
	fields(t, 0, func(t reflect.Type, offset uintptr) bool {
		left--
		key := fieldKey(t, offset)
		if key == nil {
			return left > 0
		}
		var f fit
		for i, o := range orders {
			f.note(key(at[i]), key(at[i+1]), o)
		}
		switch {
		case f.equal > told/8:
		case f.against == 0:
			found = key
		case f.with == 0:
			found = func(at address) uint64 { return ^key(at) }
		}
		return found == nil && left > 0
	})
	return found
}

// A field returns the key of the element that lies at an address.
type field func(address) uint64

// A fit counts, of pairs that are not equal, those with the keys in the same order, in the
// other order, and with the same key.
type fit struct{ with, against, equal int }

func (f *fit) note(a, b uint64, order int) {
	switch {
	case a == b && order != 0:
		f.equal++
	case a == b:
	case order == 0:
		f.with++
		f.against++
	case a < b == (order < 0):
		f.with++
	default:
		f.against++
	}
}

// fields calls yield with the type of each part of a value that is no struct and no array,
// and with how many bytes it lies into the value, until yield returns false.
func fields(t reflect.Type, offset uintptr, yield func(reflect.Type, uintptr) bool) bool {
	switch kind := t.Kind(); {
	case t.Size() == 0: // an array of these may be long
		return true
	case kind == reflect.Struct:
		for i := range t.NumField() {
			if f := t.Field(i); f.Name != "_" && !fields(f.Type, offset+f.Offset, yield) {
				return false
			}
		}
		return true
	case kind == reflect.Array:
		for i := range min(t.Len(), arrayMost) {
			if !fields(t.Elem(), offset+uintptr(i)*t.Elem().Size(), yield) {
				return false
			}
		}
		return true
	default:
		return yield(t, offset)
	}
}

// fieldKey is the key of a number or a string, or nil.
func fieldKey(t reflect.Type, offset uintptr) func(address) uint64 {
	switch t.Kind() {
	case reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64, reflect.Int:
		return integerKey(t.Size(), 1<<(8*t.Size()-1), offset)
	case reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uint, reflect.Uintptr:
		return integerKey(t.Size(), 0, offset)
	case reflect.Float32:
		return numberKey(radix.Keys[float32]{}, offset)
	case reflect.Float64:
		return numberKey(radix.Keys[float64]{}, offset)
	case reflect.String:
		return func(at address) uint64 { return radix.FirstBytes(fieldAt[string](at, offset)) }
	default:
		return nil
	}
}

// integerKey is the key of an integer of so many bytes.
func integerKey(size uintptr, flip uint64, offset uintptr) func(address) uint64 {
	switch size {
	case 1:
		return numberKey(radix.Keys[uint8]{Flip: flip}, offset)
	case 2:
		return numberKey(radix.Keys[uint16]{Flip: flip}, offset)
	case 4:
		return numberKey(radix.Keys[uint32]{Flip: flip}, offset)
	default:
		return numberKey(radix.Keys[uint64]{Flip: flip}, offset)
	}
}

func numberKey[N radix.Number](k radix.Keys[N], offset uintptr) func(address) uint64 {
	return func(at address) uint64 { return k.Of(fieldAt[N](at, offset)) }
}
