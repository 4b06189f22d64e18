package conformance_test

import (
	"context"
	"fmt"
	"log"

	"github.com/rouse-go/rouse/api"
	"github.com/rouse-go/rouse/deque"
	"github.com/rouse-go/rouse/pool"
	"github.com/rouse-go/rouse/sleep/futex"
)

// A pool that is composed by hand: the plain deque, and workers that yield 32
// times before they sleep on a futex.
func Example_composedPool() {
	p, err := pool.New(
		pool.WithWorkers(3),
		pool.WithDeque(func() api.Deque[pool.Job] { return deque.NewLocked[pool.Job]() }),
		pool.WithSleep(func(workers int) (api.Sleep, error) {
			return futex.New(workers, futex.WithRounds(api.RoundsThreadPool))
		}),
	)
	if err != nil {
		log.Fatal(err)
	}
	defer p.Close()
	double := func(_ *pool.Worker, n int) int { return 2 * n }
	fmt.Println(pool.Run(context.Background(), p, double, 21))
	// Output: 42 <nil>
}
