package pool_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"strings"
	"sync/atomic"

	"github.com/rouse-go/rouse/pool"
)

// A WordCounter counts words. The zero WordCounter works on pool.Default.
//
// It stands for a library: its users need not know of pools.
type WordCounter struct {
	// Pool is what the work is done on; nil stands for pool.Default().
	Pool *pool.Pool
}

var errEmpty = errors.New("empty text")

// Count returns how many words the texts have. It may be called by anybody, also in a
// job. It returns an error if a text is empty, or that of ctx if that ends first.
func (c *WordCounter) Count(ctx context.Context, texts ...string) (int, error) {
	p := c.Pool
	if p == nil {
		p = pool.Default()
	}
	return pool.RunErr(ctx, p, countIn, texts)
}

// CountIn is Count for a job, which has a worker. It costs nothing to enter.
func (*WordCounter) CountIn(ctx context.Context, w *pool.Worker, texts ...string) (int, error) {
	return countIn(ctx, w, texts)
}

func countIn(ctx context.Context, w *pool.Worker, texts []string) (int, error) {
	var words atomic.Int64
	err := w.Group(ctx, func(_ context.Context, w *pool.Worker, g *pool.Group) error {
		for i, text := range texts {
			g.Spawn(w, func(context.Context, *pool.Worker) error {
				if text == "" {
					return fmt.Errorf("text %d: %w", i, errEmpty)
				}
				words.Add(int64(len(strings.Fields(text))))
				return nil
			})
		}
		return nil
	})
	return int(words.Load()), err
}

// A library, and its three kinds of callers: one that knows of no pool, a job of the
// pool that the library uses, and a job of another one.
func Example_library() {
	var counter WordCounter
	fmt.Println(counter.Count(context.Background(), "wake the right ones", "and no others"))

	chapter := func(ctx context.Context, _ *pool.Worker, title string) (int, error) {
		return counter.Count(ctx, title, "the text") // goes on as the worker that ctx carries
	}
	fmt.Println(pool.RunErr(context.Background(), pool.Default(), chapter, "Sleep"))

	other, err := pool.New(pool.WithWorkers(1))
	if err != nil {
		log.Fatal(err)
	}
	defer other.Close()
	_, err = pool.RunErr(context.Background(), other, chapter, "")
	fmt.Println(err, errors.Is(err, errEmpty))
	// Output:
	// 7 <nil>
	// 3 <nil>
	// text 0: empty text true
}
