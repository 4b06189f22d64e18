package par

import (
	"cmp"
	"reflect"

	"github.com/rouse-go/rouse/api/prim"
)

// Sort sorts s as [slices.Sort] does: NaNs come first. It is stable, which shows with floats
// only: -0 and 0 keep their order, and so do NaNs.
//
// It is a radix sort: the time is in proportion to len(s), to the width of the numbers in
// the worst case, or to the bytes by which the strings differ. It compares strings that part one
// by one, over many bytes. It only looks at elements that are in order already, or in reverse. It
// merges up to 16 runs of either, if that moves few. Of 512 elements or more, it sorts only the
// others if most are equal, or if the rest ascends: up to one number in 32, or one string in 8. If
// integers or strings ascend but for some that have changed places across the middle, it exchanges
// these.
//
// For numbers it allocates a buffer of the size of s, and histograms of a few megabytes at
// most; for up to 256 numbers, nothing. For strings it allocates three words for
// each, twice, and two words for those that it compares. A buffer of up to 128 KB is kept for
// the next sort, without pointers to the elements, and counts of up to 128 KB.
func Sort[S ~[]E, E cmp.Ordered](s S, opts ...Option) {
	c := configured(0, opts)
	sortOrdered(s, c)
	c.finished(len(s))
}

// sortOrdered is a small part, compiled for each type: the rest is compiled once, for types
// that have the same order.
func sortOrdered[E cmp.Ordered](s []E, c config) {
	if len(s) <= prim.Size(tiny) {
		insertionOrdered(s)
		return
	}
	sortView(reflect.ValueOf(s), c)
}

// tiny is how many elements are sorted by insertion at once.
const tiny = 12

func insertionOrdered[E cmp.Ordered](s []E) {
	for i := 1; i < len(s); i++ {
		x, j := s[i], i
		for ; j > 0 && cmp.Less(x, s[j-1]); j-- {
			s[j] = s[j-1]
		}
		s[j] = x
	}
}

// sortView sorts a slice as one of the types of its kind and size.
func sortView(s reflect.Value, c config) {
	switch t := s.Type().Elem(); t.Kind() {
	case reflect.String:
		sortStrings(view[string](s), c)
	case reflect.Float32:
		sortNumbers[float32, float32](view[float32](s), 0, c)
	case reflect.Float64:
		sortNumbers[float64, float64](view[float64](s), 0, c)
	case reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64, reflect.Int:
		switch t.Size() {
		case 1:
			sortNumbers[int8, uint8](view[int8](s), 1<<7, c)
		case 2:
			sortNumbers[int16, uint16](view[int16](s), 1<<15, c)
		case 4:
			sortNumbers[int32, uint32](view[int32](s), 1<<31, c)
		default:
			sortNumbers[int64, uint64](view[int64](s), 1<<63, c)
		}
	default:
		switch t.Size() {
		case 1:
			sortNumbers[uint8, uint8](view[uint8](s), 0, c)
		case 2:
			sortNumbers[uint16, uint16](view[uint16](s), 0, c)
		case 4:
			sortNumbers[uint32, uint32](view[uint32](s), 0, c)
		default:
			sortNumbers[uint64, uint64](view[uint64](s), 0, c)
		}
	}
}

// sortNumbers sorts elements that are not nearly in order, by the keys of a view of them.
func sortNumbers[E cmp.Ordered, View viewed](s []E, flip uint64, c config) {
	if len(s) <= prim.Size(tiny) {
		insertionOrdered(s)
		return
	}
	if inRuns(s, false, cmp.Compare[E], func(s []E) { sortNumbers[E, View](s, flip, c.further()) }, c) {
		return
	}
	k, all := numberKernel[View]{flip}, view[View](reflect.ValueOf(s))
	if len(s) <= prim.Size(smallMost) {
		k.small(all)
		return
	}
	radixSort(&numberList[View]{numberKernel: k, at: [2][]View{all}}, len(s), c)
}

// inRuns sorts s if it is nearly in order, and reports whether it did. Unless all may move, it
// leaves s to a radix sort if it would move most of it. It compares by cmp, and sorts strays by
// sort.
func inRuns[E cmp.Ordered](s []E, all bool, cmp func(a, b E) int, sort func([]E), c config) bool {
	known := 0
	if len(s) > prim.Size(radixAlone) {
		further := c.further()
		if known = ascendingOrdered(s, &further); known == len(s) {
			return true
		}
		if descendsAll(s, c.further()) {
			reverseAll(s, c.further())
			return true
		}
	}
	return naturalOrdered(s, known, all, cmp, sort)
}

// Integer is the types that [SortKey] sorts by.
type Integer interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 |
		~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uintptr
}

