package pool

import "github.com/rouse-go/rouse/api/prim"

// Notes of which calls were short, for packages like par that build loops on a pool. They are
// guesses: of two that are written to the same place at the same time, one is lost.

// Brief reports whether the last two calls with the key were short, as far as [Pool.Note]
// was told. It costs some nanoseconds.
func (p *Pool) Brief(key uint64) bool {
	all := p.notes.Load()
	if all == nil {
		return false
	}
	key = noteKey(key)
	set, first := all.set(key), key>>2
	for i := range uint64(len(set)) {
		if set[(first+i)%uint64(len(set))].Load() == key|briefs {
			return true
		}
	}
	return false
}

// Note says whether a call with the key was short. Two in a row make it brief, and one that
// was not ends that. A pool has room for about a thousand keys; others that come push some
// of them out. It writes only if what is known changes, and allocates the room, 8 KB, when
// the first call was short.
func (p *Pool) Note(key uint64, short bool) {
	all := p.notes.Load()
	if all == nil {
		if !short {
			return
		}
		p.notes.CompareAndSwap(nil, new(notes))
		all = p.notes.Load()
	}
	key = noteKey(key)
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

// notes has the keys in sets, each of a cache line, by their upper bits. In place of its
// lower bits a key has the count.
type notes [128][8]prim.Uint64

func (n *notes) set(key uint64) *[8]prim.Uint64 { return &n[key>>57] }

// noteKey spreads the bits of a key, and makes room for a count. It is not 0.
func noteKey(key uint64) uint64 { return key*0x9e3779b97f4a7c15&^3 | 4 }
