package counters_test

import (
	"testing"

	"github.com/rouse-go/rouse/counters"
)

func TestToWake(t *testing.T) {
	for _, c := range []struct {
		jobs, inactive, sleeping, want int
		wasEmpty                       bool
	}{
		{jobs: 1, inactive: 0, sleeping: 0, wasEmpty: true, want: 0},  // all are active
		{jobs: 1, inactive: 3, sleeping: 2, wasEmpty: true, want: 0},  // one looks already
		{jobs: 1, inactive: 9, sleeping: 2, wasEmpty: true, want: 0},  // more than enough do
		{jobs: 2, inactive: 3, sleeping: 2, wasEmpty: true, want: 1},  // it covers one of two
		{jobs: 9, inactive: 3, sleeping: 2, wasEmpty: true, want: 2},  // no more than sleep
		{jobs: 1, inactive: 3, sleeping: 2, wasEmpty: false, want: 1}, // work piles up
		{jobs: 1, inactive: 2, sleeping: 2, wasEmpty: true, want: 1},  // none looks
	} {
		if got := counters.ToWake(c.jobs, c.wasEmpty, c.inactive, c.sleeping); got != c.want {
			t.Errorf("C8: ToWake: %+v: woke %d", c, got)
		}
	}
}

// If this fails, the workers of a large pool wake too slowly, or all at once.
func TestSuccessors(t *testing.T) {
	for _, c := range []struct{ workers, inactive, sleeping, want int }{
		{workers: 4, inactive: 2, sleeping: 2, want: 2},
		{workers: 4, inactive: 3, sleeping: 3, want: 1},
		{workers: 64, inactive: 60, sleeping: 60, want: 2},
		{workers: 64, inactive: 60, sleeping: 57, want: 1}, // three search, four have work
		{workers: 64, inactive: 60, sleeping: 56, want: 0}, // as many search as have work
		{workers: 64, inactive: 32, sleeping: 20, want: 2},
		{workers: 64, inactive: 40, sleeping: 1, want: 0},
		{workers: 64, inactive: 8, sleeping: 1, want: 1}, // no more than sleep
		{workers: 64, inactive: 0, sleeping: 0, want: 0},
	} {
		if got := counters.Successors(c.workers, c.inactive, c.sleeping); got != c.want {
			t.Errorf("C8: Successors: %+v: woke %d", c, got)
		}
	}
}

// If this fails, the last searcher wakes no worker, and a job waits while workers sleep.
func TestSuccessorsOfLast(t *testing.T) {
	for workers := range 70 {
		for inactive := 1; inactive < workers; inactive++ { // the caller has work
			if counters.Successors(workers, inactive, inactive) < 1 {
				t.Errorf("S2: of %d workers, %d sleep and the others have work: the last to find it wakes no other", workers, inactive)
			}
		}
	}
}
