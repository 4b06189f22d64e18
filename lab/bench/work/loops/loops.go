// Package loops holds the jobs of package [work] that are loops, for module par and what one
// writes in its place. Where par calls a function for each element, so does the plain loop, and the
// compiler inlines it in neither: the difference is what par adds. Where par has a loop of its own,
// the plain one is what somebody would write by hand.
//
// The short ones of these functions must not be inlined. The compiler inlines nothing into
// the closures of a function that it inlines in another package: each call of a body would
// be two.
//
// [work]: https://pkg.go.dev/github.com/rouse-go/rouse/lab/bench/work
package loops

import (
	"context"
	"sync"

	"github.com/sourcegraph/conc/stream"

	"github.com/rouse-go/rouse/lab/bench/work"
	"github.com/rouse-go/rouse/par"
	"github.com/rouse-go/rouse/pool"
)

// step is the least work that a loop can have: about a nanosecond (Knuth's MMIX generator).
func step(x uint64) uint64 { return x*6364136223846793005 + 1442695040888963407 }

// numbers are pseudo-random.
func numbers(n int) []uint64 {
	all := make([]uint64, n)
	for i := range all {
		all[i] = work.SplitMix64(1, uint64(i))
	}
	return all
}

// piecesPerWorker is into how many pieces a loop is cut for each worker: enough
// that one large piece at the end does not matter much.
const piecesPerWorker = 16

// cut is what one cuts by hand: a goroutine for each of some parts of 0 to n-1. It adds up what they give.
func cut(n, workers int, body func(from, to int) uint64) (sum uint64) {
	all := make([]uint64, piecesPerWorker*workers)
	var running sync.WaitGroup
	for i := range all {
		running.Go(func() { all[i] = body(n*i/len(all), n*(i+1)/len(all)) })
	}
	running.Wait()
	for _, x := range all {
		sum += x
	}
	return sum
}

func byHand(f func(workers int) uint64) map[string]func(int) uint64 {
	return map[string]func(int) uint64{work.Cutoff: f}
}

// onPar is the way Pool of what cannot fail.
func onPar(f func(on par.Option) uint64) func(*pool.Pool) (uint64, error) {
	return func(p *pool.Pool) (uint64, error) { return f(par.On(p)), nil }
}

// making makes a program of what leaves its result in out.
func making[T ~uint64 | ~float64](out *[]T, plain func(), in func(on par.Option)) *work.Program {
	return &work.Program{
		Digest: func() uint64 { return work.Digest(*out) },
		Plain:  func() uint64 { plain(); return 0 },
		Pool:   onPar(func(on par.Option) uint64 { in(on); return 0 }),
	}
}

// writing makes a program of what writes any part of out, for n elements.
func writing[T ~uint64 | ~float64](n int, out []T, body func(from, to int), in func(on par.Option)) *work.Program {
	p := making(&out, func() { body(0, n) }, in)
	p.Prepare = func() { clear(out) }
	p.InGo = byHand(func(workers int) uint64 {
		return cut(n, workers, func(from, to int) uint64 { body(from, to); return 0 })
	})
	return p
}

// into is a loop that calls a function for each of n indices, which writes to out.
func into(n int, out []uint64, f func(int)) *work.Program {
	return writing(n, out, func(from, to int) { each(from, to, f) }, func(on par.Option) { par.For(n, f, on) })
}

// each is the plain loop over indices. It is not inlined, or the compiler would inline the
// body, too.
//
//go:noinline
func each(from, to int, body func(int)) {
	for i := from; i < to; i++ {
		body(i)
	}
}

// folded makes a program of what gives a number for any part of n elements; they are added.
func folded(n int, part func(from, to int) uint64, in func(on par.Option) uint64) *work.Program {
	return &work.Program{
		Plain: func() uint64 { return part(0, n) },
		InGo:  byHand(func(workers int) uint64 { return cut(n, workers, part) }),
		Pool:  onPar(in),
	}
}

// For writes a number to each of n elements.
//
//go:noinline
func For(n int) *work.Program {
	out := make([]uint64, n)
	return into(n, out, func(i int) { out[i] = step(uint64(i)) })
}

