package par

import (
	"math/bits"
	"slices"

	"github.com/rouse-go/rouse/api/prim"
)

// A kernel is what a radix sort does with a range of elements, for one kind of keys. All of
// it is stable.
type kernel[E any] interface {
	// survey looks at the keys of s, which is not empty.
	survey(s []E) survey
	// count adds to counts how many elements each bucket gets.
	count(s []E, d digit, counts []int)
	// scatter copies each element to where its bucket begins in dst, and moves that on.
	scatter(dst, src []E, d digit, at []int)
	// value returns the element that has a key, if that tells all of it.
	value(key uint64) (x E, all bool)
	// sort sorts src, alone, in place or to dst. The other one is left with anything.
	sort(src, dst []E, inDst bool)
	// extent and next are for elements that all have the same key, and are not in order. next
	// returns the kernel that goes on, and whether that needs other keys. e is the extent of s.
	extent(s []E) extent
	next(s []E, e extent) (k kernel[E], keys bool)
	// rekey sets the keys of s, which is a part of what next was called with.
	rekey(s []E)
}

var (
	_ kernel[uint64]    = numberKernel[uint64]{}
	_ kernel[item[int]] = itemKernel[int]{}
)

// A survey is what one look at the keys tells.
type survey struct {
	first, last uint64
	diff        uint64 // the bits in which they are not all the same; of elements in order, the highest
	up, down    bool   // the elements ascend, or strictly descend
}

// An extent is how long the longest of some elements is, and how much all have in common.
type extent struct{ longest, common int }

func (e extent) and(f extent) extent {
	return extent{max(e.longest, f.longest), min(e.common, f.common)}
}

// and is the survey of two neighbouring ranges, of which v is the lower one. seam is that of
// the last element of the one and the first of the other.
func (v survey) and(w, seam survey) survey {
	return survey{
		first: v.first,
		last:  w.last,
		diff:  v.diff | w.diff | (v.first ^ w.first),
		up:    v.up && w.up && seam.up,
		down:  v.down && w.down && seam.down,
	}
}

// A digit is some bits of a key.
type digit struct{ shift, width int }

// digitOf returns the highest bits in which keys differ, as many as most.
func digitOf(diff uint64, most int) digit {
	n := bits.Len64(diff)
	width := min(n, most)
	return digit{n - width, width}
}

func (d digit) buckets() int { return 1 << d.width }
func (d digit) mask() uint64 { return 1<<d.width - 1 }

// rest returns the bits below the digit.
func (d digit) rest(diff uint64) uint64 { return diff & (1<<d.shift - 1) }

const (
	// insertionMost is how many elements are sorted by insertion.
	insertionMost = 24
	// narrowMost is how many elements are distributed by a narrow digit. More are by a
	// wide one.
	narrowMost = 1024
	narrow     = 8
	// wide is the digit whose buckets the caches bear: 2048 lines of 64 bytes are a
	// second-level cache's eighth.
	wide = 11
	// radixAlone is how many elements one worker sorts alone. More are distributed by all.
	radixAlone = 1 << 15
	// radixBlock is how many elements have a histogram, at least.
	radixBlock = 1 << 13
	// radixBlocks is how many histograms there are, at most.
	radixBlocks = 128
)

// sharedWidth is the digit's width for n elements: buckets of a few thousand elements are
// sorted in the first-level cache.
func sharedWidth(n int) int { return min(wide, bits.Len(uint(n/prim.Size(1<<10)))) }

// radixSort sorts s by its most significant digit first, in parallel: one pass by as many
// bits as the caches bear buckets, from the highest bit in which keys differ, and then each
// bucket by one worker. A bucket so large that this would keep the others waiting is
// distributed by all, in turn. Elements move between s and a buffer of the same size, which
// is made when s is not in order anyway.
//
// Each block counts its own elements, so that it knows where to put them, and stability
// costs nothing: Zagha and Blelloch, "Radix sort for vector multiprocessors" (1991). Buckets
// from the highest digit on: McIlroy, Bostic and McIlroy, "Engineering radix sort" (1993).
func radixSort[E any](s []E, k kernel[E], c config) {
	r := &radix[E]{config: c.further()}
	r.sort(k, s, nil, false, c)
	giveBack(r.buf, r.loan)
}

