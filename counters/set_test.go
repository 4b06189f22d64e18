package counters_test

import (
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/rouse-go/rouse/api/testrule"
	"github.com/rouse-go/rouse/counters"
)

// If this fails, a worker is claimed that does not sleep, or one that does is not
// found.
func TestSet(t *testing.T) {
	for _, workers := range []int{1, 63, 64, 65, 256, 1000} {
		s := counters.NewSet(workers)
		if w, ok := s.Take(); ok {
			t.Fatalf("C7: Set.Take: of %d workers it finds %d in an empty set", workers, w)
		}
		for w := range workers {
			s.Add(w)
		}
		claimed := []int{workers - 1, workers / 2}
		slices.Sort(claimed)
		claimed = slices.Compact(claimed)
		for _, w := range claimed {
			if !s.Remove(w) {
				t.Errorf("C7: Set.Remove: of %d workers %d cannot be claimed", workers, w)
			}
			if s.Remove(w) {
				t.Errorf("C7: Set.Remove: of %d workers %d is claimed twice", workers, w)
			}
		}
		for w := range workers {
			if slices.Contains(claimed, w) {
				continue
			}
			if got, ok := s.Take(); !ok || got != w {
				t.Fatalf("C7: Set.Take: of %d workers it returns %d, %v, want %d", workers, got, ok, w)
			}
		}
		if w, ok := s.Take(); ok {
			t.Errorf("C7: Set.Take: of %d workers it finds %d when all are claimed", workers, w)
		}
	}
}

// Each worker puts itself in and is then claimed once, by the first that comes.
func TestStressSet(t *testing.T) {
	rounds := 40_000
	if testing.Short() {
		rounds /= 10
	}
	const workers = 130
	s := counters.NewSet(workers)
	var free [workers]atomic.Bool // the worker is out, and may be put in
	for w := range free {
		free[w].Store(true)
	}
	claim := func(w int, by string) {
		if free[w].Swap(true) {
			t.Errorf("C7: %s: worker %d is claimed, which is not in the set", by, w)
		}
	}
	var wg sync.WaitGroup
	for n := range 4 {
		wg.Go(func() {
			defer testrule.Name()
			for i := range rounds {
				w := (i*7 + n) % workers
				switch {
				case i%3 == 0:
					if free[w].CompareAndSwap(true, false) {
						s.Add(w)
					}
				case i%3 == 1:
					if s.Remove(w) {
						claim(w, "Set.Remove")
					}
				default:
					if w, ok := s.Take(); ok {
						claim(w, "Set.Take")
					}
				}
			}
		})
	}
	wg.Wait()
	for w, ok := s.Take(); ok; w, ok = s.Take() {
		claim(w, "Set.Take")
	}
	for w := range free {
		if !free[w].Load() {
			t.Errorf("C7: Set: worker %d is lost", w)
		}
	}
}
