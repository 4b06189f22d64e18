package par

import (
	"reflect"

	"github.com/rouse-go/rouse/api/prim"
	"github.com/rouse-go/rouse/par/internal/merge"
	"github.com/rouse-go/rouse/par/internal/radix"
)

// keys are the keys of elements: results of a function, or a field of them.
type keys[E any] struct {
	by    func(E) uint64
	field field
}

func (k keys[E]) of(x *E) uint64 {
	if k.field != nil {
		return k.field(addressOf(x))
	}
	return k.by(*x)
}

// fewKeys is how many elements are sorted by insertion, with their keys on the stack.
const fewKeys = 64

func insertByKey[E any](s []E, keys keys[E]) {
	var of [fewKeys]uint64
	for i := range s {
		of[i] = keys.of(&s[i])
	}
	for i := 1; i < len(s); i++ {
		x, key, j := s[i], of[i], i
		for ; j > 0 && of[j-1] > key; j-- {
			s[j], of[j] = s[j-1], of[j-1]
		}
		s[j], of[j] = x, key
	}
}

// largeItem is the size of elements up to which they are moved with their keys. Larger ones
// are moved once, in the end.
const largeItem = 24

// sortByKey sorts s by keys, stably. If cmp is not nil, it must prove to have the same order,
// or s is left as it was.
func sortByKey[E any](s []E, keys keys[E], cmp func(a, b E) int, c config) (proved bool) {
	if cmp == nil && len(s) <= prim.Size(fewKeys) {
		insertByKey(s, keys)
		return true
	}
	if reflect.TypeFor[E]().Size() <= largeItem {
		all := uncleared[radix.Item[E]](len(s))
		spread(len(s), func(lo, hi int) {
			for i := lo; i < hi; i++ {
				all[i] = radix.Item[E]{Key: keys.of(&s[i]), Of: s[i]}
			}
		}, c)
		if !sortItems(all, cmp, c) {
			return false
		}
		spread(len(s), func(lo, hi int) {
			for i := lo; i < hi; i++ {
				s[i] = all[i].Of
			}
		}, c.further())
		return true
	}
	all := uncleared[radix.Item[int]](len(s))
	spread(len(s), func(lo, hi int) {
		for i := lo; i < hi; i++ {
			all[i] = radix.Item[int]{Key: keys.of(&s[i]), Of: i}
		}
	}, c)
	var byIndex func(i, j int) int
	if cmp != nil {
		byIndex = func(i, j int) int { return cmp(s[i], s[j]) }
	}
	if !sortItems(all, byIndex, c) {
		return false
	}
	to := uncleared[E](len(s))
	spread(len(s), func(lo, hi int) {
		for i := lo; i < hi; i++ {
			to[i] = s[all[i].Of]
		}
	}, c.further())
	copyAll(s, to, c.further())
	return true
}

// sortItems sorts items by their keys, and those with the same key by cmp, unless that is nil. It
// reports whether all are in the order of cmp then. It calls cmp about once for each.
//
// The proof: items with the same key follow each other, and are in the order of cmp then, equal ones
// as they came. The last one of each key is less than the first one of the next key. So, if cmp is an
// order, all items with lower keys are less than all with higher ones, and equal ones have the same
// key. There is just one stable order, and this is it.
func sortItems[P any](all []radix.Item[P], cmp func(a, b P) int, c config) (proved bool) {
	loop, further := c.steps(), c.further()
	if reach(all, 1, rise, &further) < len(all) {
		radix.Sort(&radix.Items[P]{all, uncleared[radix.Item[P]](len(all))}, len(all), loop)
	}
	if cmp == nil {
		return true
	}
	return radix.Ties(all, func(lo, hi int) bool { return sortGroup(all[lo:hi], cmp) }, func(a, b P) bool { return cmp(a, b) < 0 }, loop)
}

// rise returns how many items s begins with whose keys ascend.
func rise[P any](s []radix.Item[P]) int {
	for i := 1; i < len(s); i++ {
		if s[i].Key < s[i-1].Key {
			return i
		}
	}
	return len(s)
}

// sortGroup sorts items with the same key, apart from that, unless they are too many for one worker.
func sortGroup[P any](s []radix.Item[P], cmp func(a, b P) int) bool {
	ordered := true
	for i := 1; i < len(s) && ordered; i++ {
		ordered = cmp(s[i].Of, s[i-1].Of) >= 0
	}
	if ordered || len(s) > radix.Alone {
		return ordered
	}
	all := make([]P, len(s))
	for i := range s {
		all[i] = s[i].Of
	}
	merge.Sort(all, nil, cmp)
	for i, x := range all {
		s[i].Of = x
	}
	return true
}