type radix[E any] struct {
	config
	buf  []E
	loan *loan
}

// sort sorts src in place or to dst. A nil dst is made. It reports by c.
func (r *radix[E]) sort(k kernel[E], src, dst []E, inDst bool, c config) {
	d := &distribution[E]{kernel: k, src: src, dst: dst}
	d.size = max(prim.Size(radixBlock), (len(src)+radixBlocks-1)/radixBlocks)
	d.blocks = (len(src) + d.size - 1) / d.size
	v := r.survey(d)
	switch {
	case v.up || v.down:
		r.settle(src, dst, inDst, v)
		return
	case v.diff != 0 && r.fill(d, v, inDst):
		return
	case dst == nil:
		r.buf, r.loan = borrow[E](len(src))
		d.dst = r.buf
	}
	if len(src) <= prim.Size(radixAlone) || v.diff == 0 {
		d.kernel.sort(src, d.dst, inDst)
		return
	}
	d.digit = digitOf(v.diff, sharedWidth(len(src)))
	d.counts = make([]int, d.blocks<<d.digit.width)
	do(d.blocks, tallying[E]{d}, c.stage(len(src), 0, 1, 4))
	d.place()
	do(d.blocks, scattering[E]{d}, c.stage(len(src), 1, 2, 4))
	for b := range d.digit.buckets() {
		if lo, hi := d.bucket(b); hi-lo > prim.Size(radixAlone) {
			r.sort(d.kernel, d.dst[lo:hi], src[lo:hi], !inDst, r.config)
		}
	}
	do(d.digit.buckets(), sorting[E]{d, !inDst}, c.stage(len(src), 2, 4, 4))
}

// survey looks at all keys, and goes deeper for as long as they are all the same. It comes
// back with the same keys if no others follow.
func (r *radix[E]) survey(d *distribution[E]) survey {
	if d.surveys = d.few[:1]; d.blocks > 1 {
		d.surveys = make([]survey, d.blocks)
	}
	for {
		do(d.blocks, surveying[E]{d}, r.config)
		v := d.surveys[0]
		for b, w := range d.surveys[1:] {
			at := (b + 1) * d.size
			v = v.and(w, d.kernel.survey(d.src[at-1:at+1]))
		}
		if v.diff != 0 || v.up || v.down {
			return v
		}
		var keys bool
		if d.kernel, keys = d.kernel.next(d.src, r.extent(d)); !keys {
			return v
		}
		do(d.blocks, rekeying[E]{d}, r.config)
	}
}

// extent looks at all elements.
func (r *radix[E]) extent(d *distribution[E]) extent {
	extents := make([]extent, d.blocks)
	do(d.blocks, extending[E]{d, extents}, r.config)
	all := extents[0]
	for b, e := range extents[1:] {
		at := (b + 1) * d.size
		all = all.and(e).and(d.kernel.extent(d.src[at-1 : at+1]))
	}
	return all
}

// settle has elements that are in order, or in reverse, in order and in their place.
func (r *radix[E]) settle(src, dst []E, inDst bool, v survey) {
	if !v.up {
		reverseAll(src, r.config)
	}
	if inDst {
		copyAll(dst, src, r.config)
	}
}

// fill sorts elements whose keys differ in a few bits, and tell all of them, by counts alone.
func (r *radix[E]) fill(d *distribution[E], v survey, inDst bool) bool {
	width := bits.Len64(v.diff)
	if _, all := d.kernel.value(v.first); !all || width > wide || 2<<width > len(d.src) {
		return false
	}
	d.digit = digit{0, width}
	d.counts = make([]int, d.blocks<<width)
	do(d.blocks, tallying[E]{d}, r.config)
	d.place()
	f := filling[E]{d, d.src, v.first &^ d.digit.mask()}
	if inDst {
		f.to = d.dst
	}
	do(d.blocks, f, r.config)
	return true
}

