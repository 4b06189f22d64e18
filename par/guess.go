package par

import (
	"math/bits"
	"reflect"
	"slices"

	"github.com/rouse-go/rouse/api/prim"
)

// Most orders are that of a number or a string in the elements, and a radix sort by that is
// many times as fast as any sort that compares: a comparison is a call, and a branch that
// goes either way. So SortFunc compares a few elements, looks for a field that agrees, sorts
// by it, and then proves that cmp has the same order: see prove. If there is no such field,
// or the proof fails, s is as it was.

const (
	// guesses is how many pairs of elements are compared to find a field.
	guesses = 64
	// fieldsMost is how many parts of an element are looked at.
	fieldsMost = 16
	// arrayMost is how many parts of an array are.
	arrayMost = 4
)

// keyOf returns the key of the first field that orders a sample of s as cmp does, or nil.
func keyOf[E any](s []E, cmp func(a, b E) int) (found func(E) uint64) {
	var orders [guesses]int
	order, told := orders[:prim.Size(guesses)], 0
	for i := range order {
		a, b := neighbours(s, i, len(order))
		if order[i] = cmp(*a, *b); order[i] != 0 {
			told++
		}
	}
	if told < len(order)/4 { // merging is quick where most are equal
		return nil
	}
	left := fieldsMost
	fields(reflect.TypeFor[E](), 0, func(t reflect.Type, offset uintptr) bool {
		left--
		key := fieldKey[E](t, offset)
		if key == nil {
			return left > 0
		}
		var f fit
		for i, o := range order {
			a, b := neighbours(s, i, len(order))
			f.note(key(*a), key(*b), o)
		}
		switch {
		case f.equal > told/8:
		case f.against == 0:
			found = key
		case f.with == 0:
			found = func(x E) uint64 { return ^key(x) }
		}
		return found == nil && left > 0
	})
	return found
}

// neighbours returns the i-th of n pairs of a sample that is spread over s.
func neighbours[E any](s []E, i, n int) (a, b *E) {
	at := func(i int) *E { return &s[int(uint64(i)*uint64(len(s))/uint64(n+1))] }
	return at(i), at(i + 1)
}

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
func fieldKey[E any](t reflect.Type, offset uintptr) func(E) uint64 {
	switch t.Kind() {
	case reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64, reflect.Int:
		return integerKey[E](t.Size(), 1<<(8*t.Size()-1), offset)
	case reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uint, reflect.Uintptr:
		return integerKey[E](t.Size(), 0, offset)
	case reflect.Float32:
		return numberKey[E](numberKernel[float32]{}, offset)
	case reflect.Float64:
		return numberKey[E](numberKernel[float64]{}, offset)
	case reflect.String:
		return func(x E) uint64 { return firstBytes(fieldOf[string](&x, offset)) }
	default:
		return nil
	}
}

// integerKey is the key of an integer of so many bytes.
func integerKey[E any](size uintptr, flip uint64, offset uintptr) func(E) uint64 {
	switch size {
	case 1:
		return numberKey[E](numberKernel[uint8]{flip}, offset)
	case 2:
		return numberKey[E](numberKernel[uint16]{flip}, offset)
	case 4:
		return numberKey[E](numberKernel[uint32]{flip}, offset)
	default:
		return numberKey[E](numberKernel[uint64]{flip}, offset)
	}
}

func numberKey[E any, N viewed](k numberKernel[N], offset uintptr) func(E) uint64 {
	return func(x E) uint64 { return k.key(fieldOf[N](&x, offset)) }
}

// prove sorts items that have the same key, which is their order already, by cmp, and
// reports whether all are in the order of cmp then. It calls cmp about once for each.
//
// The proof: items with the same key follow each other, and are now in the order of cmp,
// equal ones as they came. The last one of each key is less than the first one of the next
// key. So, if cmp is an order, all items with lower keys are less than all with higher ones,
// and equal ones have the same key. There is just one stable order, and this is it.
func prove[P any](all []item[P], cmp func(a, b P) int, c config) bool {
	size := prim.Size(radixBlock)
	p := &proof[P]{all: all, cmp: cmp}
	p.bounds = p.few[:0]
	for at := 0; at < len(all); at += size {
		first, _ := slices.BinarySearchFunc(all[:at+1], all[at].key, func(x item[P], key uint64) int {
			switch {
			case x.key < key:
				return -1
			case x.key > key:
				return 1
			}
			return 0
		})
		p.bounds = append(p.bounds, first)
	}
	p.bounds = append(p.bounds, len(all))
	if do(len(p.bounds)-1, p, c); p.refuted.Load() {
		return false
	}
	for _, at := range p.bounds[1 : len(p.bounds)-1] {
		if at > 0 && cmp(all[at-1].of, all[at].of) >= 0 && all[at-1].key != all[at].key {
			return false
		}
	}
	return true
}

// A proof is a loop over blocks of items.
type proof[P any] struct {
	all []item[P]
	cmp func(a, b P) int
	// bounds are where blocks begin, of which none ends between two items with the same
	// key, and where the last one ends.
	bounds []int
	few    [2]int // room for one block
	// refuted says that the items of some block are not in the order of cmp. The other
	// blocks go on: whether cmp panics there does not depend on which one comes first.
	//
	// Writers: whoever does such a block.
	// Readers: prove, when all have ended.
	// Pairs:   none, the loop's end orders them.
	refuted prim.Bool
}

func (p *proof[P]) run(lo, hi int) error {
	var buf []item[P]
	for b := lo; b < hi; b++ {
		if !p.holds(p.all[p.bounds[b]:p.bounds[b+1]], &buf) {
			p.refuted.Store(true)
		}
	}
	return nil
}

// holds does a block.
func (p *proof[P]) holds(block []item[P], buf *[]item[P]) bool {
	for at := 0; at < len(block); {
		end := at + 1
		for end < len(block) && block[end].key == block[at].key {
			end++
		}
		if end-at > 1 && !p.sort(block[at:end], buf) || at > 0 && p.cmp(block[at-1].of, block[at].of) >= 0 {
			return false
		}
		at = end
	}
	return true
}

// sort sorts items with the same key, unless they are too many for one worker. buf is what
// earlier calls have used.
func (p *proof[P]) sort(s []item[P], buf *[]item[P]) bool {
	cmp := func(a, b item[P]) int { return p.cmp(a.of, b.of) }
	ordered := true
	for i := 1; i < len(s) && ordered; i++ {
		ordered = p.cmp(s[i].of, s[i-1].of) >= 0
	}
	switch {
	case ordered:
	case len(s) <= leafMost:
		insertion(s, cmp)
	case len(s) <= prim.Size(radixAlone):
		if len(*buf) < len(s) {
			*buf = make([]item[P], 1<<bits.Len(uint(len(s))))
		}
		sortChunk(s, (*buf)[:len(s)], false, cmp)
	default:
		return false
	}
	return true
}
