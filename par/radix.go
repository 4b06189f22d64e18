package par

import (
	"math/bits"
	"slices"

	"github.com/rouse-go/rouse/api/prim"
)

// A kernel has the elements of a radix sort, in one of two places, and does all steps that
// depend on their type: so the sort is compiled once, and not for each type. All its steps are
// stable. A range is the elements lo to hi-1.
type kernel interface {
	// survey looks at the keys of a range, which is not empty.
	survey(in side, lo, hi int) survey
	// count adds to counts how many elements of a range each bucket gets. scatter copies each
	// of them to where its bucket begins in the other place, and moves that on. at counts from
	// base. countAll and scatterAll are the same for any number of elements.
	count(in side, lo, hi int, d digit, counts []uint32)
	scatter(from side, lo, hi, base int, d digit, at []uint32)
	countAll(in side, lo, hi int, d digit, counts []int)
	scatterAll(from side, lo, hi, base int, d digit, at []int)
	// insertion sorts a range, quickly if it is short, or if all are near their places.
	insertion(in side, lo, hi int)
	// mirror exchanges the elements from to mid-1 of a range with those at the other end of it.
	mirror(in side, lo, hi, from, mid int)
	// move copies a range to the other place.
	move(from side, lo, hi int)
	// fill sets a range to the element that has a key, and reports whether a key tells all of
	// an element. It does nothing if not.
	fill(in side, lo, hi int, key uint64) bool
	// makeRoom makes the other place, and giveBack gives it back.
	makeRoom()
	giveBack()
}

// A side is one of the two places: the elements lie at 0 at first.
type side int

func (s side) other() side { return 1 - s }

// A deepKernel has further keys for elements that have the same one.
type deepKernel interface {
	kernel
	// extent looks at a range of elements with the same key, at a depth. next returns where to
	// go on with such a range, which is not in order, or that it is better to compare them. e is
	// its extent.
	extent(d depth, in side, lo, hi int) extent
	next(d depth, in side, lo, hi int, e extent) (k deepKernel, deeper depth, keys bool)
	// rekey sets the keys of a range to those of a depth.
	rekey(d depth, in side, lo, hi int)
	// compare sorts a range by comparisons.
	compare(in side, lo, hi int)
}

var (
	_ kernel     = (*numberList[uint64])(nil)
	_ kernel     = (*itemList[int])(nil)
	_ deepKernel = stringList{}
)

// A survey is the result of one look at the keys.
type survey struct {
	first, last uint64
	diff        uint64 // the bits in which they are not all the same; of elements in order, the highest
	up, down    bool   // the elements ascend, or strictly descend
}

// An extent is how long the longest of some elements is, and how much all have in common.
type extent struct{ longest, common int }

// A depth is how much has been looked at of elements with the same key, in how many steps, how
// many there were at the last one, and how many samples have been taken of them.
type depth struct{ at, steps, of, samples int }

func (e extent) and(f extent) extent {
	return extent{max(e.longest, f.longest), min(e.common, f.common)}
}

// and is the survey of two neighbouring ranges; v is the lower one. seam is that of the last
// element of the one and the first of the other.
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

// radixSort sorts n elements by their most significant digit first, in parallel: one pass by as
// many bits as the caches bear buckets, from the highest bit in which keys differ, and then each
// bucket by one worker. A bucket so large that this would keep the others waiting is
// distributed by all, in turn. Elements move between their place and another one, which is made
// when they are not in order anyway.
//
// Each block counts its own elements, so that it knows where to put them, and stability
// costs nothing: Zagha and Blelloch, "Radix sort for vector multiprocessors" (1991). Buckets
// from the highest digit on: McIlroy, Bostic and McIlroy, "Engineering radix sort" (1993).
func radixSort(k kernel, n int, c config) {
	if n <= prim.Size(radixAlone) {
		d := takeDesk()
		d.sort(k, depth{}, 0, 0, n, 0)
		d.putBack()
	} else {
		r := &radix{config: c.further()}
		r.sort(k, depth{}, 0, 0, n, 0, c)
	}
	k.giveBack()
}

