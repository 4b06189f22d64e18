package loops_test

import (
	"context"
	"fmt"
	"log"

	"github.com/rouse-go/rouse/pool"
	"github.com/rouse-go/rouse/pool/loops"
)

// A job that computes for long shows what it has forked before.
func ExamplePublish() {
	p, err := pool.New(pool.WithWorkers(2))
	if err != nil {
		log.Fatal(err)
	}
	defer p.Close()

	both := func(w *pool.Worker, n int) int {
		f := pool.Fork(w, func(_ *pool.Worker, n int) int { return n + 1 }, n)
		loops.Publish(w) // the loop neither forks nor joins
		sum := 0
		for i := range n {
			sum += i
		}
		return sum + f.Join(w)
	}
	fmt.Println(pool.Run(context.Background(), p, both, 10))
	// Output: 56 <nil>
}

// A halves calls f with all numbers from lo to hi-1, and leaves halves to workers that want some.
type halves struct {
	lo, hi int
	f      func(i int)
}

func (h *halves) Run(w *pool.Worker) {
	for ; h.lo < h.hi; h.lo++ {
		if rest := h.hi - h.lo; rest > 1 && loops.Wanted(w) {
			upper := &halves{h.lo + rest/2, h.hi, h.f}
			h.hi = upper.lo
			f := pool.Fork(w, func(w *pool.Worker, h *halves) struct{} { h.Run(w); return struct{}{} }, upper)
			defer f.Join(w)
		}
		h.f(h.lo)
	}
}

// A loop that is shared as soon as somebody wants work, and runs as the worker around it where there is
// one.
func ExampleRun() {
	squares := make([]int, 1000)
	if err := loops.Run(pool.Default(), &halves{0, len(squares), func(i int) { squares[i] = i * i }}); err != nil {
		log.Fatal(err)
	}
	fmt.Println(squares[999])
	// Output: 998001
}
