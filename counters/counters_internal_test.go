package counters

import (
	"math/rand/v2"
	"testing"
	"unsafe"
)

// A full-width JEC takes 2^32 steps to wrap, so the test starts below.
func TestFullWidthWrap(t *testing.T) {
	c, err := New(65535)
	if err != nil {
		t.Fatal(err)
	}
	counts := 65535*oneInactive + 65534*oneSleeping
	c.bits.Store(uint64(counts | (1<<32-2)<<jobsShift))
	c.Post()
	if got := c.load(); got != counts|(1<<32-1)<<jobsShift {
		t.Fatalf("Post left %v", got)
	}
	if ticket := c.Announce(); ticket != 0 {
		t.Fatalf("Announce at the largest JEC returned %d, want 0", ticket)
	}
	if got := c.load(); got != counts {
		t.Fatalf("the wrap left %v, want the counts alone, %v", got, counts)
	}
}

// The fields must be the ones that Word documents, and no others.
func TestWordFields(t *testing.T) {
	for range 1000 {
		sleeping, inactive, jobs := rand.Uint32()&0xffff, rand.Uint32()&0xffff, rand.Uint32()
		w := Word(jobs)<<32 | Word(inactive)<<16 | Word(sleeping)
		if w.Sleeping() != int(sleeping) || w.Inactive() != int(inactive) || w.Jobs() != jobs || w.posted() != (jobs%2 == 1) {
			t.Fatalf("%#x decodes to %v", uint64(w), w)
		}
	}
}

// Posters of many pools read their words all the time; a neighbour on the same
// line would slow each post down.
func TestWordHasLineOfItsOwn(t *testing.T) {
	var c Counters
	before := unsafe.Offsetof(c.bits) - (unsafe.Offsetof(c.jobsMask) + unsafe.Sizeof(c.jobsMask))
	after := unsafe.Sizeof(c) - (unsafe.Offsetof(c.bits) + unsafe.Sizeof(c.bits))
	if before < cacheLine || after < cacheLine {
		t.Fatalf("%d bytes of padding before the word and %d after it, want %d", before, after, cacheLine)
	}
}
