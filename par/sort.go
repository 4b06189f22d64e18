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
// the worst case, or to the bytes by which the strings differ. Strings that part one by one,
// over many bytes, it compares. What is in order already, or in reverse, it only looks at. Up
// to 16 runs of either it merges, if that moves few. Of 512 elements or more, it sorts only the
// others if most are equal, or if the rest ascends: up to one number in 32, or one string in 8.
//
// For numbers it allocates a buffer of the size of s, and histograms of a few megabytes at
// most; for up to 256 numbers, next to nothing. For strings it allocates three words for
// each, twice, and two words for those that it compares. A buffer of up to 128 KB is kept for
// the next sort, without pointers to the elements.
func Sort[S ~[]E, E cmp.Ordered](s S, opts ...Option) {
	c := configured(opts)
	sortOrdered(s, c)
	c.finished(len(s))
}

func sortOrdered[E cmp.Ordered](s []E, c config) {
	if len(s) <= prim.Size(tiny) {
		insertionOrdered(s)
		return
	}
	if inRuns(s, c) {
		return
	}
	switch t := reflect.TypeFor[E](); t.Kind() {
	case reflect.String:
		sortStrings(view[string](s), c)
	case reflect.Float32:
		sortNumbers(view[float32](s), 0, c)
	case reflect.Float64:
		sortNumbers(view[float64](s), 0, c)
	default:
		sortIntegers(s, t.Size(), reflect.Zero(t).CanInt(), c)
	}
}

// inRuns sorts s if it is nearly in order, and reports whether it did. It leaves to a radix sort
// what it would move most of.
func inRuns[E cmp.Ordered](s []E, c config) bool {
	known, all := 0, false
	if len(s) > prim.Size(radixAlone) {
		if known = ascendingOrdered(s, c.further()); known == len(s) {
			return true
		}
		if descendsAll(s, c.further()) {
			reverseAll(s, c.further())
			return true
		}
	} else {
		all = reflect.TypeFor[E]().Kind() == reflect.String
	}
	return naturalOrdered(s, known, all, func(s []E) { sortOrdered(s, c.further()) })
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

// sortIntegers sorts integers of so many bytes.
func sortIntegers[E any](s []E, size uintptr, signed bool, c config) {
	flip := uint64(0)
	if signed {
		flip = 1 << (8*size - 1)
	}
	switch size {
	case 1:
		sortNumbers(view[uint8](s), flip, c)
	case 2:
		sortNumbers(view[uint16](s), flip, c)
	case 4:
		sortNumbers(view[uint32](s), flip, c)
	case 8:
		sortNumbers(view[uint64](s), flip, c)
	}
}

// view returns the elements of s as To, which has the same representation.
func view[To, From any](s []From) []To {
	v := reflect.ValueOf(s)
	return reflect.SliceAt(reflect.TypeFor[To](), v.UnsafePointer(), v.Len()).Interface().([]To)
}

func sortNumbers[E viewed](s []E, flip uint64, c config) {
	k := numberKernel[E]{flip}
	if len(s) <= prim.Size(smallMost) {
		k.small(s)
		return
	}
	radixSort(s, k, c)
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
	c := configured(opts)
	lowest := K(1) // or 0, for unsigned keys
	for lowest > 0 {
		lowest <<= 1
	}
	key = watched1(c.gauge, key)
	of := func(x E) uint64 { return uint64(key(x)) - uint64(lowest) }
	sortByKey(s, of, nil, c)
	c.finished(len(s))
}

// sortByKey sorts s by key, stably. If cmp is not nil, it must prove to have the same order,
// or s is left as it was.
func sortByKey[E any](s []E, key func(E) uint64, cmp func(a, b E) int, c config) (proved bool) {
	if reflect.TypeFor[E]().Size() <= largeItem {
		return sortItems(s, key, nil, cmp, c)
	}
	return sortIndices(s, key, cmp, c)
}

// before is the same for a sort of n elements that have their keys. A proof may follow.
func (c config) before(proof bool, n int) config {
	if proof {
		return c.stage(n, 1, 2, 4)
	}
	return c.stage(n, 1, 4, 4)
}

// largeItem is the size of elements up to which they are moved with their keys. Larger ones
// are moved once, in the end.
const largeItem = 24

// sortItems is sortByKey for small elements. It sorts elements with the same key by ties,
// unless that is nil.
func sortItems[E any](s []E, key func(E) uint64, ties ties[E], cmp func(a, b E) int, c config) (proved bool) {
	keys := c.calling(len(s), 0, 1, 4, len(s))
	if cmp == nil && len(s) <= prim.Size(stackMost) {
		sortFewItems(s, key, ties)
		return true
	}
	all := uncleared[item[E]](len(s))
	ends := &struct {
		keying[E]
		unkeying[E]
	}{keying[E]{all, s, key}, unkeying[E]{s, all}}
	do(len(s), &ends.keying, keys)
	radixSort(all, itemKernel[E]{ties: ties}, c.before(cmp != nil, len(s)))
	if cmp != nil && !prove(all, cmp, c.calling(len(s), 1, 2, 2, len(s))) {
		return false
	}
	do(len(s), &ends.unkeying, c.further())
	return true
}

// sortFewItems sorts up to stackMost elements without an allocation.
func sortFewItems[E any](s []E, key func(E) uint64, ties ties[E]) {
	var all, buf [stackMost]item[E]
	for i, x := range s {
		all[i] = item[E]{key(x), x}
	}
	k := itemKernel[E]{ties: ties}
	k.sort(all[:len(s)], buf[:len(s)], false)
	for i := range s {
		s[i] = all[i].of
	}
}

type keying[E any] struct {
	to   []item[E]
	from []E
	key  func(E) uint64
}

func (k *keying[E]) run(lo, hi int) error {
	to, from := k.to[lo:hi], k.from[lo:hi]
	for i, x := range from {
		to[i] = item[E]{k.key(x), x}
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

// sortIndices is sortByKey for large elements: it sorts their indices.
func sortIndices[E any](s []E, key func(E) uint64, cmp func(a, b E) int, c config) (proved bool) {
	if len(s) < 2 {
		return true
	}
	all := uncleared[item[int]](len(s))
	do(len(s), &indexing[E]{all, s, key}, c.calling(len(s), 0, 1, 4, len(s)))
	radixSort(all, itemKernel[int]{}, c.before(cmp != nil, len(s)))
	if cmp != nil && !prove(all, func(i, j int) int { return cmp(s[i], s[j]) }, c.calling(len(s), 1, 2, 2, len(s))) {
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
	key  func(E) uint64
}

func (k *indexing[E]) run(lo, hi int) error {
	for i := lo; i < hi; i++ {
		k.to[i] = item[int]{k.key(k.from[i]), i}
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
