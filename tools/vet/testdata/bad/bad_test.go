package bad

import (
	"testing"

	"github.com/rouse-go/rouse/pool"
)

func TestSum(t *testing.T) {
	p, err := pool.New()
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	pool.Run(t.Context(), p, func(w *pool.Worker, _ int) int {
		a, b := pool.Both(w, func(w *pool.Worker) int { return sum(w, nil) }, func(*pool.Worker) int { return sum(w, nil) }) // want `w is a worker from outside`
		return a + b
	}, 0)
}
