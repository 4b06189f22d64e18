package pool_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing/fstest"
	"time"

	"github.com/rouse-go/rouse/pool"
)

// A pool is made once and used by everybody. Forks are so cheap that the
// function forks at every call.
func Example() {
	p, err := pool.New()
	if err != nil {
		log.Fatal(err)
	}
	defer p.Close()

	var fib func(w *pool.Worker, n int) int
	fib = func(w *pool.Worker, n int) int {
		if n < 2 {
			return n
		}
		f := pool.Fork(w, fib, n-2) // may run on another worker
		x := fib(w, n-1)
		return x + f.Join(w) // runs here if nobody took it
	}
	sum, err := pool.Run(context.Background(), p, fib, 25)
	fmt.Println(sum, err)
	// Output: 75025 <nil>
}

// A library that is handed no pool uses the default one, which the program may have set.
func ExampleDefault() {
	var longest func(w *pool.Worker, words []string) int
	longest = func(w *pool.Worker, words []string) int {
		if len(words) == 1 {
			return len(words[0])
		}
		half := len(words) / 2
		f := pool.Fork(w, longest, words[:half])
		return max(longest(w, words[half:]), f.Join(w))
	}
	n, err := pool.Run(context.Background(), pool.Default(), longest, strings.Fields("no pool to make and none to close"))
	fmt.Println(n, err)
	// Output: 5 <nil>
}

// Main knows how many processors are for the program, and sets a pool for all libraries
// that use the default one.
func ExampleSetDefault() {
	p, err := pool.New(pool.WithWorkers(2))
	if err != nil {
		log.Fatal(err)
	}
	old := pool.SetDefault(p)
	fmt.Println(pool.Default().Workers())

	pool.SetDefault(old) // first this, then Close
	fmt.Println(p.Close())
	// Output:
	// 2
	// <nil>
}

// Both halves of a tree, at once.
func ExampleInvoke() {
	p := pool.Default()
	type tree struct {
		left, right *tree
		value       int
	}
	var sum func(w *pool.Worker, t *tree) int
	sum = func(w *pool.Worker, t *tree) int {
		if t == nil {
			return 0
		}
		left, right := pool.Invoke(w, sum, t.left, sum, t.right)
		return left + t.value + right
	}
	t := &tree{&tree{nil, nil, 1}, &tree{&tree{nil, nil, 2}, nil, 3}, 4}
	total, err := pool.Run(context.Background(), p, sum, t)
	fmt.Println(total, err)
	// Output: 10 <nil>
}

// Two closures of different types, at once.
func ExampleBoth() {
	p := pool.Default()
	type stats struct {
		words int
		upper string
	}
	count := func(w *pool.Worker, text string) stats {
		n, s := pool.Both(w,
			func(w *pool.Worker) int { return len(strings.Fields(text)) },
			func(w *pool.Worker) string { return strings.ToUpper(text) })
		return stats{n, s}
	}
	s, err := pool.Run(context.Background(), p, count, "wake the right ones")
	fmt.Println(s.words, s.upper, err)
	// Output: 4 WAKE THE RIGHT ONES <nil>
}

// Forks in a loop: one for each entry of a directory, down the tree. They are
// few and coarse, so they are published at once.
func ExampleFork() {
	p, err := pool.New(pool.WithEagerPublish())
	if err != nil {
		log.Fatal(err)
	}
	defer p.Close()

	files := fstest.MapFS{
		"a.txt":     {Data: make([]byte, 10)},
		"dir/b.txt": {Data: make([]byte, 20)},
		"dir/c.txt": {Data: make([]byte, 30)},
	}
	var size func(w *pool.Worker, name string) int64
	size = func(w *pool.Worker, name string) (total int64) {
		info, err := fs.Stat(files, name)
		if err != nil {
			return 0
		}
		entries, err := fs.ReadDir(files, name)
		if err != nil { // not a directory
			return info.Size()
		}
		var forks []pool.Forked[string, int64]
		for _, e := range entries {
			forks = append(forks, pool.Fork(w, size, path.Join(name, e.Name())))
		}
		for _, f := range slices.Backward(forks) { // the newest first
			total += f.Join(w)
		}
		return total
	}
	total, err := pool.Run(context.Background(), p, size, ".")
	fmt.Println(total, err)
	// Output: 60 <nil>
}

// Jobs that are spawned as they are found, and awaited all together.
func ExampleWorker_Scope() {
	p := pool.Default()
	squares := func(w *pool.Worker, n int) []int {
		out := make([]int, n)
		w.Scope(func(w *pool.Worker, s *pool.Scope) {
			for i := range out {
				s.Spawn(w, func(w *pool.Worker) { out[i] = i * i })
			}
		})
		return out
	}
	fmt.Println(pool.Run(context.Background(), p, squares, 5))
	// Output: [0 1 4 9 16] <nil>
}

// A job that is queued now and waited for later.
func ExampleSubmit() {
	p := pool.Default()
	h, err := pool.Submit(p, func(w *pool.Worker) string { return "done" })
	if err != nil {
		log.Fatal(err) // the pool is closed
	}
	fmt.Println(h.Wait(context.Background()))
	// Output: done <nil>
}