// Range is nstream of the Parallel Research Kernels: a = b + 3c.
func Range(n int) *work.Program {
	a, b, c := make([]float64, n), make([]float64, n), make([]float64, n)
	for i := range n {
		b[i], c[i] = float64(i%1000), float64(i%7)
	}
	body := func(from, to int) {
		// Slices of one length, so that nothing is checked for each element.
		a, b, c := a[from:to], b[from:to], c[from:to]
		for i := range a {
			a[i] = b[i] + 3*c[i]
		}
	}
	return writing(n, a, body, func(on par.Option) { par.ForRange(n, body, on) })
}

// Map makes new memory with what a function makes of each of n numbers.
func Map(n int) *work.Program {
	in, f := numbers(n), step
	var out []uint64
	part := func(from, to int) uint64 { mapped(out[from:to], in[from:to], f); return 0 }
	p := making(&out, func() { out = make([]uint64, n); part(0, n) }, func(on par.Option) { out = par.Map(in, f, on) })
	p.InGo = byHand(func(workers int) uint64 { out = make([]uint64, n); return cut(n, workers, part) })
	return p
}

//go:noinline
func mapped(out, in []uint64, f func(uint64) uint64) {
	for i, x := range in {
		out[i] = f(x)
	}
}

// Filter keeps a random half of n numbers.
func Filter(n int) *work.Program {
	in, keep := numbers(n), func(x uint64) bool { return x&1 == 1 }
	var out []uint64
	return making(&out, func() { out = filtered(in, keep) }, func(on par.Option) { out = par.Filter(in, keep, on) })
}

//go:noinline
func filtered(in []uint64, keep func(uint64) bool) (out []uint64) {
	for _, x := range in {
		if keep(x) {
			out = append(out, x)
		}
	}
	return out
}

// Reduce adds up n numbers by a function.
func Reduce(n int) *work.Program {
	in, op := numbers(n), func(a, b uint64) uint64 { return a + b }
	return folded(n, func(from, to int) uint64 { return reduced(in[from:to], op) }, func(on par.Option) uint64 {
		sum, _ := par.Reduce(in, op, on)
		return sum
	})
}

//go:noinline
func reduced(in []uint64, op func(a, b uint64) uint64) (sum uint64) {
	for _, x := range in {
		sum = op(sum, x)
	}
	return sum
}

// Sum adds up n numbers.
func Sum(n int) *work.Program {
	in := numbers(n)
	return folded(n, func(from, to int) (sum uint64) {
		for _, x := range in[from:to] {
			sum += x
		}
		return sum
	}, func(on par.Option) uint64 { return par.Sum(in, on) })
}

// Scan writes the running sums of n numbers to new memory.
func Scan(n int) *work.Program {
	in, op := numbers(n), func(a, b uint64) uint64 { return a + b }
	var out []uint64
	return making(&out, func() { out = scanned(in, op) }, func(on par.Option) { out = par.Scan(in, op, on) })
}

//go:noinline
func scanned(in []uint64, op func(a, b uint64) uint64) []uint64 {
	out := make([]uint64, len(in))
	var sum uint64
	for i, x := range in {
		sum = op(sum, x)
		out[i] = sum
	}
	return out
}

// Seq takes n numbers through a stage that does nothing, and adds up what comes out.
//
//go:noinline
func Seq(n int) *work.Program {
	source := func(yield func(uint64) bool) {
		for i := range uint64(n) {
			if !yield(i) {
				return
			}
		}
	}
	return &work.Program{
		Plain: func() (sum uint64) {
			for x := range source {
				sum += x
			}
			return sum
		},
		InGo: map[string]func(int) uint64{work.Conc: func(workers int) (sum uint64) {
			s := stream.New().WithMaxGoroutines(workers)
			for x := range source {
				s.Go(func() stream.Callback { return func() { sum += x } })
			}
			s.Wait()
			return sum
		}},
		Pool: func(p *pool.Pool) (sum uint64, err error) {
			stage := func(_ context.Context, x uint64) (uint64, error) { return x, nil }
			for x, err := range par.MapSeq(context.Background(), source, stage, par.On(p)) {
				if err != nil {
					return 0, err
				}
				sum += x
			}
			return sum, nil
		},
	}
}
