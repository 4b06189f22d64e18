package pool_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"strconv"
	"strings"
	"time"

	"github.com/rouse-go/rouse/pool"
)

// A function that may fail: its error comes back as it is.
func ExampleRunErr() {
	p, err := pool.New()
	if err != nil {
		log.Fatal(err)
	}
	defer p.Close()

	// The sum of two numbers, parsed at once.
	sum := func(ctx context.Context, w *pool.Worker, text [2]string) (int, error) {
		parse := func(_ *pool.Worker, s string) (r struct {
			n   int
			err error
		}) {
			r.n, r.err = strconv.Atoi(s)
			return r
		}
		a, b := pool.Invoke(w, parse, text[0], parse, text[1])
		return a.n + b.n, errors.Join(a.err, b.err)
	}
	fmt.Println(pool.RunErr(context.Background(), p, sum, [2]string{"40", "2"}))
	fmt.Println(pool.RunErr(context.Background(), p, sum, [2]string{"40", "zwei"}))
	// Output:
	// 42 <nil>
	// 40 strconv.Atoi: parsing "zwei": invalid syntax
}

// The first error ends the group. What has not begun is skipped; what runs can ask its
// context.
func ExampleWorker_Group() {
	p, err := pool.New(pool.WithWorkers(2))
	if err != nil {
		log.Fatal(err)
	}
	defer p.Close()

	check := func(ctx context.Context, w *pool.Worker, pages []string) (int, error) {
		return len(pages), w.Group(ctx, func(ctx context.Context, w *pool.Worker, g *pool.Group) error {
			for _, page := range pages {
				g.Spawn(w, func(ctx context.Context, w *pool.Worker) error {
					if page == "" {
						return errors.New("an empty page")
					}
					return ctx.Err()
				})
			}
			return nil
		})
	}
	fmt.Println(pool.RunErr(context.Background(), p, check, []string{"one", "two"}))
	_, err = pool.RunErr(context.Background(), p, check, []string{"one", "", "three"})
	fmt.Println(err)
	// Output:
	// 2 <nil>
	// an empty page
}

// A group from outside, as an errgroup: the caller waits for all of it, and works too.
func ExampleRunGroup() {
	files := []string{"one two", "three", ""}
	words := make([]int, len(files))
	err := pool.RunGroup(context.Background(), pool.Default(), func(_ context.Context, w *pool.Worker, g *pool.Group) error {
		for i, text := range files {
			g.Spawn(w, func(context.Context, *pool.Worker) error {
				words[i] = len(strings.Fields(text))
				if words[i] == 0 {
					return fmt.Errorf("file %d is empty", i)
				}
				return nil
			})
		}
		return nil
	})
	fmt.Println(err)
	// Output: file 2 is empty
}

// A job that nobody needs when the request has ended.
func ExampleSubmitErr() {
	p, err := pool.New(pool.WithWorkers(1))
	if err != nil {
		log.Fatal(err)
	}
	defer p.Close()

	free := make(chan bool)
	pool.Go(p, func(*pool.Worker) { <-free }) // the only worker is occupied

	ctx, cancel := context.WithTimeout(context.Background(), time.Millisecond)
	defer cancel()
	h, err := pool.SubmitErr(ctx, p, func(ctx context.Context, w *pool.Worker) (int, error) {
		return 42, nil
	})
	if err != nil {
		log.Fatal(err)
	}
	_, err = h.Wait(context.Background())
	fmt.Println(err)
	close(free)
	// Output: context deadline exceeded
}

// Several jobs at once, and their results in order.
func ExampleSubmitAll() {
	p, err := pool.New()
	if err != nil {
		log.Fatal(err)
	}
	defer p.Close()

	var jobs []func(*pool.Worker) int
	for i := range 4 {
		jobs = append(jobs, func(*pool.Worker) int { return i * i })
	}
	handles, err := pool.SubmitAll(p, jobs)
	if err != nil {
		log.Fatal(err)
	}
	for _, h := range handles {
		n, err := h.Wait(context.Background())
		fmt.Println(n, err)
	}
	// Output:
	// 0 <nil>
	// 1 <nil>
	// 4 <nil>
	// 9 <nil>
}

// A server that had better say no than be late.
func ExampleWithQueueLimit() {
	p, err := pool.New(pool.WithWorkers(1), pool.WithQueueLimit(2))
	if err != nil {
		log.Fatal(err)
	}
	defer p.Close()

	began, free := make(chan bool), make(chan bool)
	pool.Go(p, func(*pool.Worker) { close(began); <-free })
	<-began // from now on the queue has all the room
	for range 3 {
		fmt.Println(pool.Go(p, func(*pool.Worker) {}))
	}
	close(free)
	// Output:
	// <nil>
	// <nil>
	// pool: queue is full
}

// What has begun ends, what has not is taken back.
func ExamplePool_Shutdown() {
	p, err := pool.New(pool.WithWorkers(1))
	if err != nil {
		log.Fatal(err)
	}
	began, free := make(chan bool), make(chan bool)
	running, _ := pool.Submit(p, func(*pool.Worker) string { close(began); <-free; return "done" })
	<-began
	queued, _ := pool.Submit(p, func(*pool.Worker) string { return "never" })

	ctx, cancel := context.WithTimeout(context.Background(), time.Millisecond)
	defer cancel()
	fmt.Println(p.Shutdown(ctx))
	_, err = queued.Wait(context.Background())
	fmt.Println(errors.Is(err, pool.ErrCanceled))

	close(free)
	fmt.Println(running.Wait(context.Background()))
	fmt.Println(p.Close()) // waits for the end
	// Output:
	// context deadline exceeded
	// true
	// done <nil>
	// <nil>
}

// A job that computes for long shows what it has forked before.
func ExampleLoops_Publish() {
	p, err := pool.New(pool.WithWorkers(2))
	if err != nil {
		log.Fatal(err)
	}
	defer p.Close()

	both := func(w *pool.Worker, n int) int {
		f := pool.Fork(w, func(_ *pool.Worker, n int) int { return n + 1 }, n)
		pool.LoopsOf(w).Publish() // the loop neither forks nor joins
		sum := 0
		for i := range n {
			sum += i
		}
		return sum + f.Join(w)
	}
	fmt.Println(pool.Run(context.Background(), p, both, 10))
	// Output: 56 <nil>
}
