package bad

import (
	"testing"

	"github.com/rouse-go/rouse/pool"
)

func TestSum(t *testing.T) {
	pool.Run(t.Context(), pool.Default(), func(w *pool.Worker, _ int) int {
		a, b := pool.Both(w, func(w *pool.Worker) int { return sum(w, nil) }, func(*pool.Worker) int { return sum(w, nil) }) // want `w is a worker from outside`
		return a + b
	}, 0)
}
