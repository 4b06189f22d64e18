package pool_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log"
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
	p, err := pool.New()
	if err != nil {
		log.Fatal(err)
	}
	defer p.Close()

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
func ExampleJoin() {
	p, err := pool.New()
	if err != nil {
		log.Fatal(err)
	}
	defer p.Close()

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
	size = func(w *pool.Worker, name string) int64 {
		entries, err := fs.ReadDir(files, name)
		if err != nil { // not a directory
			info, err := fs.Stat(files, name)
			if err != nil {
				return 0
			}
			return info.Size()
		}
		forks := make([]pool.Forked[string, int64], len(entries))
		for i, e := range entries {
			path := e.Name()
			if name != "." {
				path = name + "/" + path
			}
			forks[i] = pool.Fork(w, size, path)
		}
		var total int64
		for i := len(forks) - 1; i >= 0; i-- { // the newest first
			total += forks[i].Join(w)
		}
		return total
	}
	total, err := pool.Run(context.Background(), p, size, ".")
	fmt.Println(total, err)
	// Output: 60 <nil>
}

// Jobs that are spawned as they are found, and awaited all together.
func ExampleWorker_Scope() {
	p, err := pool.New()
	if err != nil {
		log.Fatal(err)
	}
	defer p.Close()

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
	p, err := pool.New()
	if err != nil {
		log.Fatal(err)
	}
	defer p.Close()

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

	found := make(chan struct{})
	search, err := pool.Submit(p, func(w *pool.Worker) int { <-found; return 7 })
	if err != nil {
		log.Fatal(err)
	}
	further, err := pool.Submit(p, func(w *pool.Worker) int { return 8 })
	if err != nil {
		log.Fatal(err)
	}

	close(found)
	select {
	case <-search.Done():
		further.Cancel() // false if it has begun meanwhile
	case <-time.After(time.Minute):
		search.Cancel()
	}
	fmt.Println(search.Wait(context.Background()))
	if _, err := further.Wait(context.Background()); errors.Is(err, context.Canceled) {
		return // nobody needs it
	}
	// Output: 7 <nil>
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

// A function that may be called in a job, by code that knows nothing of workers,
// and elsewhere. It must be called on the goroutine of the job whose worker the
// context carries.
func ExampleFromContext() {
	p, err := pool.New()
	if err != nil {
		log.Fatal(err)
	}
	defer p.Close()

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
	p, err := pool.New()
	if err != nil {
		log.Fatal(err)
	}
	defer p.Close()

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

// Admission to the pool comes before every lock that the pool's jobs take, too: so
// call Run outside and once.Do inside, not the other way round.
func ExampleRun_once() {
	p, err := pool.New(pool.WithWorkers(1))
	if err != nil {
		log.Fatal(err)
	}
	defer p.Close()
	var once sync.Once
	var table []int
	// load may be called by any number of jobs. The first one fills the table,
	// with forks, while it holds the lock of the once.
	load := func(w *pool.Worker, _ int) int {
		once.Do(func() {
			left, right := pool.Invoke(w, fib, 10, fib, 12)
			table = []int{left, right}
		})
		return len(table)
	}
	n, err := pool.Run(context.Background(), p, func(w *pool.Worker, _ int) int {
		a, b := pool.Invoke(w, load, 0, load, 0)
		return a + b
	}, 0)
	fmt.Println(n, table, err)
	// Output: 4 [55 144] <nil>
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