// A radix is a sort by several workers.
type radix struct {
	config
	desks Scratch[desk]
}

// sort sorts elements lo to hi-1 in their place, or to the other one. It reports by c.
func (r *radix) sort(k kernel, at depth, in side, lo, hi int, to side, c config) {
	d := &distribution{kernel: k, depth: at, in: in, lo: lo, hi: hi}
	n := hi - lo
	d.size = max(prim.Size(radixBlock), (n+radixBlocks-1)/radixBlocks)
	d.blocks = (n + d.size - 1) / d.size
	v := r.survey(d)
	if v.up || v.down {
		r.settle(d, v, to)
		return
	}
	if v.diff == 0 {
		r.desks.Do(func(one *desk) { one.sort(d.kernel, d.depth, in, lo, hi, to) })
		return
	}
	if r.fill(d, v, to) {
		return
	}
	d.kernel.makeRoom()
	d.digit = digitOf(v.diff, sharedWidth(n))
	d.counts = make([]int, d.blocks<<d.digit.width)
	do(d.blocks, (*tallying)(d), c.stage(n, 0, 1, 4))
	d.place()
	do(d.blocks, (*scattering)(d), c.stage(n, 1, 2, 4))
	for b := range d.digit.buckets() {
		if lo, hi := d.bucket(b); hi-lo > prim.Size(radixAlone) {
			r.sort(d.kernel, d.depth, in.other(), lo, hi, to, r.config)
		}
	}
	do(d.digit.buckets(), sorting{r, d, to}, c.stage(n, 2, 4, 4))
}

// survey looks at all keys, and goes deeper for as long as they are all the same. It comes
// back with the same keys if no others follow.
func (r *radix) survey(d *distribution) survey {
	d.surveys = make([]survey, d.blocks)
	for {
		do(d.blocks, (*surveying)(d), r.config)
		v := d.surveys[0]
		for b, w := range d.surveys[1:] {
			at := d.lo + (b+1)*d.size
			v = v.and(w, d.kernel.survey(d.in, at-1, at+1))
		}
		if v.diff != 0 || v.up || v.down {
			return v
		}
		deep := d.kernel.(deepKernel) // others with the same key are in order
		k, deeper, keys := deep.next(d.depth, d.in, d.lo, d.hi, r.extent(deep, d))
		if d.kernel, d.depth = k, deeper; !keys {
			return v
		}
		do(d.blocks, rekeying{d, k}, r.config)
	}
}

// extent looks at all elements.
func (r *radix) extent(k deepKernel, d *distribution) extent {
	extents := make([]extent, d.blocks)
	do(d.blocks, extending{d, k, extents}, r.config)
	all := extents[0]
	for b, e := range extents[1:] {
		at := d.lo + (b+1)*d.size
		all = all.and(e).and(k.extent(d.depth, d.in, at-1, at+1))
	}
	return all
}

// settle has elements that are in order, or in reverse, in order and where they are to be.
func (r *radix) settle(d *distribution, v survey, to side) {
	if !v.up {
		do((d.hi-d.lo)/2, (*mirroring)(d), r.config)
	}
	if to != d.in {
		do(d.blocks, (*moving)(d), r.config)
	}
}

// fill sorts elements whose keys differ in a few bits, and tell all of them, by counts alone.
func (r *radix) fill(d *distribution, v survey, to side) bool {
	if !fills(d.kernel, v.diff, d.hi-d.lo) {
		return false
	}
	d.digit = digit{0, bits.Len64(v.diff)}
	d.counts = make([]int, d.blocks<<d.digit.width)
	do(d.blocks, (*tallying)(d), r.config)
	d.place()
	do(d.blocks, filling{d, to, v.first &^ d.digit.mask()}, r.config)
	return true
}

// fills reports whether n elements are sorted by counts alone.
func fills(k kernel, diff uint64, n int) bool {
	width := bits.Len64(diff)
	return width <= wide && 2<<width <= n && k.fill(0, 0, 0, 0)
}

