package pool_test

import (
	"runtime"
	"testing"

	"github.com/rouse-go/rouse/pool"
)

// Two short calls in a row make the next one brief, and a long one ends that.
func TestNotes(t *testing.T) {
	p := newPool(t, pool.WithWorkers(1))
	brief := func(key uint64, want bool, when string) {
		t.Helper()
		if got := p.Brief(key); got != want {
			t.Errorf("P31: a call with key %d is brief: %t, want %t: %s", key, got, want, when)
		}
	}
	brief(7, false, "nothing is known")
	p.Note(7, false)
	p.Note(7, true)
	brief(7, false, "one was short")
	p.Note(7, true)
	brief(7, true, "two were short")
	brief(8, false, "of another key")
	p.Note(7, true)
	brief(7, true, "three were short")
	p.Note(7, false)
	brief(7, false, "the last one was long")
	p.Note(7, true)
	brief(7, false, "one was short since")
	brief(0, false, "nothing is known")
}

// Notes that have no room any more are lost, and none is taken for another one's.
func TestNotesOfMany(t *testing.T) {
	p := newPool(t, pool.WithWorkers(1))
	const many = 100_000
	for key := range uint64(many) {
		p.Note(key<<4, true)
		p.Note(key<<4, true)
		if !p.Brief(key << 4) {
			t.Fatalf("P31: two short calls with key %d, and the next one is not brief", key<<4)
		}
	}
	left := 0
	for key := range uint64(many) {
		if p.Brief(key << 4) {
			left++
		}
		if p.Brief(key<<4 | 1) {
			t.Fatalf("P31: a call with key %d is brief, and there was none", key<<4|1)
		}
	}
	if left < 500 || left > 1024 {
		t.Errorf("P31: of %d notes %d are left, want about a thousand", many, left)
	}
}

// Notes allocate nothing once there are some, and a pool of which no call was short has none.
func TestNotesAllocate(t *testing.T) {
	p := newPool(t, pool.WithWorkers(1))
	if n := testing.AllocsPerRun(100, func() { p.Note(1, false); p.Brief(1) }); n != 0 {
		t.Errorf("P31: a note of a long call allocates %v times", n)
	}
	p.Note(1, true)
	if n := testing.AllocsPerRun(100, func() { p.Note(1, true); p.Brief(1) }); n != 0 {
		t.Errorf("P31: a note allocates %v times", n)
	}
}

// A call of a pool that has just been made finds a seat, though none has begun to sleep.
func TestRunOnNewPool(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for _, processors := range []int{1, runtime.GOMAXPROCS(0)} {
		runtime.GOMAXPROCS(processors)
		for _, workers := range []int{1, 2, 64} {
			p := newPool(t, pool.WithWorkers(workers))
			mustRun(t, p, func(*pool.Worker, int) int { return 0 }, 0)
			if s := p.Stats(); s.Borrowed != 1 || s.Injected != 0 {
				t.Errorf("P28: the first Run on a new pool of %d workers, with %d processors, was queued: %+v", workers, processors, s)
			}
		}
	}
}
