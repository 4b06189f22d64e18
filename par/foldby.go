package par

//lint:file-ignore U1000 The methods are those of leaf; the check does not see it of generic types.

import (
	"cmp"
	"context"
	"slices"

	"github.com/rouse-go/rouse/api/prim"
)

// FoldBy folds for each key the elements of s with that key, in their order: in parts, each from a value of
// start by add, and puts the results of its parts together with merge: eight neighbours, from the first to
// the last, then eight such results, and so on. How many elements a part has depends on the length of s
// alone, so the results are the same on any number of workers, to the last bit, if start returns the same
// each time. It calls key once for each element. NaNs are keys of their own, as in any map; of 0 and -0, the
// first one is the key.
//
// A key has one part for each len(s)/256 elements that it has. In a slice of at most 16,384 a part has up to
// 64, and in one of at most 31 a single element. The elements of a part are done one after the other: so
// for few elements that take long, do the long part by [Map], and fold the results. Of parts that panic, the
// first one counts of the key that comes first in s.
//
// A value of start belongs to one call of add or merge at a time: they may change their first
// argument and return it. Of each key it keeps as many at the same time as [Fold] does. It moves the
// elements to others with the same key: besides the map that it returns, it allocates two keys, two
// elements and 12 bytes for each element, some words for each key, up to half a byte for each element and
// worker, and up to a quarter of a megabyte.
func FoldBy[S ~[]E, E any, K comparable, A any](s S, key func(E) K, start func() A, add func(A, E) A, merge func(a, b A) A, opts ...Option) map[K]A {
	refuse("FoldBy", 0, key == nil || start == nil || add == nil || merge == nil)
	var c config
	c.heeds(((codeOf(key)*31+codeOf(start))*31+codeOf(add))*31+codeOf(merge), opts)
	if len(s) == 0 {
		c.finished(0)
		return map[K]A{}
	}
	all := c.stages(len(s), (groupingPasses+1)*len(s))
	f := &keyFold[E, K, A]{folder: elementFolder[E, A]{start: start, add: add, merge: merge}}
	f.s, f.most = s, max(1, min(smallPart, len(s)/fewParts), partsOf(len(s), manyParts))
	f.find(key, all)
	f.gather(f.cut, all.further())
	f.folder.s = f.grouped
	f.sort(all.further().over(1))
	all.each(len(f.parts), f)
	f.sums.fill(f.groups, func(sums map[K]A) {
		for _, x := range f.several {
			sums[x.key] = *x.sum(0)
		}
	})
	c.finished(len(s))
	return f.sums.all
}

// A short slice has fewParts, or more; then parts have smallPart elements, and more if there
// would be more than manyParts of them.
const (
	fewParts  = 16
	smallPart = 64
	manyParts = 256
	// partsAlone is how many parts the caller sorts alone.
	partsAlone = 1 << 10
)

// A keyFold groups elements and folds the parts of groups. Parts are in the order in which their keys come
// first, and so are their failures: no other order depends on the input alone.
type keyFold[E any, K comparable, A any] struct {
	grouping[E, K]
	folder elementFolder[E, A] // of all groups
	most   int                 // elements in a part
	sums   growing[K, A]
	ended  Scratch[[]keySum[K, A]] // sums that are not in the map yet

	mu      prim.Mutex
	groups  int                 // how many; guarded by mu
	several []*several[E, K, A] // guarded by mu
	parts   []keyPart           // guarded by mu until all are there
}

// A keyPart is the n elements from a place on. The first one of its key has the index first. several is the
// number of the group, if it has several parts, or -1.
type keyPart struct {
	first, at int
	n         uint32
	several   int32
}

type keySum[K comparable, A any] struct {
	key K
	sum A
}

// A several is a group of several parts. They are put together as those of a [Fold] are.
type several[E any, K comparable, A any] struct {
	group[K]
	folding[A, elementFolder[E, A]]
}

// cut cuts groups into parts.
func (f *keyFold[E, K, A]) cut(groups []group[K]) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.groups += len(groups)
	for _, x := range groups {
		which := int32(-1)
		if n := x.hi - x.lo; n > f.most {
			which = int32(len(f.several))
			l, count := f.folder, partsOf(n, f.most)
			l.s = f.grouped[x.lo:x.hi]
			f.several = append(f.several, &several[E, K, A]{x, folding[A, elementFolder[E, A]]{l, n, f.most, count, make([]place[A], partsOf(count, fan))}})
		}
		for at := x.lo; at < x.hi; at += f.most {
			f.parts = append(f.parts, keyPart{x.first, at, uint32(min(f.most, x.hi-at)), which})
		}
	}
}

// sort puts the parts in the order in which their keys come first. Where the loops of a sort begin depends on
// the order before, and that on hashes, which are others in each call. Few parts take no loop: so what
// the explorer runs again does the same again.
func (f *keyFold[E, K, A]) sort(c config) {
	if len(f.parts) > partsAlone {
		sortByKey(f.parts, keys[keyPart]{by: func(p keyPart) uint64 { return uint64(p.first) }}, nil, c)
		return
	}
	slices.SortFunc(f.parts, func(a, b keyPart) int { return cmp.Or(a.first-b.first, a.at-b.at) })
}

func (f *keyFold[E, K, A]) run(ctx context.Context, lo, hi int, stop *prim.Bool) (at int, err error) {
	f.ended.Do(func(sums *[]keySum[K, A]) {
		for at = lo; at < hi; {
			if p := f.parts[at]; p.several < 0 {
				sum, _ := f.folder.fold(ctx, p.at, p.at+int(p.n))
				*sums = append(*sums, keySum[K, A]{f.keys[p.first], sum})
			} else {
				x := f.several[p.several]
				i := (p.at - x.lo) / f.most
				_, _ = x.run(ctx, i, i+1, &never.stop)
			}
			if at++; stop.Load() {
				break
			}
		}
		if len(*sums) > 0 {
			f.sums.fill(f.groups, func(all map[K]A) {
				for _, x := range *sums {
					all[x.key] = x.sum
				}
			})
			clear(*sums)
			*sums = (*sums)[:0]
		}
	})
	return at, nil
}
