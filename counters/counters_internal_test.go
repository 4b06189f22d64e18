package counters

import (
	"testing"
	"unsafe"
)

// A full-width JEC takes 2^32 steps to wrap, so the test starts below.
func TestFullWidthWrap(t *testing.T) {
	c, err := New(65535)
	if err != nil {
		t.Fatalf("C6: New is refused: %v", err)
	}
	counts := 65535*oneInactive + 65534*oneSleeping
	c.bits.Store(uint64(counts | (1<<32-2)<<jobsShift))
	c.Post()
	if got := c.load(); got != counts|(1<<32-1)<<jobsShift {
		t.Fatalf("C3: Post left %v", got)
	}
	if ticket := c.Announce(); ticket != 0 {
		t.Fatalf("C3: Announce at the largest JEC returned %d, want 0", ticket)
	}
	if got := c.load(); got != counts {
		t.Fatalf("C2: the JEC wrapped and left %v, want the counts alone, %v", got, counts)
	}
}

// Posters of many pools read their words all the time; a neighbour on the same
// line would slow each post down.
func TestWordHasLineOfItsOwn(t *testing.T) {
	var c Counters
	before := unsafe.Offsetof(c.bits) - (unsafe.Offsetof(c.jobsMask) + unsafe.Sizeof(c.jobsMask))
	after := unsafe.Sizeof(c) - (unsafe.Offsetof(c.bits) + unsafe.Sizeof(c.bits))
	if before < cacheLine || after < cacheLine {
		t.Fatalf("The word: there are %d bytes of padding before it and %d after it, want %d: a neighbour slows each post down", before, after, cacheLine)
	}
}
