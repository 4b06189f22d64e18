package par

//lint:file-ignore U1000 The methods are those of leaf; the check does not see it of generic types.

import "context"

// FoldBy folds for each key the elements of s with that key, in their order. It divides s
// into parts, folds the elements of each key in a part from a value of start by add, and puts
// the results of parts together with merge: eight neighbours, from the first to the last,
// then eight such results, and so on. A part without the key is left out. The parts depend on
// the length of s alone, so the results are the same on any number of workers, to the last
// bit, if start returns the same each time. It calls key once for each element. NaNs are keys
// of their own, as in any map.
//
// There are at most 256 parts, of one element each if s has at most 31, and of 64 or less
// if it has at most 16,384. The elements of a part are done one after the other: so for few
// elements that take long, do the long part by [Map], and fold the results.
//
// A value of start belongs to one call of add or merge at a time: they may change their first
// argument and return it. Of each key it keeps as many at the same time as [Fold] does. Besides
// these and the map that it returns, FoldBy allocates a key and some words for each that it
// keeps, and for each worker a map of the keys that it meets, and some words for each of them.
func FoldBy[S ~[]E, E any, K comparable, A any](s S, key func(E) K, start func() A, add func(A, E) A, merge func(a, b A) A, opts ...Option) map[K]A {
	refuse("FoldBy", 0, key == nil || start == nil || add == nil || merge == nil)
	var c config
	c.heeds(((codeOf(key)*31+codeOf(start))*31+codeOf(add))*31+codeOf(merge), opts)
	if len(s) == 0 {
		c.finished(0)
		return map[K]A{}
	}
	size := max(1, min(smallPart, len(s)/fewParts), partsOf(len(s), manyParts))
	f := &keyFold[E, K, A]{s: s, key: watched1(c.gauge, key), start: watched0(c.gauge, start)}
	f.add, f.merge = watched2(c.gauge, add), watched2(c.gauge, merge)
	f.rooms.New = func() *keyRoom[K, A] { return &keyRoom[K, A]{ids: make(map[K]uint32)} }
	all := folded(len(s), size, f, 2*len(s), &c)
	m := make(map[K]A, len(all.keys))
	for i, k := range all.keys {
		m[k] = all.sums[i]
	}
	return m
}

// A short slice has fewParts, or more; then parts have smallPart elements, and more if there
// would be more than manyParts of them.
const (
	fewParts  = 16
	smallPart = 64
	manyParts = 256
)

// A keyFold folds ranges of elements by key.
type keyFold[E any, K comparable, A any] struct {
	s     []E
	key   func(E) K
	start func() A
	add   func(A, E) A
	merge func(a, b A) A
	// rooms are pointers, since the ids of a room that was dropped, because a function
	// panicked, are not those of the next one.
	rooms Scratch[*keyRoom[K, A]]
}

// A keySums is the result of some neighbouring elements: their keys, in the order in
// which they come first, and the sum of each.
type keySums[K comparable, A any] struct {
	keys []K
	sums []A
	// ids are those of the keys, in a room. A column there has their indices, as long as the
	// stamp is the same.
	ids    []uint32
	room   *keyRoom[K, A]
	column int
	stamp  uint32
}

// A keyRoom has a number for each key that it has met, its id. A goroutine that folds several parts in the
// same room looks up each element once, and merges the parts by their ids. There is one room
// for each goroutine that is at the fold; what was folded in another one is looked up again.
type keyRoom[K comparable, A any] struct {
	ids map[K]uint32
	// places tells for each id, and each column, where the key is in the keySums that has the
	// column.
	places  [][keyColumns]keyPlace
	columns [keyColumns]keyColumn
	stamp   uint32 // the last one: each fold or merge has one, so they do not wrap
	spare   []*keySums[K, A]
}

// keyColumns is how many keySums a goroutine adds to in turn: a part, and a node on each level
// of the tree over manyParts.
const keyColumns = 4

