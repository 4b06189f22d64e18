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

// transitions are the steps that change the counts. Each has the real one, and a
// model: the counts that it leaves, what it returns, and whether the protocol allows
// it (ok).
var transitions = []struct {
	name  string
	real  func(c *Counters) bool
	model func(inactive, sleeping, workers int) (i, s int, returns, ok bool)
}{
	{"AddInactive", func(c *Counters) bool { c.AddInactive(); return false },
		func(i, s, workers int) (int, int, bool, bool) { return i + 1, s, false, i < workers }},
	{"SubInactive", func(c *Counters) bool { inactive, sleeping := c.SubInactive(); return inactive == sleeping },
		func(i, s, _ int) (int, int, bool, bool) { return i - 1, s, i-1 == s, i > s }},
	{"SubSleeping", func(c *Counters) bool { c.SubSleeping(1); return false },
		func(i, s, _ int) (int, int, bool, bool) { return i, s - 1, false, s > 0 }},
	{"Lend", func(c *Counters) bool { c.Lend(); return false },
		func(i, s, _ int) (int, int, bool, bool) { return i - 1, s - 1, false, s > 0 }},
	{"Restore", func(c *Counters) bool { return c.Restore() },
		func(i, s, workers int) (int, int, bool, bool) { return i + 1, s + 1, i == 0, i < workers }},
	{"TrySleep", func(c *Counters) bool { return c.TrySleep(c.load().Jobs()) },
		func(i, s, _ int) (int, int, bool, bool) { return i, s + 1, true, s < i }},
}

// C1, C2: from every legal word at whose fields' limits something could carry or
// borrow, each step does what it should, or panics. If one that carries does not, a
// broken protocol goes unnoticed.
func TestLimitsOfFields(t *testing.T) {
	for _, workers := range []int{1, 3, maxWorkers} {
		for _, before := range limits(workers) {
			for _, tr := range transitions {
				c, err := New(workers)
				if err != nil {
					t.Fatalf("C6: New is refused: %v", err)
				}
				c.bits.Store(uint64(before))
				inactive, sleeping, returns, ok := tr.model(before.Inactive(), before.Sleeping(), workers)
				got, panicked := attempt(c, tr.real)
				switch {
				case panicked == ok:
					t.Errorf("C2: %s of %d workers from %v: panicked is %v", tr.name, workers, before, panicked)
				case ok && got != returns:
					t.Errorf("C1: %s of %d workers from %v returned %v", tr.name, workers, before, got)
				case ok && c.load() != pack(inactive, sleeping, before.Jobs()):
					t.Errorf("C2: %s of %d workers from %v left %v", tr.name, workers, before, c)
				}
			}
		}
	}
}

func pack(inactive, sleeping int, jobs uint32) Word {
	return Word(jobs)<<jobsShift | Word(inactive)<<inactiveShift | Word(sleeping)
}

// limits returns the legal words whose fields are near zero or full.
func limits(workers int) (words []Word) {
	counts := []int{0, 1, 2, 3, maxWorkers - 1, maxWorkers}
	for _, inactive := range counts {
		for _, sleeping := range counts {
			for _, jobs := range []uint32{0, 1, 1<<32 - 1} {
				if sleeping <= inactive && inactive <= workers {
					words = append(words, pack(inactive, sleeping, jobs))
				}
			}
		}
	}
	return words
}

func attempt(c *Counters, step func(*Counters) bool) (returned, panicked bool) {
	defer func() { panicked = recover() != nil }()
	return step(c), false
}

// The fields must be the ones that Word documents, and no others.
func TestWordFields(t *testing.T) {
	for range 1000 {
		sleeping, inactive, jobs := rand.Uint32()&0xffff, rand.Uint32()&0xffff, rand.Uint32()
		w := Word(jobs)<<32 | Word(inactive)<<16 | Word(sleeping)
		if w.Sleeping() != int(sleeping) || w.Inactive() != int(inactive) || w.Jobs() != jobs || w.posted() != (jobs%2 == 1) {
			t.Fatalf("Word: %#x decodes to %v", uint64(w), w)
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
		t.Fatalf("The word: there are %d bytes of padding before it and %d after it, want %d: a neighbour slows each post down", before, after, cacheLine)
	}
}
