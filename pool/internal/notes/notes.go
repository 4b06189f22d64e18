// Package notes keeps which calls were short, for packages that build loops on a pool.
// Notes are guesses: of two that are written to the same place at the same time, one is lost.
package notes

import "github.com/rouse-go/rouse/api/prim"

// A Book has room for about a thousand keys. The zero value has none.
type Book struct {
	// pages is nil until a call was short.
	pages prim.Pointer[pages]
}

// Brief reports whether the last two calls with the key were short.
func (b *Book) Brief(key uint64) bool {
	all := b.pages.Load()
	if all == nil {
		return false
	}
	_, count := all.find(spread(key))
	return count == briefs
}

// Note says whether a call with the key was short. It writes only if the note changes.
func (b *Book) Note(key uint64, short bool) {
	all := b.pages.Load()
	if all == nil {
		if !short {
			return
		}
		b.pages.CompareAndSwap(nil, new(pages))
		all = b.pages.Load()
	}
	key = spread(key)
	place, count := all.find(key)
	now := uint64(0)
	if short {
		now = min(count+1, briefs)
	}
	if now != count {
		place.Store(key | now)
	}
}

// briefs is how many short calls in a row make the next one brief. The lower two bits of a
// note count them.
const briefs = 2

// pages have the keys in sets, each of a cache line, by their upper bits. In place of its
// lower bits a key has the count.
type pages [128][8]prim.Uint64

// find returns the place of a key and its count, or 0 and the place that it is to have: a free one of its
// set, or the first to be looked at.
func (n *pages) find(key uint64) (place *prim.Uint64, count uint64) {
	set, first := &n[key>>57], key>>2
	place = &set[first%uint64(len(set))]
	for i := range uint64(len(set)) {
		at := &set[(first+i)%uint64(len(set))]
		switch old := at.Load(); {
		case old&^3 == key:
			return at, old & 3
		case old == 0 && place.Load() != 0:
			place = at
		}
	}
	return place, 0
}

// spread spreads the bits of a key, and makes room for a count. It is not 0.
func spread(key uint64) uint64 { return key*0x9e3779b97f4a7c15&^3 | 4 }