// A distribution is one pass over some elements by one digit, in blocks.
type distribution struct {
	kernel  kernel
	depth   depth
	in      side
	lo, hi  int
	digit   digit
	size    int // of a block
	blocks  int
	surveys []survey // of each block
	// counts has for each block how many elements go to each bucket; then, where the next
	// one goes, from lo on.
	counts []int
	ends   []int // of each bucket
}

// block returns the range of a block.
func (d *distribution) block(b int) (lo, hi int) {
	return d.lo + b*d.size, min(d.lo+(b+1)*d.size, d.hi)
}

func (d *distribution) at(b int) []int {
	return d.counts[b<<d.digit.width : (b+1)<<d.digit.width]
}

// place makes of the counts the places: of a bucket, those of the lower blocks come first.
func (d *distribution) place() {
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

// bucket returns the range of a bucket.
func (d *distribution) bucket(i int) (lo, hi int) {
	lo = d.lo
	if i > 0 {
		lo += d.ends[i-1]
	}
	return lo, d.lo + d.ends[i]
}

// The steps of a distribution are loops over its blocks, and over its buckets.
type (
	surveying distribution
	extending struct {
		*distribution
		kernel  deepKernel
		extents []extent
	}
	rekeying struct {
		*distribution
		kernel deepKernel
	}
	tallying   distribution
	scattering distribution
	mirroring  distribution
	moving     distribution
	filling    struct {
		*distribution
		to   side
		high uint64 // what the keys have in common
	}
	sorting struct {
		radix *radix
		*distribution
		to side
	}
)

func (s *surveying) run(first, end int) error {
	for b := first; b < end; b++ {
		lo, hi := (*distribution)(s).block(b)
		s.surveys[b] = s.kernel.survey(s.in, lo, hi)
	}
	return nil
}

func (s extending) run(first, end int) error {
	for b := first; b < end; b++ {
		lo, hi := s.block(b)
		s.extents[b] = s.kernel.extent(s.depth, s.in, lo, hi)
	}
	return nil
}

func (s rekeying) run(first, end int) error {
	for b := first; b < end; b++ {
		lo, hi := s.block(b)
		s.kernel.rekey(s.depth, s.in, lo, hi)
	}
	return nil
}

func (s *tallying) run(first, end int) error {
	d := (*distribution)(s)
	for b := first; b < end; b++ {
		lo, hi := d.block(b)
		d.kernel.countAll(d.in, lo, hi, d.digit, d.at(b))
	}
	return nil
}

func (s *scattering) run(first, end int) error {
	d := (*distribution)(s)
	for b := first; b < end; b++ {
		lo, hi := d.block(b)
		d.kernel.scatterAll(d.in, lo, hi, d.lo, d.digit, d.at(b))
	}
	return nil
}

func (s *mirroring) run(first, end int) error {
	s.kernel.mirror(s.in, s.lo, s.hi, s.lo+first, s.lo+end)
	return nil
}

func (s *moving) run(first, end int) error {
	for b := first; b < end; b++ {
		lo, hi := (*distribution)(s).block(b)
		s.kernel.move(s.in, lo, hi)
	}
	return nil
}

func (f filling) run(first, end int) error {
	lo, _ := f.block(first)
	_, hi := f.block(end - 1)
	bucket, _ := slices.BinarySearch(f.ends, lo-f.lo+1)
	for lo < hi {
		end := min(f.lo+f.ends[bucket], hi)
		f.kernel.fill(f.to, lo, end, f.high|uint64(bucket))
		lo, bucket = end, bucket+1
	}
	return nil
}

func (s sorting) run(first, end int) error {
	s.radix.desks.Do(func(d *desk) {
		for b := first; b < end; b++ {
			if lo, hi := s.bucket(b); lo < hi && hi-lo <= prim.Size(radixAlone) {
				d.sort(s.kernel, s.depth, s.in.other(), lo, hi, s.to)
			}
		}
	})
	return nil
}