// A distribution is one pass over some elements by one digit, in blocks.
type distribution[E any] struct {
	kernel   kernel[E]
	src, dst []E
	digit    digit
	size     int // of a block
	blocks   int
	surveys  []survey  // of each block
	few      [1]survey // room for one
	// counts has for each block how many elements go to each bucket; then, where the next
	// one goes.
	counts []int
	ends   []int // of each bucket
}

func (d *distribution[E]) block(b int) []E {
	return d.src[b*d.size : min((b+1)*d.size, len(d.src))]
}

func (d *distribution[E]) at(b int) []int {
	return d.counts[b<<d.digit.width : (b+1)<<d.digit.width]
}

// place makes of the counts the places: of a bucket, those of the lower blocks come first.
func (d *distribution[E]) place() {
	n := d.digit.buckets()
	d.ends = make([]int, n)
	for b := range d.blocks {
		for i, c := range d.at(b) {
			d.ends[i] += c
		}
	}
	next, end := make([]int, n), 0
	for i, c := range d.ends {
		next[i] = end
		end += c
		d.ends[i] = end
	}
	for b := range d.blocks {
		at := d.at(b)
		for i, c := range at {
			at[i] = next[i]
			next[i] += c
		}
	}
}

func (d *distribution[E]) bucket(i int) (lo, hi int) {
	if i > 0 {
		lo = d.ends[i-1]
	}
	return lo, d.ends[i]
}

// The steps of a distribution are loops over its blocks, and over its buckets.
type (
	surveying[E any] struct{ *distribution[E] }
	extending[E any] struct {
		*distribution[E]
		extents []extent
	}
	rekeying[E any]   struct{ *distribution[E] }
	tallying[E any]   struct{ *distribution[E] }
	scattering[E any] struct{ *distribution[E] }
	filling[E any]    struct {
		*distribution[E]
		to   []E
		high uint64 // what the keys have in common
	}
	sorting[E any] struct {
		*distribution[E]
		inSrc bool
	}
)

func (s surveying[E]) run(lo, hi int) error {
	for b := lo; b < hi; b++ {
		s.surveys[b] = s.kernel.survey(s.block(b))
	}
	return nil
}

func (s extending[E]) run(lo, hi int) error {
	for b := lo; b < hi; b++ {
		s.extents[b] = s.kernel.extent(s.block(b))
	}
	return nil
}

func (s rekeying[E]) run(lo, hi int) error {
	for b := lo; b < hi; b++ {
		s.kernel.rekey(s.block(b))
	}
	return nil
}

func (s tallying[E]) run(lo, hi int) error {
	for b := lo; b < hi; b++ {
		s.kernel.count(s.block(b), s.digit, s.at(b))
	}
	return nil
}

func (s scattering[E]) run(lo, hi int) error {
	for b := lo; b < hi; b++ {
		s.kernel.scatter(s.dst, s.block(b), s.digit, s.at(b))
	}
	return nil
}

func (f filling[E]) run(lo, hi int) error {
	lo, hi = lo*f.size, min(hi*f.size, len(f.to))
	bucket, _ := slices.BinarySearch(f.ends, lo+1)
	for lo < hi {
		end := min(f.ends[bucket], hi)
		x, _ := f.kernel.value(f.high | uint64(bucket))
		to := f.to[lo:end]
		for i := range to {
			to[i] = x
		}
		lo, bucket = end, bucket+1
	}
	return nil
}

func (s sorting[E]) run(lo, hi int) error {
	for b := lo; b < hi; b++ {
		if from, to := s.bucket(b); from < to && to-from <= prim.Size(radixAlone) {
			s.kernel.sort(s.dst[from:to], s.src[from:to], s.inSrc)
		}
	}
	return nil
}

// starts makes of the sizes of buckets where they start.
func starts(counts []uint32) {
	sum := uint32(0)
	for i, n := range counts {
		counts[i] = sum
		sum += n
	}
}
