package par

import (
	"cmp"
	"reflect"
	"slices"

	"github.com/rouse-go/rouse/api/prim"
	"github.com/rouse-go/rouse/par/internal/merge"
	"github.com/rouse-go/rouse/par/internal/radix"
)

// Sort sorts s as [slices.Sort] does: NaNs come first, in any order, as -0 and 0 do.
//
// It looks at elements that are in order already, or strictly in reverse. It sorts mixed ones by
// their bits: the time is in proportion to len(s), and to the width of the numbers in the worst
// case, or to the bytes by which the strings differ. Others it cuts into parts, has package slices
// sort each, and merges these.
//
// Up to 128 elements are sorted by package slices. For more, it allocates a buffer of the size of s,
// and histograms of up to a few megabytes; for strings three words for each, twice.
func Sort[S ~[]E, E cmp.Ordered](s S, opts ...Option) {
	c := configured(0, opts)
	if len(s) <= prim.Size(bitsAlone) {
		slices.Sort(s)
	} else { // a small part is compiled for each type: the rest is, for types that have the same order
		sortView(reflect.ValueOf(s), c.stages(len(s), keyPasses*len(s)))
	}
	c.finished(len(s))
}

const (
	// bitsAlone is how many elements are sorted by package slices, rather than by their bits.
	bitsAlone = 1 << 7
	// compareAlone is how many elements the caller sorts alone by comparisons.
	compareAlone = 1 << 11
	// keyPasses is how often a sort by keys goes over these. To find them, to move the elements and to
	// check the result takes as long again.
	keyPasses = 4
)

// sortView sorts a slice as one of the types of its kind and size.
func sortView(s reflect.Value, c config) {
	switch t := s.Type().Elem(); t.Kind() {
	case reflect.String:
		sortStrings(view[string](s), c)
	case reflect.Float32:
		sortNumbers[float32](&float32s, s, 0, c)
	case reflect.Float64:
		sortNumbers[float64](&float64s, s, 0, c)
	case reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64, reflect.Int:
		switch t.Size() {
		case 1:
			sortNumbers[uint8](&int8s, s, 1<<7, c)
		case 2:
			sortNumbers[uint16](&int16s, s, 1<<15, c)
		case 4:
			sortNumbers[uint32](&int32s, s, 1<<31, c)
		default:
			sortNumbers[uint64](&int64s, s, 1<<63, c)
		}
	default:
		switch t.Size() {
		case 1:
			sortNumbers[uint8](&uint8s, s, 0, c)
		case 2:
			sortNumbers[uint16](&uint16s, s, 0, c)
		case 4:
			sortNumbers[uint32](&uint32s, s, 0, c)
		default:
			sortNumbers[uint64](&uint64s, s, 0, c)
		}
	}
}

// The orders are made once: to make one allocates.
var (
	float32s, float64s            = ordered[float32](false, leafMost), ordered[float64](false, leafMost)
	int8s, int16s, int32s, int64s = ordered[int8](true, leafMost), ordered[int16](true, leafMost), ordered[int32](true, leafMost), ordered[int64](true, leafMost)
	uint8s, uint16s               = ordered[uint8](true, leafMost), ordered[uint16](true, leafMost)
	uint32s, uint64s              = ordered[uint32](true, leafMost), ordered[uint64](true, leafMost)
	allStrings                    = ordered[string](true, compareMost)
)

// sortNumbers sorts elements by the keys of a view of them.
func sortNumbers[View radix.Number, E cmp.Ordered](o *order[E], s reflect.Value, flip uint64, c config) {
	if o.sort(view[E](s), c) {
		return
	}
	all := view[View](s)
	radix.Sort(&radix.Numbers[View]{Keys: radix.Keys[View]{Flip: flip}, At: [2][]View{all, uncleared[View](len(all))}}, len(all), c.steps())
}

func sortStrings(s []string, c config) {
	if allStrings.sort(s, c) {
		return
	}
	if !radix.Apart(s) {
		allStrings.mergeSort(s, 0, allStrings.leaf, c)
		return
	}
	all := make([]radix.Item[string], len(s))
	spread(len(s), func(i, end int) {
		for ; i < end; i++ {
			all[i].Of = s[i]
		}
	}, c.further())
	items := orderBy(func(a, b radix.Item[string]) int { return cmp.Compare(a.Of, b.Of) }, false)
	radix.Strings(all, c.steps(), func(some []radix.Item[string]) {
		if len(some) <= leafMost {
			items.leaf(some, nil)
		} else {
			items.mergeSort(some, 0, items.leaf, c.nested())
		}
	})
	spread(len(s), func(i, end int) {
		for ; i < end; i++ {
			s[i] = all[i].Of
		}
	}, c.further())
}

// SortFunc sorts s by cmp, which returns a negative number if a comes before b, a positive one if b
// comes before a, and 0 if they are equal. As [slices.SortFunc] it does not keep the order of equal
// elements; but the result depends on s and cmp alone. Use [SortStableFunc] to keep it.
//
// It calls cmp about len(s)·log₂ len(s) times, or about len(s) times if s is in order, or strictly in
// reverse. Fewer than 2048 elements are sorted by [slices.SortFunc]. Of more, it cuts s into parts,
// has package slices sort each, and merges these. It allocates a buffer of the size of s.
//
// If the elements are mixed, it first looks for a number among the first parts of an element, or for
// the first eight bytes of a string, that has the order of cmp. If there is one, it sorts by that as
// [SortKey] does, and by cmp where it is the same. Then it checks the result with cmp. That takes
// about one call of cmp for an element, or more where many have the same number, and the memory of
// SortKey. If the check fails, it has cost that time and memory, and s is as it was.
//
// If cmp panics, or contradicts itself, s still has all its elements, in some order.
func SortFunc[S ~[]E, E any](s S, cmp func(a, b E) int, opts ...Option) {
	refuse("SortFunc", 0, cmp == nil)
	c := configured(0, opts)
	sortBy(s, cmp, false, c)
	c.finished(len(s))
}

// SortStableFunc is [SortFunc] that keeps the order of equal elements, as [slices.SortStableFunc]
// does. It allocates a buffer of the size of s also for few elements, but for 16.
func SortStableFunc[S ~[]E, E any](s S, cmp func(a, b E) int, opts ...Option) {
	refuse("SortStableFunc", 0, cmp == nil)
	c := configured(0, opts)
	sortBy(s, cmp, true, c)
	c.finished(len(s))
}

func sortBy[E any](s []E, cmp func(a, b E) int, stable bool, c config) {
	switch {
	case len(s) >= prim.Size(compareAlone):
		sortMany(s, orderBy(cmp, stable), c.stages(len(s), 2*keyPasses*len(s)))
	case stable:
		merge.Sort(s, nil, cmp)
	default:
		slices.SortFunc(s, cmp)
	}
}

func sortMany[E any](s []E, o *order[E], c config) {
	c.loop = new(*loop) // for all loops of the sort, one after the other
	if o.sort(s, c) {
		return
	}
	field := fieldOf(s, o.cmp)
	if field == nil || !sortByKey(s, keys[E]{field: field}, o.cmp, c) {
		o.mergeSort(s, 0, o.leaf, c)
	}
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
	sortByKey(s, keys[E]{by: func(x E) uint64 { return uint64(key(x)) - uint64(lowest) }}, nil, c.stages(len(s), 2*keyPasses*len(s)))
	c.finished(len(s))
}
