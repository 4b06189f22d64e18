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
	"errors"
	"sync"

	"github.com/sourcegraph/conc/stream"

	"github.com/rouse-go/rouse/lab/bench/work"
	"github.com/rouse-go/rouse/par"
	"github.com/rouse-go/rouse/pool"
)

// step is the least work that a loop can have: about a nanosecond.
func step(x uint64) uint64 { return x*work.Multiplier + work.Increment }

// numbers are pseudo-random.
func numbers(n int) []uint64 {
	all := make([]uint64, n)
	for i := range all {
		all[i] = work.SplitMix64(1, uint64(i))
	}
	return all
}

// digest is a number that depends on every element and its place.
func digest[T ~int | ~uint64 | ~float64](s []T) (sum uint64) {
	for i, x := range s {
		sum += uint64(i+1) * uint64(x)
	}
	return sum
}

// cut returns what each of so many parts of 0 to n-1 gives, on a goroutine of its own.
func cut[T any](n, pieces int, body func(from, to int) T) []T {
	all := make([]T, pieces)
	from := func(piece int) int { return int(int64(n) * int64(piece) / int64(pieces)) }
	var running sync.WaitGroup
	for i := range pieces {
		running.Go(func() { all[i] = body(from(i), from(i+1)) })
	}
	running.Wait()
	return all
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

// onPar is the shape Pool of what cannot fail.
func onPar(f func(on par.Option) uint64) func(*pool.Pool) (uint64, error) {
	return func(p *pool.Pool) (uint64, error) { return f(par.On(p)), nil }
}

// inParts makes a program of what writes any part of n elements to memory, of which begin may make
// some before, and of par's way.
func inParts(n int, digest func() uint64, begin func(), body func(from, to int), in func(on par.Option)) *work.Program {
	return &work.Program{
		Prepare:    begin,
		Digest:     digest,
		Sequential: func() uint64 { body(0, n); return 0 },
		Cutoff: func(pieces int) uint64 {
			cut(n, pieces, func(from, to int) (none struct{}) { body(from, to); return none })
			return 0
		},
		Pool: onPar(func(on par.Option) uint64 { in(on); return 0 }),
	}
}

// into is a loop that calls a function for each of n indices, which writes to out.
func into(n int, out []uint64, f func(int)) *work.Program {
	return inParts(n, func() uint64 { return digest(out) }, func() { clear(out) },
		func(from, to int) { each(from, to, f) }, func(on par.Option) { par.For(n, f, on) })
}

// folded makes a program of what gives a number for any part of n elements; they are added.
func folded(n int, part func(from, to int) uint64, in func(on par.Option) uint64) *work.Program {
	return &work.Program{
		Sequential: func() uint64 { return part(0, n) },
		Cutoff: func(pieces int) (sum uint64) {
			for _, x := range cut(n, pieces, part) {
				sum += x
			}
			return sum
		},
		Pool: onPar(in),
	}
}

// For writes a number to each of n elements.
//
//go:noinline
func For(n int) *work.Program {
	out := make([]uint64, n)
	return into(n, out, func(i int) { out[i] = step(uint64(i)) })
}

// Nested does as For by a loop of n loops of n.
func Nested(n int) *work.Program {
	out := make([]uint64, n*n)
	row := func(i int) func(int) {
		to := out[i*n : (i+1)*n]
		return func(j int) { to[j] = step(uint64(i*n + j)) }
	}
	return inParts(n, func() uint64 { return digest(out) }, func() { clear(out) },
		func(from, to int) {
			for i := from; i < to; i++ {
				each(0, n, row(i))
			}
		},
		func(on par.Option) { par.For(n, func(i int) { par.For(n, row(i), on) }, on) })
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
	return inParts(n, func() uint64 { return digest(a) }, func() { clear(a) }, body,
		func(on par.Option) { par.ForRange(n, body, on) })
}

// Map makes new memory with what a function makes of each of n numbers. To make the memory counts
// for par, and for the plain loop.
func Map(n int) *work.Program {
	in, f := numbers(n), step
	var out []uint64
	p := inParts(n, func() uint64 { return digest(out) }, func() { out = nil },
		func(from, to int) { mapped(out[from:to], in[from:to], f) }, func(on par.Option) { out = par.Map(in, f, on) })
	plain, cutoff := p.Sequential, p.Cutoff
	p.Sequential = func() uint64 { out = make([]uint64, n); return plain() }
	p.Cutoff = func(pieces int) uint64 { out = make([]uint64, n); return cutoff(pieces) }
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
	return &work.Program{
		Prepare:    func() { out = nil },
		Digest:     func() uint64 { return digest(out) },
		Sequential: func() uint64 { out = filtered(in, keep); return 0 },
		Pool:       onPar(func(on par.Option) uint64 { out = par.Filter(in, keep, on); return 0 }),
	}
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
	return &work.Program{
		Prepare:    func() { out = nil },
		Digest:     func() uint64 { return digest(out) },
		Sequential: func() uint64 { out = make([]uint64, n); scanned(out, in, op); return 0 },
		Pool:       onPar(func(on par.Option) uint64 { out = par.Scan(in, op, on); return 0 }),
	}
}

//go:noinline
func scanned(out, in []uint64, op func(a, b uint64) uint64) {
	var sum uint64
	for i, x := range in {
		sum = op(sum, x)
		out[i] = sum
	}
}

// Find looks for the only element that is not 0 among n, which is at an index, or nowhere
// if that is n. The result is the index.
//
//go:noinline
func Find(n, at int) *work.Program {
	in := make([]uint64, n)
	if at < n {
		in[at] = 1
	}
	found := func(x uint64) bool { return x != 0 }
	return &work.Program{
		Sequential: func() uint64 {
			for i, x := range in {
				if x != 0 {
					return uint64(i)
				}
			}
			return uint64(n)
		},
		Pool: onPar(func(on par.Option) uint64 {
			if i := par.IndexFunc(in, found, on); i >= 0 {
				return uint64(i)
			}
			return uint64(n)
		}),
	}
}

// Histogram counts how many of n numbers are in each bucket.
func Histogram(n, buckets int) *work.Program {
	in, counts := numbers(n), make([]int, buckets)
	bucket := func(x uint64) int { return int((x >> 32) * uint64(buckets) >> 32) }
	count := func(counts []int, from, to int) {
		for _, x := range in[from:to] {
			counts[bucket(x)]++
		}
	}
	return &work.Program{
		Prepare:    func() { clear(counts) },
		Digest:     func() uint64 { return digest(counts) },
		Sequential: func() uint64 { count(counts, 0, n); return 0 },
		Cutoff: func(pieces int) uint64 {
			for _, part := range cut(n, pieces, func(from, to int) []int {
				part := make([]int, buckets)
				count(part, from, to)
				return part
			}) {
				for b, x := range part {
					counts[b] += x
				}
			}
			return 0
		},
		Pool: onPar(func(on par.Option) uint64 { par.CountInto(counts, in, bucket, on); return 0 }),
	}
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
		Sequential: func() (sum uint64) {
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
		Stream: func(workers int) (sum uint64) {
			s := stream.New().WithMaxGoroutines(workers)
			for x := range source {
				s.Go(func() stream.Callback { return func() { sum += x } })
			}
			s.Wait()
			return sum
		},
	}
}

var errFirst = errors.New("the first fails")

// Error fails at once in a loop over n elements. The result is how many errors there are.
//
//go:noinline
func Error(n int) *work.Program {
	body := func(_ context.Context, i int) error {
		if i == 0 {
			return errFirst
		}
		return nil
	}
	return &work.Program{
		Sequential: func() uint64 {
			for i := range n {
				if body(context.Background(), i) != nil {
					return 1
				}
			}
			return 0
		},
		Pool: func(p *pool.Pool) (uint64, error) {
			if err := par.ForErr(context.Background(), n, body, par.On(p)); err != errFirst {
				return 0, err
			}
			return 1, nil
		},
	}
}
