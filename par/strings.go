package par

import (
	"encoding/binary"
	"math/bits"
	"slices"
	"strings"

	"github.com/rouse-go/rouse/api/prim"
)

// sortStrings sorts strings by eight bytes at a time, which it keeps beside them: so it looks
// at most of them once, in the order of the memory, and not again with each comparison (Ng
// and Kakehi, "Cache efficient radix sort for string sorting", 2007).
//
// Where many strings go together for long, and part one by one, each step would be for few
// of them: all suffixes of a text that repeats itself do. So it compares after some steps, or
// after one that has parted few.
func sortStrings(s []string, c config) {
	if len(s) <= prim.Size(tiny) {
		insertionOrdered(s)
		return
	}
	if inRuns(s, len(s) <= prim.Size(radixAlone), strings.Compare, func(s []string) { sortStrings(s, c.further()) }, c) {
		return
	}
	if partsSlowly(s) {
		if len(s) <= prim.Size(radixAlone) || c.workers() == 1 { // it needs no buffer
			slices.Sort(s)
			return
		}
		sortKinds(s, kindsOf(s, kindsAny, strings.Compare), strings.Compare, c.further())
		return
	}
	if len(s) <= prim.Size(stackMost) {
		sortFewStrings(s)
		return
	}
	all := uncleared[item[string]](len(s))
	do(len(s), &keying[string]{all, s, keys[string]{by: firstBytes}}, c.stage(len(s), 0, 1, 4))
	radixSort(stringList{&itemList[string]{at: [2][]item[string]{all}}, prefixes{}}, len(s), c.stage(len(s), 1, 4, 4))
	do(len(s), &unkeying[string]{s, all}, c.further())
}

// sortFewStrings sorts up to stackMost strings without an allocation.
func sortFewStrings(s []string) {
	common := len(s[0])
	for _, x := range s[1:] {
		common = prefixes{}.common(depth{at: -8}, s[0], x, common)
	}
	var order [stackMost]item[int]
	for i, x := range s {
		order[i] = item[int]{firstBytes(x[common:]), i}
	}
	sortFewIndices(order[:len(s)])
	var to [stackMost]string
	for i := range s {
		to[i] = s[order[i].of]
	}
	copy(s, to[:])
	for at := 0; at < len(s); {
		end := at + 1
		for end < len(s) && order[end].key == order[at].key {
			end++
		}
		if end-at > 1 {
			slices.Sort(s[at:end])
		}
		at = end
	}
}

// stringList are strings with their keys, which ties tell apart if the keys are the same.
type stringList struct {
	*itemList[string]
	ties ties
}

// ties tells apart strings that have the same key.
type ties interface {
	// length is how long a string is.
	length(string) int
	// common is how much two strings have in common that have the same key at a depth, and
	// most at most.
	common(d depth, a, b string, most int) int
	// next returns where to go on with n strings that have the same key at a depth, or that
	// it is better to compare them. e is the extent of them all.
	next(d depth, n int, e extent) (deeper depth, keys bool)
	// key is the key of a string at a depth.
	key(d depth, x string) uint64
}

func lessString(a, b *item[string]) bool {
	return a.key < b.key || a.key == b.key && a.of < b.of
}

func (t stringList) survey(in side, lo, hi int) survey {
	s := t.at[in][lo:hi]
	v := survey{first: s[0].key, last: s[len(s)-1].key, up: true, down: true}
	for i := 1; i < len(s) && (v.up || v.down); i++ {
		down := lessString(&s[i], &s[i-1])
		v.up = v.up && !down
		v.down = v.down && down
	}
	for i := range s {
		v.diff |= s[i].key ^ v.first
	}
	return v
}

func (t stringList) insertion(in side, lo, hi int) {
	s := t.at[in][lo:hi]
	for i := 1; i < len(s); i++ {
		if !lessString(&s[i], &s[i-1]) {
			continue
		}
		x, j := s[i], i
		for ; j > 0 && lessString(&x, &s[j-1]); j-- {
			s[j] = s[j-1]
		}
		s[j] = x
	}
}

// commonMost is how many of the bytes that elements have in common are looked at in one step.
const commonMost = 1 << 10

func (t stringList) extent(d depth, in side, lo, hi int) extent {
	s := t.at[in][lo:hi]
	first := s[0].of
	e := extent{common: d.at + commonMost}
	for i := range s {
		e.longest = max(e.longest, t.ties.length(s[i].of))
		e.common = t.ties.common(d, first, s[i].of, e.common)
	}
	return e
}

// samplesMost is how many samples are taken of elements that no sample tells apart, before one
// worker compares them.
const samplesMost = 4

func (t stringList) next(d depth, in side, lo, hi int, e extent) (deepKernel, depth, bool) {
	d, keys := t.ties.next(d, hi-lo, e)
	if !keys && hi-lo > prim.Size(radixAlone) && d.samples < samplesMost {
		d.samples++
		return stringList{t.itemList, sampleOf(t.at[in][lo:hi])}, d, true
	}
	return t, d, keys
}

