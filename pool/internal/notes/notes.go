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
	key = spread(key)
	set, first := all.set(key), key>>2
	for i := range uint64(len(set)) {
		if set[(first+i)%uint64(len(set))].Load() == key|briefs {
			return true
		}
	}
	return false
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
	set, first := all.set(key), key>>2
	at := &set[first%uint64(len(set))]
	for i := range uint64(len(set)) {
		place := &set[(first+i)%uint64(len(set))]
		switch old := place.Load(); {
		case old&^3 == key:
			now := key
			if short {
				now |= min(old&3+1, briefs)
			}
			if now != old {
				place.Store(now)
			}
			return
		case old == 0 && at.Load() != 0:
			at = place
		}
	}
	if short {
		at.Store(key | 1)
	}
}

// briefs is how many short calls in a row make the next one brief. The lower two bits of a
// note count them.
const briefs = 2

// pages have the keys in sets, each of a cache line, by their upper bits. In place of its
// lower bits a key has the count.
type pages [128][8]prim.Uint64

func (n *pages) set(key uint64) *[8]prim.Uint64 { return &n[key>>57] }

// spread spreads the bits of a key, and makes room for a count. It is not 0.
func spread(key uint64) uint64 { return key*0x9e3779b97f4a7c15&^3 | 4 }
