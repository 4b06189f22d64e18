package par

import (
	"math/bits"
	"reflect"

	"github.com/rouse-go/rouse/api/prim"
)

// SortFunc sorts s by cmp, which returns a negative number if a comes before b, a positive
// one if b comes before a, and 0 if they are equal. Equal elements keep their order.
//
// Of 2048 elements or more, it first looks for a number among the first parts of an element,
// or the first eight bytes of a string, that has the order of cmp. If it finds one, it sorts
// by that as [SortKey] does, and by cmp where it is the same. Then it checks the result with
// cmp. That takes one or two calls of cmp for an element, or more where many have the same
// number; and a key and an element for each one, twice, or for elements of more than 24 bytes,
// a key and an index, twice, and an element. If the check fails, it has cost that time and
// memory, and a merge sort follows.
//
// If there is no such field, or there are fewer elements, from 512 on, and many elements of a
// sample are equal, it puts each element where its kind is, or between two kinds, with up to six
// calls of cmp for each; also if 4096 elements or more have pointers. Then it sorts the elements
// between two kinds. That takes a buffer of the size of s, and a byte for each element.
//
// The merge sort calls cmp about len(s)·log₂ len(s) times. It allocates a buffer of the size of
// s, unless s is small.
//
// If s is in order already, or strictly in reverse, it calls cmp len(s)-1 times, and moves nothing
// or reverses it. It merges up to 16 runs of either. Of 512 elements or more, it calls cmp up to
// about twice for each, and sorts only the others, if most are equal, or there are two kinds, or if
// the rest ascends but for one in 8. That takes a buffer for the others, and one of up to the size
// of s to merge them.
//
// A buffer of up to 128 KB is kept for the next sort, without pointers to the elements.
//
// If cmp panics, or contradicts itself, s still has all its elements, in some order.
func SortFunc[S ~[]E, E any](s S, cmp func(a, b E) int, opts ...Option) {
	refuse("SortFunc", 0, cmp == nil)
	c := configured(0, opts)
	sortFunc(s, watched2(c.gauge, cmp), c)
	c.finished(len(s))
}

func sortFunc[E any](s []E, cmp func(a, b E) int, c config) {
	alone := len(s) < 2*prim.Size(chunkLeast)
	if c.gauge != nil {
		c.calling(len(s), 0, 1, 1, len(s)*bits.Len(uint(len(s))))
	}
	switch {
	case len(s) <= prim.Size(tiny):
		insertion(s, cmp)
	case alone:
		sortAlone(s, cmp, false)
	default:
		m := &mergeSort[E]{cmp: cmp, s: s}
		c.loop = &m.merging.loop // for all loops of the sort, one after the other
		m.config = c.further()
		m.sort(c)
	}
}

const (
	// leafMost is how many elements the merge sort has sorted by insertion.
	leafMost = 16
	// stackMost is how many elements are sorted with a buffer on the stack, if they are
	// small.
	stackMost = 64
	// chunkLeast is how many elements a chunk has at least, if there are several.
	chunkLeast = 1 << 10
	// chunks is how many there are, at most.
	chunks = 1 << 7
)

// A mergeSort sorts chunks of s, each by one worker, and then merges neighbours until one
// is left: each pair of them by several workers. Levels of merges alternate between s and a
// buffer. The chunks depend on the length alone.
//
// A panic of cmp finds all elements where the level reads from, which is left as it was;
// see chunkSort for the chunks.
type mergeSort[E any] struct {
	config config
	cmp    func(a, b E) int
	s, buf []E
	loan   *loan
	n      int  // of chunks, a power of two
	inBuf  bool // the elements are there
	toBuf  bool // chunks are sorted to there
	// merging is for one level after the other.
	merging merging[E]
}

