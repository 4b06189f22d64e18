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
	"math"
	"sync"

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

// cut is a loop that one cuts by hand: a goroutine for each of some parts of 0 to n-1. It adds up what they
// give.
func cut(n int, body func(from, to int) uint64) func(workers int) uint64 {
	return func(workers int) (sum uint64) {
		all := make([]uint64, 16*workers) // so many that a large piece at the end does not matter much
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
}

// onPar is the way Pool of what cannot fail.
func onPar(f func(on par.Option) uint64) func(*pool.Pool) (uint64, error) {
	return func(p *pool.Pool) (uint64, error) { return f(par.On(p)), nil }
}

// writing makes a program of what writes any part of out, for n elements.
func writing[T ~uint64 | ~float64](n int, out []T, body func(from, to int), in func(on par.Option)) *work.Program {
	part := func(from, to int) uint64 { body(from, to); return 0 }
	return &work.Program{
		Prepare:    func() { clear(out) },
		Digest:     func() uint64 { return work.Digest(out) },
		Plain:      func() uint64 { return part(0, n) },
		Goroutines: cut(n, part),
		Pool:       onPar(func(on par.Option) uint64 { in(on); return 0 }),
	}
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

// Reduce adds up n numbers by a function.
func Reduce(n int) *work.Program {
	in, op := numbers(n), func(a, b uint64) uint64 { return a + b }
	return &work.Program{
		Plain:      func() uint64 { return reduced(in, op) },
		Goroutines: cut(n, func(from, to int) uint64 { return reduced(in[from:to], op) }),
		Pool:       onPar(func(on par.Option) uint64 { sum, _ := par.Reduce(in, op, on); return sum }),
	}
}

//go:noinline
func reduced(in []uint64, op func(a, b uint64) uint64) (sum uint64) {
	for _, x := range in {
		sum = op(sum, x)
	}
	return sum
}

// mandelbrotMost is how many steps a point takes, at most.
const mandelbrotMost = 200

// Mandelbrot counts, for the points of a square from -2-1.5i to 1+1.5i, the steps that
// they take to get away. An element of the loop is one row of n points, of n: rows are unequal, and
// no compiler makes vector instructions of one. Products are converted
// before they are added, so that no compiler fuses the two: results would differ between platforms.
func Mandelbrot(points int) *work.Program {
	n := int(math.Sqrt(float64(points)))
	out := make([]uint64, n*n)
	return into(n, out, func(i int) {
		y := 3*float64(i)/float64(n) - 1.5
		for j := range n {
			out[i*n+j] = escape(3*float64(j)/float64(n)-2, y)
		}
	})
}

func escape(cx, cy float64) (steps uint64) {
	var x, y float64
	for ; steps < mandelbrotMost; steps++ {
		xx, yy := float64(x*x), float64(y*y)
		if xx+yy > 4 {
			break
		}
		x, y = xx-yy+cx, float64(2*x*y)+cy
	}
	return steps
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
