package good_test

import (
	"testing"

	"github.com/rouse-go/rouse/pool"
)

// A test learns from a job what worker it had, and then only compares.
func TestWorkers(t *testing.T) {
	p, err := pool.New()
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	var first *pool.Worker
	pool.Run(t.Context(), p, func(w *pool.Worker, _ int) int { first = w; return 0 }, 0)
	pool.Run(t.Context(), p, func(w *pool.Worker, _ int) int {
		if w.Pool() != first.Pool() {
			t.Error("another pool")
		}
		return 0
	}, 0)
}
