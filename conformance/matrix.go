package conformance

import (
	"maps"
	"slices"
	"testing"

	"github.com/rouse-go/rouse/api"
	"github.com/rouse-go/rouse/conformance/internal/harness"
	"github.com/rouse-go/rouse/pool"
)

// A Matrix names the parts to combine.
type Matrix struct {
	// Deques are functions that make the public deque of a worker.
	Deques map[string]func() api.Deque[pool.Job]
	// Sleeps are functions that make the sleep backend of a pool.
	Sleeps map[string]func(workers int) (api.Sleep, error)
}

// TestMatrix runs [TestPool] on every combination, in subtests named like
// deque=chaselev/sleep=jec. After each one no goroutine may be left.
func TestMatrix(t *testing.T, m Matrix, opts ...Option) {
	t.Helper()
	if len(m.Deques) == 0 || len(m.Sleeps) == 0 {
		t.Fatalf("conformance: a matrix of %d deques and %d sleep backends has nothing to check", len(m.Deques), len(m.Sleeps))
	}
	for _, d := range slices.Sorted(maps.Keys(m.Deques)) {
		for _, s := range slices.Sorted(maps.Keys(m.Sleeps)) {
			t.Run("deque="+d+"/sleep="+s, func(t *testing.T) {
				before := harness.GoroutinesNow()
				TestPool(t, func(more ...pool.Option) (*pool.Pool, error) {
					parts := []pool.Option{pool.WithDeque(m.Deques[d]), pool.WithSleep(m.Sleeps[s])}
					return pool.New(append(parts, more...)...)
				}, opts...)
				if t.Failed() {
					return // a pool that hangs is left behind, of course
				}
				if err := harness.GoroutinesSince(before); err != nil {
					t.Errorf("P8: goroutines are left: %v", err)
				}
			})
		}
	}
}
