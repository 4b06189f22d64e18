package backends_test

import (
	"slices"
	"testing"

	"github.com/rouse-go/rouse/pool"
	"github.com/rouse-go/rouse/tools/backends"
)

// Every combination makes a pool that works.
func TestAll(t *testing.T) {
	for _, d := range backends.Deques() {
		for _, s := range backends.Sleeps() {
			p, err := pool.New(pool.WithWorkers(2), pool.WithDeque(d.New), pool.WithSleep(s.New))
			if err != nil {
				t.Errorf("deque=%s/sleep=%s: %v", d.Name, s.Name, err)
				continue
			}
			got, err := pool.Run(t.Context(), p, func(_ *pool.Worker, x int) int { return x + 1 }, 41)
			if err != nil || got != 42 {
				t.Errorf("deque=%s/sleep=%s: got %d, error %v", d.Name, s.Name, got, err)
			}
			if err := p.Close(); err != nil {
				t.Errorf("deque=%s/sleep=%s: Close: %v", d.Name, s.Name, err)
			}
		}
	}
}

func TestPick(t *testing.T) {
	names := func(ds []backends.Deque) (names []string) {
		for _, d := range ds {
			names = append(names, d.Name)
		}
		return names
	}
	for _, test := range []struct{ names, want []string }{
		{nil, []string{"chaselev", "locked"}},
		{[]string{"locked"}, []string{"locked"}},
		{[]string{"locked", "chaselev", "locked"}, []string{"chaselev", "locked"}},
	} {
		got, err := backends.PickDeques(test.names)
		if err != nil || !slices.Equal(names(got), test.want) {
			t.Errorf("%q: got %q, error %v; want %q", test.names, names(got), err, test.want)
		}
	}
	_, err := backends.PickDeques([]string{"chaselev", "heap"})
	if want := `unknown deque "heap"; there are: chaselev, locked`; err == nil || err.Error() != want {
		t.Errorf("error %v, want %q", err, want)
	}
	if _, err := backends.PickSleeps([]string{""}); err == nil {
		t.Error("an empty name was taken for a sleep backend")
	}
}
