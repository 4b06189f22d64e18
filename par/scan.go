package par

import (
	"context"
	"math"
	"strconv"
)

// Scan returns for each element the result of op over all elements up to and including it,
// in the order of s. The result is nil if s is. What op must be, and its arguments, are as in [Reduce].
//
// It calls op about twice for each element, with one worker, too: a worker that begins in the
// middle must know the result of those before, and the result must not depend on which worker does
// which part. Besides the result it allocates an element for each 1024, and at most as many as the
// square root of len(s) if that is more.
func Scan[S ~[]E, E any](s S, op func(a, b E) E, opts ...Option) S {
	refuse("Scan", 0, op == nil)
	var c config
	c.heeds(codeOf(op), opts)
	to := S(uncleared[E](len(s)))
	scan(to, s, op, c.stages(len(s), 2*len(s)))
	c.finished(len(s))
	return nilLike(s, to)
}

// ScanInto is [Scan] that writes to dst. The two may be the same memory, if each element
// is at the same index. It panics if they differ in length.
func ScanInto[E any](dst, s []E, op func(a, b E) E, opts ...Option) {
	refuse("ScanInto", 0, op == nil)
	sameLength("ScanInto", len(dst), len(s))
	var c config
	c.heeds(codeOf(op), opts)
	scan(dst, s, op, c.stages(len(s), 2*len(s)))
	c.finished(len(s))
}

// ScanExclusive returns for each element the result of op over first and all elements
// before it, in the order of s, and the result over all. It is otherwise as [Scan].
func ScanExclusive[S ~[]E, E any](s S, first E, op func(a, b E) E, opts ...Option) (to S, all E) {
	refuse("ScanExclusive", 0, op == nil)
	var c config
	c.heeds(codeOf(op), opts)
	if len(s) == 0 {
		c.finished(0)
		return append(s[:0:0], s...), first
	}
	to, last := S(uncleared[E](len(s))), len(s)-1
	to[0] = first
	copy(to[1:], s[:last])
	scan(to, to, op, c.stages(len(s), 2*len(s)))
	all = op(to[last], s[last])
	c.finished(len(s))
	return to, all
}

func sameLength(what string, to, from int) {
	if to != from {
		panic("par: " + what + " of " + strconv.Itoa(from) + " elements into " + strconv.Itoa(to))
	}
}

// largestBlock is how many elements are scanned as one, at most.
const largestBlock = 1024

// blockOf is how many of n elements are scanned as one: of few as many as there are blocks,
// so that the two parts that are done one after the other are short.
func blockOf(n int) int { return min(max(1, int(math.Sqrt(float64(n)))), largestBlock) }

// scan folds each block, then the results of blocks, and then scans each block from the
// result of those before it. That is about two calls of op for each element.
func scan[E any](to, from []E, op func(a, b E) E, c config) {
	size := blockOf(len(from))
	blocks := partsOf(len(from), size)
	s := &scanning[E]{reduction: reduction[E]{from, op}, size: size, to: to}
	c.loop = &s.loop
	if blocks > 1 {
		s.sums = make([]E, blocks-1) // the last block is before none
		first := c.further()
		first.do(blocks-1, (*summing[E])(s))
		c.since = first.ended
		for i := 1; i < len(s.sums); i++ {
			s.sums[i] = op(s.sums[i-1], s.sums[i])
		}
	}
	c.do(blocks, s)
}

// A scanning is the second pass of a scan, over blocks.
type scanning[E any] struct {
	loop *loop
	reduction[E]
	size int
	to   []E
	sums []E // of the blocks up to each
}

func (s *scanning[E]) run(lo, hi int) error {
	for block := lo; block < hi; block++ {
		first, end := part(block, s.size, len(s.s))
		sum := s.s[first]
		if block > 0 {
			sum = s.op(s.sums[block-1], sum)
		}
		scanInto(s.to[first:end], s.s[first:end], sum, s.op)
	}
	return nil
}

// scanInto scans elements; the first one gives sum.
func scanInto[E any](to, from []E, sum E, op func(a, b E) E) {
	to = to[:len(from)]
	to[0] = sum
	for i := 1; i < len(from); i++ {
		sum = op(sum, from[i])
		to[i] = sum
	}
}

// A summing is the first pass of a scan, over blocks.
type summing[E any] scanning[E]

func (s *summing[E]) run(lo, hi int) error {
	for block := lo; block < hi; block++ {
		first, end := part(block, s.size, len(s.s))
		s.sums[block], _ = s.fold(context.Background(), first, end)
	}
	return nil
}
