package par

import (
	"math/bits"
	"reflect"
	"sort"

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
		return numberKey(numberKernel[float32]{}, offset)
	case reflect.Float64:
		return numberKey(numberKernel[float64]{}, offset)
	case reflect.String:
		return func(at address) uint64 { return firstBytes(fieldAt[string](at, offset)) }
	default:
		return nil
	}
}

// integerKey is the key of an integer of so many bytes.
func integerKey(size uintptr, flip uint64, offset uintptr) func(address) uint64 {
	switch size {
	case 1:
		return numberKey(numberKernel[uint8]{flip}, offset)
	case 2:
		return numberKey(numberKernel[uint16]{flip}, offset)
	case 4:
		return numberKey(numberKernel[uint32]{flip}, offset)
	default:
		return numberKey(numberKernel[uint64]{flip}, offset)
	}
}

func numberKey[N viewed](k numberKernel[N], offset uintptr) func(address) uint64 {
	return func(at address) uint64 { return k.key(fieldAt[N](at, offset)) }
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
		key := all[at].key
		first := sort.Search(at, func(i int) bool { return all[i].key >= key })
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
	// bounds are where blocks begin, and where the last one ends. No block ends between
	// two items with the same key.
	bounds []int
	few    [2]int // room for one block
	// refuted says that the items of some block are not in the order of cmp. The other
	// blocks go on: whether cmp panics there does not depend on which one comes first.
	//
	// Writers: a worker that does such a block.
	// Readers: prove, when all have ended.
	// Pairs:   none, the loop's end orders them.
	refuted prim.Bool
}

func (p *proof[P]) run(lo, hi int) error {
	var buf []P
	for b := lo; b < hi; b++ {
		if !p.holds(p.all[p.bounds[b]:p.bounds[b+1]], &buf) {
			p.refuted.Store(true)
		}
	}
	return nil
}

// holds does a block. buf is what earlier calls have used.
func (p *proof[P]) holds(block []item[P], buf *[]P) bool {
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

// sort sorts items with the same key, apart from that, unless they are too many for one worker.
func (p *proof[P]) sort(s []item[P], buf *[]P) bool {
	ordered := true
	for i := 1; i < len(s) && ordered; i++ {
		ordered = p.cmp(s[i].of, s[i-1].of) >= 0
	}
	switch {
	case ordered:
		return true
	case len(s) > max(leafMost, prim.Size(radixAlone)):
		return false
	case len(*buf) < 2*len(s):
		*buf = make([]P, 2<<bits.Len(uint(len(s))))
	}
	all := (*buf)[:len(s)]
	for i := range s {
		all[i] = s[i].of
	}
	sortChunk(all, (*buf)[len(s):2*len(s)], false, p.cmp)
	for i, x := range all {
		s[i].of = x
	}
	return true
}

// proveIndices is prove for indices.
func proveIndices(all []item[int], cmp func(i, j int) int, c config) bool { return prove(all, cmp, c) }
