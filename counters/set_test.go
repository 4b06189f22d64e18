package counters_test

import (
	"slices"
	"testing"

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