// SortKey sorts s by an integer that key returns for each element. Elements with the same
// key keep their order. It calls key once for each element, before it moves any: if key
// panics, s is as it was.
//
// It is a radix sort: see [Sort]. It allocates a key and an element for each element of s,
// twice, or for elements of more than 24 bytes, a key and an index, twice, and an element.
func SortKey[S ~[]E, E any, K Integer](s S, key func(E) K, opts ...Option) {
	refuse("SortKey", 0, key == nil)
	c := configured(0, opts)
	lowest := K(1) // or 0, for unsigned keys
	for lowest > 0 {
		lowest <<= 1
	}
	key = watched1(c.gauge, key)
	sortByKey(s, keys[E]{by: func(x E) uint64 { return uint64(key(x)) - uint64(lowest) }}, nil, c)
	c.finished(len(s))
}

// keys are the keys of elements: results of a function, or a field of them.
type keys[E any] struct {
	by    func(E) uint64
	field field
}

// sortByKey sorts s by keys, stably. If cmp is not nil, it must prove to have the same order,
// or s is left as it was.
func sortByKey[E any](s []E, keys keys[E], cmp func(a, b E) int, c config) (proved bool) {
	switch small := reflect.TypeFor[E]().Size() <= largeItem; {
	case len(s) < 2:
		return true
	case !small:
		return sortByIndex(s, keys, cmp, c)
	case cmp == nil && len(s) <= prim.Size(stackMost):
		c.calling(len(s), 0, 1, 4, len(s))
		sortFewItems(s, keys.by)
		return true
	default:
		return sortItems(s, keys, cmp, c)
	}
}

// before is the same for a sort of n elements that have their keys. A proof may follow.
func before(c config, proof bool, n int) config {
	if proof {
		return c.stage(n, 1, 2, 4)
	}
	return c.stage(n, 1, 4, 4)
}

// largeItem is the size of elements up to which they are moved with their keys. Larger ones
// are moved once, in the end.
const largeItem = 24

// sortItems is sortByKey for small elements.
func sortItems[E any](s []E, keys keys[E], cmp func(a, b E) int, c config) (proved bool) {
	all := uncleared[item[E]](len(s))
	ends := &struct {
		keying[E]
		unkeying[E]
	}{keying[E]{all, s, keys}, unkeying[E]{s, all}}
	do(len(s), &ends.keying, c.calling(len(s), 0, 1, 4, len(s)))
	radixSort(&itemList[E]{at: [2][]item[E]{all}}, len(s), before(c, cmp != nil, len(s)))
	if cmp != nil && !prove(all, cmp, c.calling(len(s), 1, 2, 2, len(s))) {
		return false
	}
	do(len(s), &ends.unkeying, c.further())
	return true
}

// sortFewItems sorts up to stackMost elements without an allocation.
func sortFewItems[E any](s []E, key func(E) uint64) {
	var order [stackMost]item[int]
	for i := range s {
		order[i] = item[int]{key(s[i]), i}
	}
	sortFewIndices(order[:len(s)])
	var to [stackMost]E
	for i := range s {
		to[i] = s[order[i].of]
	}
	copy(s, to[:])
}

type keying[E any] struct {
	to   []item[E]
	from []E
	keys keys[E]
}

func (k *keying[E]) run(lo, hi int) error {
	to, from := k.to[lo:hi], k.from[lo:hi]
	if field := k.keys.field; field != nil {
		for i := range from {
			to[i] = item[E]{field(addressOf(&from[i])), from[i]}
		}
		return nil
	}
	for i, x := range from {
		to[i] = item[E]{k.keys.by(x), x}
	}
	return nil
}

type unkeying[E any] struct {
	to   []E
	from []item[E]
}

func (k *unkeying[E]) run(lo, hi int) error {
	to, from := k.to[lo:hi], k.from[lo:hi]
	for i := range from {
		to[i] = from[i].of
	}
	return nil
}

// sortByIndex is sortByKey for large elements: it sorts their indices.
func sortByIndex[E any](s []E, keys keys[E], cmp func(a, b E) int, c config) (proved bool) {
	all := uncleared[item[int]](len(s))
	do(len(s), &indexing[E]{all, s, keys}, c.calling(len(s), 0, 1, 4, len(s)))
	sortIndices(all, before(c, cmp != nil, len(s)))
	if cmp != nil && !proveIndices(all, func(i, j int) int { return cmp(s[i], s[j]) }, c.calling(len(s), 1, 2, 2, len(s))) {
		return false
	}
	to := uncleared[E](len(s))
	do(len(s), &gathering[E]{to, s, all}, c.further())
	copyAll(s, to, c.further())
	return true
}

type indexing[E any] struct {
	to   []item[int]
	from []E
	keys keys[E]
}

func (k *indexing[E]) run(lo, hi int) error {
	for i := lo; i < hi; i++ {
		if field := k.keys.field; field != nil {
			k.to[i] = item[int]{field(addressOf(&k.from[i])), i}
		} else {
			k.to[i] = item[int]{k.keys.by(k.from[i]), i}
		}
	}
	return nil
}

type gathering[E any] struct {
	to, from []E
	order    []item[int]
}

func (g *gathering[E]) run(lo, hi int) error {
	for i := lo; i < hi; i++ {
		g.to[i] = g.from[g.order[i].of]
	}
	return nil
}