func (t stringList) rekey(d depth, in side, lo, hi int) {
	s := t.at[in][lo:hi]
	for i := range s {
		s[i].key = t.ties.key(d, s[i].of)
	}
}

// compare sorts the strings apart from their keys: so they are smaller. That is not stable, and
// need not be: strings that compare equal are the same.
func (t stringList) compare(in side, lo, hi int) {
	s := t.at[in][lo:hi]
	all := make([]string, len(s))
	for i := range s {
		all[i] = s[i].of
	}
	slices.Sort(all)
	for i, x := range all {
		s[i].of = x
	}
}

// partsSlowly reports whether most strings of a sample of s part from their neighbours later than in
// stepsMost steps after what all have in common, if at all.
func partsSlowly(s []string) bool {
	var samples [keysSample]string
	some := samples[:min(keysSample, len(s), keysLeast+len(s)/keysPart)]
	for i := range some {
		some[i] = s[int(uint64(i)*uint64(len(s))/uint64(len(some)))]
	}
	common := len(some[0])
	for _, x := range some[1:] {
		common = prefixes{}.common(depth{at: -8}, some[0], x, common)
	}
	var all [keysSample]uint64
	keys := all[:len(some)]
	for i, x := range some {
		keys[i] = firstBytes(x[common:])
	}
	slices.Sort(keys)
	if len(slices.Compact(keys)) > len(some)/2 {
		return false
	}
	slices.Sort(some)
	slowly := 0
	for i, x := range some[1:] {
		if n := (prefixes{}).common(depth{at: -8}, some[i], x, len(x)); n >= common+8*stepsMost {
			slowly++
		}
	}
	return slowly > len(some)/2
}

// prefixes tells strings apart by the bytes after those that are the same. Bytes after the end
// are zeros, so when all strings have ended, their lengths decide.
type prefixes struct{}

const (
	// atLength, in place of a number of bytes, says that lengths decide.
	atLength = -1
	// stepsMost is in how many steps strings part, before the others are compared. It bounds
	// the stack.
	stepsMost = 3
	// sampleMost is how many strings a sample has, at most.
	sampleMost = 128
	// keysSample is how many strings show whether keys tell them apart, or keysLeast and a part of
	// them.
	keysSample = 32
	keysLeast  = 8
	keysPart   = 1 << 7
)

func (prefixes) length(s string) int { return len(s) }

func (prefixes) common(d depth, a, b string, most int) int {
	most = min(most, len(a), len(b))
	n := min(d.at+8, most) // those are the same, or one has ended
	if a[n:most] == b[n:most] {
		return most
	}
	for ; n+8 <= most; n += 8 {
		if diff := eight(a[n:]) ^ eight(b[n:]); diff != 0 {
			return n + bits.LeadingZeros64(diff)/8
		}
	}
	for a[n] == b[n] {
		n++
	}
	return n
}

func (prefixes) next(d depth, n int, e extent) (deeper depth, keys bool) {
	at := max(d.at+8, e.common)
	switch {
	case d.at == atLength: // never: strings of one length with the same bytes are in order
		return d, false
	case at >= e.longest:
		return depth{at: atLength}, true
	case e.common == d.at+commonMost: // none parts yet
		return depth{at: at, steps: d.steps, of: d.of}, true
	case d.steps < stepsMost && (d.steps == 0 || n <= d.of-d.of/8):
		return depth{at: at, steps: d.steps + 1, of: n}, true
	}
	return d, false
}

func (prefixes) key(d depth, s string) uint64 {
	if d.at == atLength {
		return uint64(len(s))
	}
	return firstBytes(s[min(d.at, len(s)):])
}

// firstBytes is the first eight bytes of s as a number, with zeros after the end.
func firstBytes(s string) uint64 {
	if len(s) >= 8 {
		return eight(s)
	}
	var b [8]byte
	copy(b[:], s)
	return binary.BigEndian.Uint64(b[:])
}

// eight is the first eight bytes of s as a number.
func eight(s string) uint64 {
	return uint64(s[7]) | uint64(s[6])<<8 | uint64(s[5])<<16 | uint64(s[4])<<24 |
		uint64(s[3])<<32 | uint64(s[2])<<40 | uint64(s[1])<<48 | uint64(s[0])<<56
}

// A sample is some strings in order, no two of which are the same. It tells others apart by
// between which two of them they are.
type sample []string

func sampleOf(s []item[string]) sample {
	some := make(sample, sampleMost)
	for i := range some {
		some[i] = s[int(uint64(i)*uint64(len(s))/sampleMost)].of
	}
	slices.Sort(some)
	return slices.Compact(some)
}

func (sample) length(string) int                           { return 0 }
func (sample) common(_ depth, _, _ string, _ int) int      { return 0 }
func (sample) next(d depth, _ int, _ extent) (depth, bool) { return d, false }

// key tells strings of the sample from those between them: so a string that occurs many
// times is not looked at again.
func (some sample) key(_ depth, s string) uint64 {
	at, found := slices.BinarySearch(some, s)
	if found {
		return 2*uint64(at) + 1
	}
	return 2 * uint64(at)
}
