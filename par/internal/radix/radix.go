// Package radix sorts by keys of up to 64 bits: the most significant digit first, stably.
//
// One pass goes by as many bits as the caches bear buckets, from the highest bit in which keys differ; then each bucket is sorted by itself.
// Each block of elements counts its own, so it knows where to put them, and stability costs nothing: Zagha and Blelloch, "Radix sort for vector multiprocessors" (1991).
// Buckets from the highest digit on: McIlroy, Bostic and McIlroy, "Engineering radix sort" (1993).
//
// The package knows no workers. A [Loop] of the caller shares out the blocks and the buckets of many elements.
// A bucket that one worker would be at for long, while others wait, is distributed by all.
//
// The sort is compiled once: it knows its elements by a [List] alone, which has the steps that depend on their type.
// If it were generic itself, each package that sorts would compile all of it again.
package radix

import (
	"math/bits"
	"slices"

	"github.com/rouse-go/rouse/api/prim"
)

const (
	// Alone is how many elements are sorted without a loop.
	Alone = 1 << 15
	// Block is how many elements have a histogram, at least, and blocks how many there are, at most.
	Block  = 1 << 13
	blocks = 1 << 7
	// insertMost is how many elements are sorted by insertion.
	insertMost = 24
	// wide is the digit whose buckets the caches bear: 2048 lines of 64 bytes are a second-level
	// cache's eighth.
	wide = 11
	// narrow is the digit for up to narrowMost elements.
	narrow     = 8
	narrowMost = 1 << 12
)

// A List has the elements of a sort, in one of two places. All steps are stable. A range is the
// elements lo to hi-1.
type List interface {
	// Differ returns the bits in which keys of a range are not like that of the element at first.
	Differ(in Side, first, lo, hi int) uint64
	// Count adds to counts how many elements of a range each bucket gets.
	Count(in Side, lo, hi int, d Digit, counts []int)
	// Scatter copies each element of a range to where at says for its bucket in the other place, and
	// moves that on.
	Scatter(from Side, lo, hi int, d Digit, at []int)
	// Insert sorts a range that is short, or in which all elements are near their places.
	Insert(in Side, lo, hi int)
	// Move copies a range to the other place.
	Move(from Side, lo, hi int)
}

// A Side is one of the two places. The elements lie at 0 before the sort, and after it.
type Side int

func (s Side) other() Side { return 1 - s }

// A Digit is some bits of a key.
type Digit struct{ shift, width int }

// digitOf returns the highest bits in which keys differ, as many as most.
func digitOf(diff uint64, most int) Digit {
	n := bits.Len64(diff)
	width := min(n, most)
	return Digit{n - width, width}
}

func (d Digit) buckets() int { return 1 << d.width }

func (d Digit) mask() uint64 { return 1<<d.width - 1 }

// A Loop calls body with ranges of the indices 0 to n-1, maybe several at the same time, and returns
// when all are done. It is told which step of the sort that is.
type Loop func(step Step, n int, body func(lo, hi int))

// A Step is what a Loop is for. Each of the first four is one loop of a sort by keys.
type Step int

const (
	Look Step = iota
	Count
	Scatter
	Finish
	Other // all else, as buckets that are distributed in turn
)

// Sort sorts the n elements of a list.
func Sort(l List, n int, loop Loop) {
	if n <= prim.Size(Alone) {
		alone(l, 0, 0, n, 0)
		return
	}
	shared{l, loop}.sort(0, 0, n, 0, true)
}

// alone sorts a range by one goroutine, in its place or to the other one.
func alone(l List, in Side, lo, hi int, to Side) {
	room := rooms.Get().(*[2 << wide]int)
	one(l, in, lo, hi, to, room[:])
	rooms.Put(room)
}

// one is alone, with room for counts.
func one(l List, in Side, lo, hi int, to Side, room []int) {
	n := hi - lo
	if n <= insertMost {
		l.Insert(in, lo, hi)
	} else if diff := l.Differ(in, lo, lo, hi); diff != 0 {
		d := digitOf(diff, wide)
		if n <= narrowMost {
			d = digitOf(diff, min(narrow, bits.Len(uint(n))-2))
		}
		if len(room) < d.buckets() {
			room = make([]int, d.buckets())
		}
		counts := room[:d.buckets()]
		clear(counts)
		l.Count(in, lo, hi, d, counts)
		at := lo
		for b, n := range counts {
			counts[b] = at
			at += n
		}
		l.Scatter(in, lo, hi, d, counts)
		if in = in.other(); d.shift > 0 {
			finish(l, in, lo, counts, room[d.buckets():])
		}
	}
	if in != to {
		l.Move(in, lo, hi)
	}
}

// finish sorts buckets in their place, the first of which begins at lo. Most have a few elements, so
// one insertion sort takes all that lie between two large ones.
func finish(l List, in Side, lo int, ends, room []int) {
	done := lo
	for _, hi := range ends {
		if hi-lo > insertMost {
			l.Insert(in, done, lo)
			one(l, in, lo, hi, in, room)
			done = hi
		}
		lo = hi
	}
	l.Insert(in, done, lo)
}

// shared sorts by loops.
type shared struct {
	list List
	loop Loop
}

// sort sorts a range, in its place or to the other one. top says that these are all elements.
func (s shared) sort(in Side, lo, hi int, to Side, top bool) {
	loop := func(step Step, n int, each func(i int)) {
		if !top {
			step = Other
		}
		s.loop(step, n, func(i, end int) {
			for ; i < end; i++ {
				each(i)
			}
		})
	}
	size := max(prim.Size(Block), (hi-lo+blocks-1)/blocks)
	n := (hi - lo + size - 1) / size
	block := func(b int) (from, end int) { return lo + b*size, min(lo+(b+1)*size, hi) }

	diffs, diff := make([]uint64, n), uint64(0)
	loop(Look, n, func(b int) {
		from, end := block(b)
		diffs[b] = s.list.Differ(in, lo, from, end)
	})
	for _, d := range diffs {
		diff |= d
	}
	if diff == 0 {
		if in != to {
			s.list.Move(in, lo, hi)
		}
		return
	}
	// Buckets of some thousand elements are sorted in the first-level cache.
	d := digitOf(diff, min(wide, bits.Len(uint((hi-lo)/prim.Size(1<<10)))))
	counts := make([]int, n<<d.width)
	at := func(b int) []int { return counts[b<<d.width : (b+1)<<d.width] }
	loop(Count, n, func(b int) {
		from, end := block(b)
		s.list.Count(in, from, end, d, at(b))
	})
	starts := make([]int, d.buckets()+1) // of each bucket, and where the last one ends
	for b := range n {
		for bucket, count := range at(b) {
			starts[bucket+1] += count
		}
	}
	starts[0] = lo
	for bucket := range d.buckets() {
		starts[bucket+1] += starts[bucket]
	}
	next := slices.Clone(starts)
	for b := range n { // elements of the lower blocks come first
		for bucket, count := range at(b) {
			at(b)[bucket] = next[bucket]
			next[bucket] += count
		}
	}
	loop(Scatter, n, func(b int) {
		from, end := block(b)
		s.list.Scatter(in, from, end, d, at(b))
	})
	for b := range d.buckets() {
		if lo, hi := starts[b], starts[b+1]; hi-lo > prim.Size(Alone) {
			s.sort(in.other(), lo, hi, to, false)
		}
	}
	loop(Finish, d.buckets(), func(b int) {
		if lo, hi := starts[b], starts[b+1]; lo < hi && hi-lo <= prim.Size(Alone) {
			alone(s.list, in.other(), lo, hi, to)
		}
	})
}
