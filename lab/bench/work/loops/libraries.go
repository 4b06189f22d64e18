package loops

import (
	"context"

	"github.com/destel/rill"
	"github.com/exascience/pargo/parallel"
	lo "github.com/samber/lo/parallel"
	"github.com/sourcegraph/conc/iter"
)

// libraryLoops are the loops over indices of libraries. pargo takes the number of workers
// from GOMAXPROCS, and lo starts a goroutine for each index.
var libraryLoops = map[string]func(workers int) looper{
	"conc": func(workers int) looper {
		all := iter.Iterator[struct{}]{MaxGoroutines: workers}
		return func(n int, f func(int)) { all.ForEachIdx(indices(n), func(i int, _ *struct{}) { f(i) }) }
	},
	"lo": func(int) looper {
		return func(n int, f func(int)) { lo.ForEach(indices(n), func(_ struct{}, i int) { f(i) }) }
	},
	"pargo": func(int) looper {
		return func(n int, f func(int)) {
			parallel.Range(0, n, pargoParts, func(from, to int) { each(from, to, f) })
		}
	},
	"rill": func(workers int) looper {
		return func(n int, f func(int)) {
			_ = rill.ForEach(rillIndices(context.Background(), n), workers, func(i int) error { f(i); return nil })
		}
	},
}

// byLibraries is the shape Library of what runs loops.
func byLibraries(run func(looper)) map[string]func(int) uint64 {
	all := make(map[string]func(int) uint64)
	for name, loop := range libraryLoops {
		all[name] = func(workers int) uint64 { run(loop(workers)); return 0 }
	}
	return all
}

// indices is for those that have loops over slices only, and read them. It takes no memory.
func indices(n int) []struct{} { return make([]struct{}, n) }

// pargoParts has pargo choose into how many parts it cuts a loop.
const pargoParts = 0

// pargoFold joins what the parts of 0 to n-1 give.
func pargoFold(n int, part func(from, to int) uint64, join func(a, b uint64) uint64) uint64 {
	return parallel.RangeReduce(0, n, pargoParts,
		func(from, to int) any { return part(from, to) },
		func(a, b any) any { return join(a.(uint64), b.(uint64)) },
	).(uint64)
}

// rillIndices are the numbers below n, or fewer if ctx ends.
func rillIndices(ctx context.Context, n int) <-chan rill.Try[int] {
	return rill.Generate(func(send func(int), _ func(error)) {
		for i := 0; i < n && ctx.Err() == nil; i++ {
			send(i)
		}
	})
}

// rillSlice makes a slice of a stream in which nothing fails.
func rillSlice[T any](in <-chan rill.Try[T]) []T {
	all, _ := rill.ToSlice(in)
	return all
}
