package work

import (
	"slices"

	"github.com/rouse-go/rouse/pool"
)

// sortCutoff is the length below which a slice is left to the library.
const sortCutoff = 4096

// Sort sorts n pseudo-random integers: plainly by slices.Sort, otherwise by a
// merge sort whose halves are sorted in parallel and then merged.
func Sort(n int) *Program {
	in := make([]int64, n)
	for i := range in {
		in[i] = int64(splitmix64(1, uint64(i)))
	}
	s := &sorting{make([]int64, n), make([]int64, n)}
	whole := span{0, n}
	return &Program{
		Prepare:    func() { copy(s.a, in) },
		Digest:     func() uint64 { return SortDigest(s.a) },
		Sequential: func() uint64 { slices.Sort(s.a); return 0 },
		Nested:     func(groups Groups) uint64 { s.nested(groups, whole); return 0 },
		Flat:       func(groups Groups, pieces int) uint64 { s.flat(groups, pieces, whole); return 0 },
		Pool:       onPool(s.fork, whole),
	}
}

// SortDigest is 0 if the slice is not sorted, else a number that depends on
// every element and its place.
func SortDigest(a []int64) (digest uint64) {
	if !slices.IsSorted(a) {
		return 0
	}
	for i, x := range a {
		digest += uint64(i) * uint64(x)
	}
	return digest
}

// splitmix64 is the i-th number of the generator of that name (Steele, Lea and
// Flood, 2014).
func splitmix64(seed, i uint64) uint64 {
	z := seed + (i+1)*0x9e3779b97f4a7c15
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

type sorting struct{ a, buffer []int64 }

// A span is a part of the slice.
type span struct{ from, to int }

func (s span) halves() (span, span) {
	middle := s.from + (s.to-s.from)/2
	return span{s.from, middle}, span{middle, s.to}
}

// leaf sorts a short span, and reports whether it is one.
func (s *sorting) leaf(p span) bool {
	if p.to-p.from > sortCutoff {
		return false
	}
	slices.Sort(s.a[p.from:p.to])
	return true
}

// merge merges the sorted halves of a span.
func (s *sorting) merge(p, first, second span) {
	copy(s.buffer[p.from:p.to], s.a[p.from:p.to])
	x, y, out := s.buffer[first.from:first.to], s.buffer[second.from:second.to], s.a[p.from:p.to]
	for i := range out {
		if len(y) == 0 || len(x) > 0 && x[0] <= y[0] {
			out[i], x = x[0], x[1:]
		} else {
			out[i], y = y[0], y[1:]
		}
	}
}

func (s *sorting) sort(p span) {
	if s.leaf(p) {
		return
	}
	first, second := p.halves()
	s.sort(first)
	s.sort(second)
	s.merge(p, first, second)
}

func (s *sorting) nested(groups Groups, p span) {
	if s.leaf(p) {
		return
	}
	first, second := p.halves()
	g := groups()
	g.Go(func() { s.nested(groups, first) })
	s.nested(groups, second)
	g.Wait()
	s.merge(p, first, second)
}

// flat sorts the parts that halving a few times gives, then merges level by
// level.
func (s *sorting) flat(groups Groups, pieces int, whole span) {
	levels := [][]span{{whole}}
	for last := levels[0]; len(last) < pieces; {
		var next []span
		for _, p := range last {
			first, second := p.halves()
			next = append(next, first, second)
		}
		levels = append(levels, next)
		last = next
	}
	g := groups()
	for _, p := range levels[len(levels)-1] {
		g.Go(func() { s.sort(p) })
	}
	g.Wait()
	for _, level := range slices.Backward(levels[:len(levels)-1]) {
		g := groups()
		for _, p := range level {
			first, second := p.halves()
			g.Go(func() { s.merge(p, first, second) })
		}
		g.Wait()
	}
}

func (s *sorting) fork(w *pool.Worker, p span) uint64 {
	if s.leaf(p) {
		return 0
	}
	first, second := p.halves()
	f := pool.Fork(w, s.fork, first)
	s.fork(w, second)
	f.Join(w)
	s.merge(p, first, second)
	return 0
}
