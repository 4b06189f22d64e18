package radix

import (
	"encoding/binary"
	"slices"

	"github.com/rouse-go/rouse/api/prim"
)

const (
	// stepsMost is in how many steps strings are told apart by keys. Those that have the same keys
	// then are compared: suffixes of a text that repeats itself part one by one, so each step would
	// be for few of them, and take some stack.
	stepsMost = 3
	// groupLeast is how many strings have keys of their own. Fewer are compared.
	groupLeast = 32
	// sampleMost is how many strings are looked at before all are.
	sampleMost = 32
)

// Apart reports whether the keys of most strings in a sample of s differ. If not, it is better to
// compare all strings.
func Apart(s []string) bool {
	var some [sampleMost]Item[string]
	var of [sampleMost]uint64
	n := prim.Size(sampleMost)
	sample, keys := some[:n], of[:n]
	for i := range sample {
		sample[i].Of = s[len(s)/n*i]
	}
	at := common(sample, serial)
	for i, x := range sample {
		keys[i] = FirstBytes(x.Of[at:])
	}
	slices.Sort(keys)
	return len(slices.Compact(keys)) > n/2
}

// Strings sorts strings by eight bytes at a time, the first ones after those that all have in
// common. It keeps these beside the strings: so it looks at most of them once, in the order of the
// memory, and not again with each comparison (Ng and Kakehi, "Cache efficient radix sort for string
// sorting", 2007). compare sorts strings that are to be compared.
func Strings(all []Item[string], loop Loop, compare func([]Item[string])) {
	stringsFrom(all, make([]Item[string], len(all)), 1, loop, compare)
}

func stringsFrom(all, room []Item[string], step int, loop Loop, compare func([]Item[string])) {
	at := common(all, loop)
	loop(Other, len(all), func(i, end int) {
		for ; i < end; i++ {
			s := all[i].Of
			all[i].Key = FirstBytes(s[min(at, len(s)):])
		}
	})
	Sort(&Items[string]{all, room}, len(all), loop)
	Ties(all, func(lo, hi int) bool {
		group, inner := all[lo:hi], loop
		if len(group) <= prim.Size(Alone) {
			inner = serial
		}
		if len(group) < groupLeast || len(group) == len(all) || step == stepsMost {
			compare(group)
		} else {
			stringsFrom(group, room[lo:hi], step+1, inner, compare)
		}
		return true
	}, nil, loop)
}

// serial is a Loop of one goroutine.
func serial(_ Step, n int, body func(lo, hi int)) { body(0, n) }

// common returns how many bytes all strings have in common. A sample of most strings shows that
// there are none.
func common(all []Item[string], loop Loop) int {
	first := all[0].Of
	most := len(first)
	for i := range sampleMost {
		most = commonOf(first, all[len(all)/sampleMost*i].Of, most)
	}
	if most == 0 {
		return 0
	}
	// least is what those that have been looked at have in common.
	//
	// Writers: a goroutine that has looked at some, by CAS.
	// Pairs:   none, the loop's end orders them.
	var least prim.Int64
	least.Store(int64(most))
	loop(Other, len(all), func(i, end int) {
		most := least.Load()
		n := int(most)
		for ; i < end; i++ {
			n = commonOf(first, all[i].Of, n)
		}
		for int64(n) < most && !least.CompareAndSwap(most, int64(n)) {
			most = least.Load()
		}
	})
	return int(least.Load())
}

// commonOf returns how many of the first bytes of a and b are the same, and most at most.
func commonOf(a, b string, most int) int {
	most = min(most, len(b))
	if a[:most] == b[:most] {
		return most
	}
	n := 0
	for a[n] == b[n] {
		n++
	}
	return n
}

// FirstBytes returns the first eight bytes of s as a number, with zeros after the end.
func FirstBytes(s string) uint64 {
	if len(s) >= 8 {
		return uint64(s[7]) | uint64(s[6])<<8 | uint64(s[5])<<16 | uint64(s[4])<<24 |
			uint64(s[3])<<32 | uint64(s[2])<<40 | uint64(s[1])<<48 | uint64(s[0])<<56
	}
	var b [8]byte
	copy(b[:], s)
	return binary.BigEndian.Uint64(b[:])
}
