package par

import (
	"math/bits"
	"slices"

	"github.com/rouse-go/rouse/api/prim"
)

// A desk has what one worker needs for a radix sort: counts of buckets, for each digit that it
// is at. On the stack, they would have it grow.
type desk struct {
	counts [][]uint32
	used   int
}

// spareDesk is there for the next sort by one worker.
//
// Writers: a sort that takes it, and one that puts one there.
// Pairs:   the Store with the Swap that takes it.
var spareDesk prim.Pointer[desk]

func takeDesk() *desk {
	if d := spareDesk.Swap(nil); d != nil {
		return d
	}
	return new(desk)
}

// digitsKept is for how many digits counts are kept: up to 8 KB each, but mostly 1 KB.
const digitsKept = 16

func (d *desk) putBack() {
	if len(d.counts) > digitsKept {
		d.counts = slices.Delete(d.counts, digitsKept, len(d.counts))
	}
	spareDesk.Store(d)
}

// take returns n counts of zero.
func (d *desk) take(n int) []uint32 {
	if d.used == len(d.counts) {
		d.counts = append(d.counts, nil)
	}
	if len(d.counts[d.used]) < n {
		d.counts[d.used] = make([]uint32, max(n, 1<<narrow))
	}
	counts := d.counts[d.used][:n]
	d.used++
	clear(counts)
	return counts
}

// sort sorts elements lo to hi-1 in their place, or to the other one.
func (d *desk) sort(k kernel, at depth, in side, lo, hi int, to side) {
	k, at, diff, done := inOrder(k, at, in, lo, hi)
	if !done {
		if fills(k, diff, hi-lo) {
			d.fill(k, in, lo, hi, diff, to)
			return
		}
		if c, ok := k.(kindCounter); ok && c.byKinds(in, lo, hi, to) {
			return
		}
		k.makeRoom()
		d.distribute(k, at, in, lo, hi, diff)
		in = in.other()
	}
	if in != to {
		k.move(in, lo, hi)
	}
}

// inOrder sorts elements in their place if that is quick, or else returns the bits in which their
// keys differ, and goes deeper for that as long as all keys are the same. It sorts elements that
// no keys tell apart.
func inOrder(k kernel, at depth, in side, lo, hi int) (_ kernel, _ depth, diff uint64, done bool) {
	if hi-lo <= insertionMost {
		k.insertion(in, lo, hi)
		return k, at, 0, true
	}
	for {
		v := k.survey(in, lo, hi)
		if v.down && !v.up {
			k.mirror(in, lo, hi, lo, lo+(hi-lo)/2)
		}
		if v.diff != 0 || v.up || v.down {
			return k, at, v.diff, v.up || v.down
		}
		deep := k.(deepKernel) // others with the same key are in order
		next, deeper, keys := deep.next(at, in, lo, hi, deep.extent(at, in, lo, hi))
		if !keys {
			deep.compare(in, lo, hi)
			return k, at, 0, true
		}
		next.rekey(deeper, in, lo, hi)
		k, at = next, deeper
	}
}

// fill is that of a radix.
func (d *desk) fill(k kernel, in side, lo, hi int, diff uint64, to side) {
	g := digit{0, bits.Len64(diff)}
	counts := d.take(g.buckets())
	k.count(in, lo, hi, g, counts)
	high := k.survey(in, lo, lo+1).first &^ g.mask()
	for b, n := range counts {
		k.fill(to, lo, lo+int(n), high|uint64(b))
		lo += int(n)
	}
	d.used--
}

// distribute sorts elements to the other place, by a digit that fits their number, or by
// magnitudes where most numbers are small, and then by the others.
func (d *desk) distribute(k kernel, at depth, in side, lo, hi int, diff uint64) {
	n, width, most := hi-lo, wide, 1<<wide
	if n <= narrowMost {
		width, most = min(narrow, bits.Len(uint(n))), 1<<narrow
	}
	g, finished := digitOf(diff, width), false
	var counts []uint32
	if m, ok := k.(magnifier); ok && g.shift > 0 && n >= magnitudeLeast && m.mostlySmall(in, lo, hi, g) {
		counts = d.take(most)
		m.magnitudes(in, lo, hi, magnitudeOf(diff, most), counts)
	} else {
		counts = d.take(g.buckets())
		k.count(in, lo, hi, g, counts)
		starts(counts)
		k.scatter(in, lo, hi, lo, g, counts)
		_, deep := k.(deepKernel)
		finished = !deep && g.rest(diff) == 0
	}
	if !finished {
		d.finish(k, at, in.other(), lo, counts)
	}
	d.used--
}

// finish sorts buckets, which begin at an index. Most have a few elements, so one insertion sort
// takes all that lie between two large ones.
func (d *desk) finish(k kernel, at depth, in side, begin int, ends []uint32) {
	lo, done := begin, begin
	for _, end := range ends {
		hi := begin + int(end)
		if hi-lo > insertionMost {
			k.insertion(in, done, lo)
			d.sort(k, at, in, lo, hi, in)
			done = hi
		}
		lo = hi
	}
	k.insertion(in, done, lo)
}

// starts turns the sizes of buckets into the places where they start.
func starts(counts []uint32) {
	sum := uint32(0)
	for i, n := range counts {
		counts[i] = sum
		sum += n
	}
}

// A counter counts elements: all of them, or up to radixAlone.
type counter interface{ int | uint32 }
