package par

//lint:file-ignore U1000 The methods are those of leaf; the check does not see it of generic types.

import (
	"context"
	"math"

	"github.com/rouse-go/rouse/api/prim"
	"github.com/rouse-go/rouse/pool"
	"github.com/rouse-go/rouse/pool/loops"
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
// argument and return it. Of each key it keeps as many at the same time as [Fold] does. Besides the map that
// it returns, it allocates what [GroupBy] does, and a value and some words for each part.
func FoldBy[S ~[]E, E any, K comparable, A any](s S, key func(E) K, start func() A, add func(A, E) A, merge func(a, b A) A, opts ...Option) map[K]A {
	refuse("FoldBy", 0, key == nil || start == nil || add == nil || merge == nil)
	var c config
	c.heeds(((codeOf(key)*31+codeOf(start))*31+codeOf(add))*31+codeOf(merge), opts)
	if len(s) == 0 {
		c.finished(0)
		return map[K]A{}
	}
	f := &keyFold[E, K, A]{folder: elementFolder[E, A]{start: start, add: add, merge: merge}}
	f.s, f.key, f.part = s, key, max(1, min(smallPart, len(s)/fewParts), partsOf(len(s), manyParts))
	f.failed.Store(math.MaxInt64)
	all := c.stages(len(s), len(s))
	f.group(f.cut, 1, all)
	f.folder.s = f.grouped
	all.each(len(f.parts), f)
	if f.failure != nil {
		loops.Raise(f.failure)
	}
	sums := f.result()
	c.finished(len(s))
	return sums
}

// A short slice has fewParts, or more; then parts have smallPart elements, and more if there
// would be more than manyParts of them.
const (
	fewParts  = 16
	smallPart = 64
	manyParts = 256
)

// A keyFold groups elements and folds the parts of groups, shard by shard, so that memory is read in order.
// Hashes are others in each call, so that is an order by chance, and a part that panics may not end the loop:
// one that has not begun may belong to a key that comes before. So all parts run but those of keys that come
// after one that has failed, and in the end the lowest failure counts.
type keyFold[E any, K comparable, A any] struct {
	grouping[E, K]
	folder elementFolder[E, A] // of all groups
	part   int                 // elements in a part

	// failed is the least of the indices at which the keys of failed parts come first, or math.MaxInt64.
	//
	// Writers: a goroutine whose part has failed, with mu.
	// Readers: everybody, before each part.
	// Pairs:   none: a worker that reads an old value folds some parts more.
	failed  prim.Int64
	mu      prim.Mutex
	failure *pool.PanicError    // of the lowest part that has failed; guarded by mu
	at      int                 // where that begins; guarded by mu
	groups  int                 // how many; guarded by mu
	several []*several[E, K, A] // guarded by mu
	parts   []keyPart[K, A]     // guarded by mu until all are there
}

// A keyPart is the n elements from a place on. The first one of its key has the index first. several is the
// number of the group, if it has several parts, or -1: then the part has the sum of its key.
type keyPart[K comparable, A any] struct {
	key       K
	first, at int
	n         uint32
	several   int32
	sum       A
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
	if f.parts == nil {
		f.parts = make([]keyPart[K, A], 0, len(groups)<<f.bits+manyParts)
	}
	f.groups += len(groups)
	for _, x := range groups {
		which := int32(-1)
		if n := x.hi - x.lo; n > f.part {
			which = int32(len(f.several))
			l, count := f.folder, partsOf(n, f.part)
			l.s = f.grouped[x.lo:x.hi]
			f.several = append(f.several, &several[E, K, A]{x, folding[A, elementFolder[E, A]]{l, n, f.part, count, make([]place[A], partsOf(count, fan))}})
		}
		for at := x.lo; at < x.hi; at += f.part {
			f.parts = append(f.parts, keyPart[K, A]{key: x.key, first: x.first, at: at, n: uint32(min(f.part, x.hi-at)), several: which})
		}
	}
}

func (f *keyFold[E, K, A]) run(ctx context.Context, lo, hi int, stop *prim.Bool) (at int, err error) {
	for at = lo; ; {
		if at = f.fold(ctx, at, hi, stop); at == hi || stop.Load() {
			return at, nil
		}
	}
}

// result returns the sums of all groups, when all parts are folded.
//
// One goroutine puts all of them into the map. Two that did so in turn would each find little of it in their caches.
func (f *keyFold[E, K, A]) result() map[K]A {
	all := make(map[K]A, f.groups)
	for i := range f.parts {
		if p := &f.parts[i]; p.several < 0 {
			all[p.key] = p.sum
		}
	}
	for _, x := range f.several {
		all[x.key] = *x.sum(0)
	}
	return all
}

// fold folds the parts lo to hi-1 until stop is set, or one has panicked. at is the first one that has not begun.
func (f *keyFold[E, K, A]) fold(ctx context.Context, lo, hi int, stop *prim.Bool) (at int) {
	returned := false
	defer func() {
		if !returned {
			if e := loops.Caught(recover()); e != nil {
				f.fail(&f.parts[at], e)
				at++
			}
		}
	}()
	for at = lo; at < hi; {
		if p := &f.parts[at]; int64(p.first) > f.failed.Load() {
			// Nobody will see it.
		} else if p.several < 0 {
			p.sum, _ = f.folder.fold(ctx, p.at, p.at+int(p.n))
		} else {
			x := f.several[p.several]
			i := (p.at - x.lo) / f.part
			_, _ = x.run(ctx, i, i+1, &never.stop)
		}
		if at++; stop.Load() {
			break
		}
	}
	returned = true
	return at
}

// fail notes that a part has panicked.
func (f *keyFold[E, K, A]) fail(p *keyPart[K, A], e *pool.PanicError) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if first := int64(p.first); first < f.failed.Load() || first == f.failed.Load() && p.at < f.at {
		f.failed.Store(first)
		f.failure, f.at = e, p.at
	}
}