// sort reports by c.
func (m *mergeSort[E]) sort(c config) {
	if m.ordered() {
		return
	}
	if kinds := kindsOf(m.s, kindsFew, m.cmp); kinds != nil {
		sortKinds(m.s, kinds, m.cmp, c.calling(len(m.s), 0, 1, 1, 2*len(m.s)))
		return
	}
	if field := fieldOf(m.s, m.cmp); field != nil {
		if sortByKey(m.s, keys[E]{field: field}, m.cmp, c.stage(len(m.s), 0, 1, 2)) {
			return
		}
		c = c.stage(len(m.s), 1, 2, 2)
	}
	if kinds := kindsOf(m.s, kindsWanted[E](len(m.s)), m.cmp); kinds != nil {
		sortKinds(m.s, kinds, m.cmp, c.calling(len(m.s), 0, 1, 1, len(m.s)*bits.Len(uint(len(kinds)))))
		return
	}
	m.merge(c)
}

// kindsWanted is of how many kinds n elements may be to be told apart by these.
func kindsWanted[E any](n int) int {
	if n >= 4*prim.Size(chunkLeast) && pointers(reflect.TypeFor[E]()) {
		return kindsAny // merges look at what they point to, in no order, at each level
	}
	return kindsSample
}

// merge sorts chunks and merges them.
func (m *mergeSort[E]) merge(c config) {
	m.buf, m.loan = borrow[E](len(m.s))
	for m.n = 1; m.n < chunks && len(m.s)/(2*m.n) >= prim.Size(chunkLeast); m.n *= 2 {
		m.inBuf = !m.inBuf // so that the last level ends in s
	}
	defer m.restore()
	// A chunk costs a merge for each time that it is halved.
	chunk := bits.Len(uint(len(m.s) / m.n))
	levels := bits.Len(uint(m.n)) - 1
	m.chunks(c.calling(len(m.s), 0, chunk, chunk+levels, len(m.s)*chunk))
	if m.joined() {
		return
	}
	for level := range levels {
		m.level(c.calling(len(m.s), chunk+level, chunk+level+1, chunk+levels, len(m.s)))
	}
}

// ordered sorts s if it is in order, or strictly in reverse, or nearly so, and reports whether it
// did.
func (m *mergeSort[E]) ordered() bool {
	known := ascending(m.s, m.cmp, &m.config)
	if known == len(m.s) {
		return true
	}
	if known == 1 && descends(m.s, m.cmp, m.config) {
		reverseAll(m.s, m.config)
		return true
	}
	return naturalFunc(m.s, known, m.cmp, func(s []E) { sortFunc(s, m.cmp, m.config) })
}

// restore puts the elements back into s, and the buffer back.
func (m *mergeSort[E]) restore() {
	if m.inBuf {
		copyAll(m.s, m.buf, m.config)
	}
	giveBack(m.buf, m.loan)
}

func (m *mergeSort[E]) bound(chunk int) int {
	n := len(m.s)
	return n/m.n*chunk + n%m.n*chunk/m.n
}

// chunks sorts each chunk.
func (m *mergeSort[E]) chunks(c config) {
	m.toBuf, m.inBuf = m.inBuf, false // s has all elements, whatever the chunks do
	do(m.n, (*sortChunks[E])(m), c)
	m.inBuf = m.toBuf
}

// sortChunks has no other methods than that of a loop, as all types that are generic and do one:
// each method is compiled for each type of elements, and those of an embedded type are, too.
type sortChunks[E any] mergeSort[E]

func (m *sortChunks[E]) run(lo, hi int) error {
	for i := lo; i < hi; i++ {
		from, to := (*mergeSort[E])(m).bound(i), (*mergeSort[E])(m).bound(i+1)
		s, buf := m.s[from:to], m.buf[from:to]
		switch ordered := nearlyOrdered(s, m.cmp); {
		case !ordered:
			sortChunk(s, buf, m.toBuf, m.cmp)
		case m.toBuf:
			copy(buf, s)
		}
	}
	return nil
}

// joined reports whether the chunks, one after the other, are in order.
func (m *mergeSort[E]) joined() bool {
	s := m.s
	if m.inBuf {
		s = m.buf
	}
	for i := 1; i < m.n; i++ {
		if b := m.bound(i); m.cmp(s[b], s[b-1]) < 0 {
			return false
		}
	}
	return true
}

