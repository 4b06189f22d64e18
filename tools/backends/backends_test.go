package backends_test

import (
	"errors"
	"strings"
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
				t.Fatalf("deque=%s/sleep=%s: %v", d.Name, s.Name, err)
			}
			got, err := pool.Run(t.Context(), p, func(_ *pool.Worker, x int) int { return x + 1 }, 41)
			if err := errors.Join(err, p.Close()); err != nil || got != 42 {
				t.Errorf("deque=%s/sleep=%s: got %d, error %v", d.Name, s.Name, got, err)
			}
		}
	}
}

func TestPick(t *testing.T) {
	for names, want := range map[string]string{"": "chaselev, locked", "locked": "locked", "locked,chaselev,locked": "chaselev, locked"} {
		picked, err := backends.PickDeques(strings.FieldsFunc(names, func(r rune) bool { return r == ',' }))
		if got := backends.Names(picked); err != nil || got != want {
			t.Errorf("%q: got %q, error %v; want %q", names, got, err, want)
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
