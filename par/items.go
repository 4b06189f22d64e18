package par

//lint:file-ignore U1000 The methods are those of kernel; the check does not see it of generic types.

import (
	"math/bits"
)

// An item is an element of a radix sort with its key.
type item[P any] struct {
	key uint64
	of  P
}

// An itemList is a kernel of elements with their keys. Generic code is compiled for each type of
// elements, in each package that sorts them: so there is little of it here.
type itemList[P any] struct {
	at   [2][]item[P]
	loan *loan
}

func (t *itemList[P]) survey(in side, lo, hi int) survey {
	s := t.at[in][lo:hi]
	v := survey{first: s[0].key, last: s[len(s)-1].key, up: true, down: true}
	last := v.first
	for i := 1; i < len(s) && (v.up || v.down); i++ {
		key := s[i].key
		v.up = v.up && key >= last
		v.down = v.down && key < last
		last = key
	}
	for i := range s {
		v.diff |= s[i].key ^ v.first
	}
	return v
}

func (t *itemList[P]) count(in side, lo, hi int, d digit, counts []uint32) {
	countItems(t.at[in][lo:hi], d, counts)
}

func (t *itemList[P]) countAll(in side, lo, hi int, d digit, counts []int) {
	countItems(t.at[in][lo:hi], d, counts)
}

func (t *itemList[P]) scatter(from side, lo, hi, base int, d digit, at []uint32) {
	scatterItems(t.at[from.other()][base:], t.at[from][lo:hi], d, at)
}

func (t *itemList[P]) scatterAll(from side, lo, hi, base int, d digit, at []int) {
	scatterItems(t.at[from.other()][base:], t.at[from][lo:hi], d, at)
}

func (t *itemList[P]) insertion(in side, lo, hi int) { insertItems(t.at[in][lo:hi]) }

func insertItems[P any](s []item[P]) {
	for i := 1; i < len(s); i++ {
		if s[i].key >= s[i-1].key {
			continue
		}
		x, j := s[i], i
		for ; j > 0 && x.key < s[j-1].key; j-- {
			s[j] = s[j-1]
		}
		s[j] = x
	}
}

func (t *itemList[P]) mirror(in side, lo, hi, from, mid int) { mirror(t.at[in], lo, hi, from, mid) }

func (t *itemList[P]) move(from side, lo, hi int) {
	copy(t.at[from.other()][lo:hi], t.at[from][lo:hi])
}

func (t *itemList[P]) fill(side, int, int, uint64) bool { return false }

func (t *itemList[P]) makeRoom() {
	if t.at[1] == nil {
		t.at[1], t.loan = borrow[item[P]](len(t.at[0]))
	}
}

func (t *itemList[P]) giveBack() { giveBack(t.at[1], t.loan) }

//go:noinline
func countItems[P any, C counter](s []item[P], d digit, counts []C) {
	shift, mask := d.shift&63, d.mask()
	for i := range s {
		counts[s[i].key>>shift&mask]++
	}
}

//go:noinline
func scatterItems[P any, C counter](dst, src []item[P], d digit, at []C) {
	shift, mask := d.shift&63, d.mask()
	for i := range src {
		p := &at[src[i].key>>shift&mask]
		dst[*p] = src[i]
		*p++
	}
}

// sortIndices sorts indices by their keys.
func sortIndices(all []item[int], c config) {
	radixSort(&itemList[int]{at: [2][]item[int]{all}}, len(all), c)
}

// sortFewIndices sorts up to stackMost indices by their keys, without an allocation.
func sortFewIndices(s []item[int]) {
	if len(s) <= insertionMost {
		insertItems(s)
		return
	}
	diff := uint64(0)
	for i := range s {
		diff |= s[i].key ^ s[0].key
	}
	var buf [stackMost]item[int]
	var counts [2 * stackMost]uint32
	d := digitOf(diff, bits.Len(uint(len(s))))
	at := counts[:d.buckets()]
	countItems(s, d, at)
	starts(at)
	scatterItems(buf[:len(s)], s, d, at)
	copy(s, buf[:])
	if d.rest(diff) == 0 {
		return
	}
	lo := 0
	for _, end := range at {
		hi := int(end)
		if hi-lo > insertionMost {
			sortFewIndices(s[lo:hi])
		}
		lo = hi
	}
	insertItems(s) // it does not move elements that are in order by now
}