// level merges pairs of neighbours.
func (m *mergeSort[E]) level(c config) {
	from, to := m.s, m.buf
	if m.inBuf {
		from, to = to, from
	}
	g := &m.merging
	g.cmp, g.pairs = m.cmp, g.pairs[:0]
	for i := 0; i < m.n; i += 2 {
		lo, mid, hi := m.bound(i), m.bound(i+1), m.bound(i+2)
		g.pairs = append(g.pairs, pair[E]{to[lo:hi], from[lo:mid], from[mid:hi]})
	}
	g.merge(c)
	m.inBuf = !m.inBuf
	m.n /= 2
}

// insertion sorts a few elements. It moves them when it has found the place of one, so a
// panic of cmp finds all of them.
func insertion[E any](s []E, cmp func(a, b E) int) {
	for i := 1; i < len(s); i++ {
		x, j := s[i], i
		for j > 0 && cmp(x, s[j-1]) < 0 {
			j--
		}
		if j < i {
			copy(s[j+1:i+1], s[j:i])
			s[j] = x
		}
	}
}

// sortAlone sorts by one worker. known says that the elements are between two kinds of more.
func sortAlone[E any](s []E, cmp func(a, b E) int, known bool) {
	if len(s) <= prim.Size(tiny) {
		insertion(s, cmp)
		return
	}
	if nearlyOrdered(s, cmp) {
		return
	}
	if !known && len(s) >= prim.Size(kindsLeast) {
		if kinds := kindsOf(s, kindsSample, cmp); kinds != nil {
			sortKindsAlone(s, kinds, cmp)
			return
		}
	}
	if len(s) <= stackMost && reflect.TypeFor[E]().Size() <= largeItem {
		sortOnStack(s, cmp)
		return
	}
	buf, loan := borrow[E](len(s))
	sortChunk(s, buf, false, cmp)
	giveBack(buf, loan)
}

// nearlyOrdered sorts s by one worker if it is nearly in order, and reports whether it did.
func nearlyOrdered[E any](s []E, cmp func(a, b E) int) bool {
	return naturalFunc(s, 0, cmp, func(s []E) { sortAlone(s, cmp, false) })
}

// sortOnStack sorts up to stackMost elements without an allocation.
func sortOnStack[E any](s []E, cmp func(a, b E) int) {
	var buf [stackMost]E
	sortChunk(s, buf[:len(s)], false, cmp)
}

// sortChunk sorts s in place or to buf. Either way, s has all elements if cmp panics.
func sortChunk[E any](s, buf []E, toBuf bool, cmp func(a, b E) int) {
	c := chunkSort[E]{cmp: cmp, s: s, buf: buf}
	defer c.restore()
	if toBuf {
		c.sortToBuf(0, len(s))
	} else {
		c.sort(0, len(s))
	}
}

// A chunkSort is a merge sort by one worker. A merge leaves what it reads as it is, so that
// all elements are there if cmp panics. One from the buffer overwrites s, so the chunkSort
// notes which elements these are.
type chunkSort[E any] struct {
	cmp    func(a, b E) int
	s, buf []E
	lo, hi int // the elements that are being merged from the buffer
}

// restore puts back into s what has not been merged to the end.
func (c *chunkSort[E]) restore() { copy(c.s[c.lo:c.hi], c.buf[c.lo:c.hi]) }

// sort sorts elements lo to hi-1 of s in place.
func (c *chunkSort[E]) sort(lo, hi int) {
	if hi-lo <= prim.Size(leafMost) {
		insertion(c.s[lo:hi], c.cmp)
		return
	}
	mid := int(uint(lo+hi) / 2)
	c.sortToBuf(lo, mid)
	c.sortToBuf(mid, hi)
	c.lo, c.hi = lo, hi
	mergeTo(c.s[lo:hi], c.buf[lo:mid], c.buf[mid:hi], c.cmp)
	c.lo, c.hi = 0, 0
}

// sortToBuf sorts elements lo to hi-1 of s to the buffer. It leaves them in s, in some order.
func (c *chunkSort[E]) sortToBuf(lo, hi int) {
	if hi-lo <= prim.Size(leafMost) {
		copy(c.buf[lo:hi], c.s[lo:hi])
		insertion(c.buf[lo:hi], c.cmp)
		return
	}
	mid := int(uint(lo+hi) / 2)
	c.sort(lo, mid)
	c.sort(mid, hi)
	mergeTo(c.buf[lo:hi], c.s[lo:mid], c.s[mid:hi], c.cmp)
}
