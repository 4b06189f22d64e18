package radix

import (
	"sort"

	"github.com/rouse-go/rouse/api/prim"
)

// Ties calls group with each range of items that have the same key, lo to hi-1, if there are more than one. If
// before is not nil, it also asks whether the last item of each key comes before the first one of
// the next key. It reports whether all that was asked is true; if not, some groups may be left out.
//
// The items are sorted by their keys. group may change the keys of its items.
func Ties[P any](all []Item[P], group func(lo, hi int) bool, before func(a, b P) bool, loop Loop) bool {
	// No block ends between two items with the same key.
	bounds := []int{}
	for at := 0; at < len(all); at += prim.Size(Block) {
		key := all[at].Key
		bounds = append(bounds, sort.Search(at, func(i int) bool { return all[i].Key >= key }))
	}
	blocks := len(bounds)
	bounds = append(bounds, len(all))
	// refuted says that the answer is no. The other blocks go on: whether a function of the user's
	// panics there does not depend on which block comes first.
	//
	// Writers: a worker that does such a block.
	// Readers: the caller, when all have ended.
	// Pairs:   none, the loop's end orders them.
	var refuted prim.Bool
	loop(Other, blocks, func(b, end int) {
		for ; b < end; b++ {
			if !tiesOf(all, bounds[b], bounds[b+1], group, before) {
				refuted.Store(true)
			}
		}
	})
	if refuted.Load() {
		return false
	}
	for _, at := range bounds[:blocks] {
		if at > 0 && before != nil && !before(all[at-1].Of, all[at].Of) {
			return false
		}
	}
	return true
}

// tiesOf is Ties for a block.
func tiesOf[P any](all []Item[P], from, to int, group func(lo, hi int) bool, before func(a, b P) bool) bool {
	for at := from; at < to; {
		key, end := all[at].Key, at+1
		for end < to && all[end].Key == key {
			end++
		}
		if end-at > 1 && !group(at, end) || at > from && before != nil && !before(all[at-1].Of, all[at].Of) {
			return false
		}
		at = end
	}
	return true
}