// A keyPlace is the stamp of a keySums, and the index of a key in it.
type keyPlace struct{ stamp, index uint32 }

// A keyColumn is for the keySums with the stamp. It was last used at a stamp, or at 0 if nobody
// needs it.
type keyColumn struct{ stamp, used uint32 }

func (f *keyFold[E, K, A]) fold(_ context.Context, lo, hi int) (to *keySums[K, A], err error) {
	f.rooms.Do(func(r **keyRoom[K, A]) {
		room := *r
		to = room.next()
		room.use(to)
		for _, x := range f.s[lo:hi] {
			k := f.key(x)
			id := room.id(k)
			place := &room.places[id][to.column]
			if place.stamp != to.stamp {
				to.add(place, k, f.start(), id)
			}
			sum := &to.sums[place.index]
			*sum = f.add(*sum, x)
		}
	})
	return to, nil
}

// join adds b to a.
func (f *keyFold[E, K, A]) join(a, b *keySums[K, A]) *keySums[K, A] {
	f.rooms.Do(func(r **keyRoom[K, A]) {
		room := *r
		room.use(a)
		room.adopt(b)
		for i, id := range b.ids {
			place := &room.places[id][a.column]
			if place.stamp != a.stamp {
				a.add(place, b.keys[i], b.sums[i], id)
				continue
			}
			sum := &a.sums[place.index]
			*sum = f.merge(*sum, b.sums[i])
		}
		room.drop(b)
	})
	return a
}

// add adds a key, and notes its place.
func (s *keySums[K, A]) add(place *keyPlace, k K, sum A, id uint32) {
	*place = keyPlace{s.stamp, uint32(len(s.keys))}
	s.keys, s.sums, s.ids = append(s.keys, k), append(s.sums, sum), append(s.ids, id)
}

// id returns the number of a key.
func (r *keyRoom[K, A]) id(k K) uint32 {
	id, ok := r.ids[k]
	if !ok {
		id = uint32(len(r.places))
		r.ids[k] = id
		r.places = append(r.places, [keyColumns]keyPlace{})
	}
	return id
}

// adopt has the ids be those of the room.
func (r *keyRoom[K, A]) adopt(s *keySums[K, A]) {
	if s.room == r {
		return
	}
	for i, k := range s.keys {
		s.ids[i] = r.id(k)
	}
	s.room, s.stamp = r, 0
}

// use has s have a column: the one that it has, or else the one that was not used for the
// longest time.
func (r *keyRoom[K, A]) use(s *keySums[K, A]) {
	r.adopt(s)
	r.stamp++
	if !r.has(s) {
		s.column, s.stamp = 0, r.stamp
		for i, c := range r.columns {
			if c.used < r.columns[s.column].used {
				s.column = i
			}
		}
		r.columns[s.column].stamp = s.stamp
		for i, id := range s.ids {
			r.places[id][s.column] = keyPlace{s.stamp, uint32(i)}
		}
	}
	r.columns[s.column].used = r.stamp
}

// has reports whether s still has its column.
func (r *keyRoom[K, A]) has(s *keySums[K, A]) bool {
	return s.stamp != 0 && r.columns[s.column].stamp == s.stamp
}

// next returns a keySums of nothing.
func (r *keyRoom[K, A]) next() *keySums[K, A] {
	if last := len(r.spare) - 1; last >= 0 {
		s := r.spare[last]
		r.spare = r.spare[:last]
		return s
	}
	return &keySums[K, A]{room: r}
}

// drop keeps the memory of s, which nobody needs any more, for others.
func (r *keyRoom[K, A]) drop(s *keySums[K, A]) {
	if r.has(s) {
		r.columns[s.column].used = 0
	}
	clear(s.keys)
	clear(s.sums)
	*s = keySums[K, A]{keys: s.keys[:0], sums: s.sums[:0], ids: s.ids[:0], room: r}
	r.spare = append(r.spare, s)
}
