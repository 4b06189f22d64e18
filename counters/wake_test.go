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
		{jobs: 1, inactive: 2, sleeping: 2, wasEmpty: true, want: 1},  // nobody looks
	} {
		if got := counters.ToWake(c.jobs, c.wasEmpty, c.inactive, c.sleeping); got != c.want {
			t.Errorf("%+v: woke %d", c, got)
		}
	}
}