// A job that is no longer needed is taken back, unless it has begun.
func ExampleHandle_Cancel() {
	p, err := pool.New(pool.WithWorkers(1))
	if err != nil {
		log.Fatal(err)
	}
	defer p.Close()

	found := make(chan bool)
	search, err := pool.Submit(p, func(w *pool.Worker) int { found <- true; return 7 })
	if err != nil {
		log.Fatal(err)
	}
	further, err := pool.Submit(p, func(w *pool.Worker) int { return 8 }) // behind it
	if err != nil {
		log.Fatal(err)
	}

	fmt.Println(further.Cancel())
	<-found
	fmt.Println(search.Wait(context.Background()))
	_, err = further.Wait(context.Background())
	fmt.Println(errors.Is(err, context.Canceled))
	// Output:
	// true
	// 7 <nil>
	// true
}

// A job that only Close waits for.
func ExampleGo() {
	p, err := pool.New()
	if err != nil {
		log.Fatal(err)
	}

	written := make(chan string, 1)
	if err := pool.Go(p, func(w *pool.Worker) { written <- "written" }); err != nil {
		log.Fatal(err) // the pool is closed
	}
	p.Close()
	fmt.Println(<-written)
	// Output: written
}

// fib forks at every call. Like all that is here it needs no other file of tests.
func fib(w *pool.Worker, n int) int {
	if n < 2 {
		return n
	}
	f := pool.Fork(w, fib, n-2)
	x := fib(w, n-1)
	return x + f.Join(w)
}

// A function that may be called in a job, by code that knows nothing of workers,
// and elsewhere. It must be called on the goroutine of the job whose worker the
// context carries.
func ExampleFromContext() {
	p := pool.Default()
	fibonacci := func(ctx context.Context, n int) int {
		if w, ok := pool.FromContext(ctx); ok && w.Pool() == p {
			return fib(w, n)
		}
		result, err := pool.Run(ctx, p, fib, n)
		if err != nil {
			log.Fatal(err) // the context has ended, or the pool is closed
		}
		return result
	}

	ctx := context.Background()
	fmt.Println(fibonacci(ctx, 10))
	pool.Run(ctx, p, func(w *pool.Worker, n int) int {
		fmt.Println(fibonacci(pool.NewContext(ctx, w), n))
		return 0
	}, 20)
	// Output:
	// 55
	// 6765
}

// A log of where panics come from that callers of Run recover.
func ExampleWithPanicHandler() {
	p, err := pool.New(pool.WithPanicHandler(func(e *pool.PanicError) {
		fmt.Println("in the log:", e.Value, len(e.Stack) > 0)
	}))
	if err != nil {
		log.Fatal(err)
	}
	defer p.Close()

	defer func() { fmt.Println("recovered:", recover()) }()
	pool.Run(context.Background(), p, func(w *pool.Worker, _ int) int { panic("out of range") }, 0)
	// Output:
	// in the log: out of range true
	// recovered: out of range
}

// Wait returns a panic of a job as an error, with the job's stack.
func ExamplePanicError() {
	p := pool.Default()
	h, err := pool.Submit(p, func(w *pool.Worker) int { panic("out of range") })
	if err != nil {
		log.Fatal(err)
	}
	_, err = h.Wait(context.Background())
	var e *pool.PanicError
	if errors.As(err, &e) {
		fmt.Println(e.Value, len(e.Stack) > 0)
	}
	// Output: out of range true
}

// Run never waits for a worker. So a table may be made by Run under the lock of a once, although jobs
// of the pool use the same table: they wait for one that has begun.
func ExampleRun_once() {
	p, err := pool.New(pool.WithWorkers(1))
	if err != nil {
		log.Fatal(err)
	}
	defer p.Close()
	table := sync.OnceValue(func() int {
		n, err := pool.Run(context.Background(), p, fib, 12)
		if err != nil {
			log.Fatal(err)
		}
		return n
	})
	job, err := pool.Submit(p, func(*pool.Worker) int { return table() })
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(table())
	fmt.Println(job.Wait(context.Background()))
	// Output:
	// 144
	// 144 <nil>
}

// A job waits in Block for goroutines that use the same pool.
func ExampleWorker_Block() {
	p, err := pool.New(pool.WithWorkers(1))
	if err != nil {
		log.Fatal(err)
	}
	defer p.Close()
	sum, err := pool.Run(context.Background(), p, func(w *pool.Worker, _ int) int {
		var results [3]int
		w.Block(func() {
			var all sync.WaitGroup
			for i := range results {
				all.Go(func() { results[i], _ = pool.Run(context.Background(), p, fib, 10) })
			}
			all.Wait()
		})
		return results[0] + results[1] + results[2]
	}, 0)
	fmt.Println(sum, err)
	// Output: 165 <nil>
}

// A function that may fail: its error comes back as it is.
func ExampleRunErr() {
	p := pool.Default()
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
	p := pool.Default()
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
	_, err := pool.RunErr(context.Background(), p, check, []string{"one", "", "three"})
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

	ctx, cancel := context.WithCancel(context.Background())
	h, err := pool.SubmitErr(ctx, p, func(ctx context.Context, w *pool.Worker) (int, error) {
		return 42, nil
	})
	if err != nil {
		log.Fatal(err) // it had ended before
	}
	cancel()
	_, err = h.Wait(context.Background())
	fmt.Println(err)
	close(free)
	// Output: context canceled
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
