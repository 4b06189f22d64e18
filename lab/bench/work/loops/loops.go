// Package loops holds the jobs of package [work] that are loops, for module par and for what
// others have for loops. It is apart, because these libraries take long to compile and the
// simulator needs none of them.
//
// [work]: https://pkg.go.dev/github.com/rouse-go/rouse/lab/bench/work
package loops

import (
	"context"
	"errors"
	"math"

	"github.com/destel/rill"
	"github.com/exascience/pargo/parallel"
	"github.com/sourcegraph/conc/stream"

	"github.com/rouse-go/rouse/lab/bench/work"
	"github.com/rouse-go/rouse/par"
	"github.com/rouse-go/rouse/pool"
)

// The programs below are loops, for module par and what others have for loops. Where par
// calls a function for each element, so does the plain loop, and the compiler inlines it in
// neither: the difference is what par adds. Where par has a loop of its own, the plain one is
// what somebody would write by hand.
//
// The short ones of these functions must not be inlined. The compiler inlines nothing into
// the closures of a function that it inlines in another package: each call of a body would
// be two.

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

// loopDigest is a number that depends on every element and its place.
func loopDigest[T ~int | ~uint8 | ~uint64 | ~float64](s []T) (digest uint64) {
	for i, x := range s {
		digest += uint64(i+1) * uint64(x)
	}
	return digest
}

// cut runs the parts of 0 to n-1, as many as there are pieces.
func cut(groups work.Groups, n, pieces int, body func(from, to int)) {
	cutFold(groups, n, pieces, func(from, to int) struct{} {
		body(from, to)
		return struct{}{}
	})
}

// cutFold returns what each of the parts gives.
func cutFold[T any](groups work.Groups, n, pieces int, body func(from, to int) T) []T {
	all := make([]T, pieces)
	from := func(piece int) int { return int(int64(n) * int64(piece) / int64(pieces)) }
	g := groups()
	for i := range pieces {
		g.Go(func() { all[i] = body(from(i), from(i+1)) })
	}
	g.Wait()
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

// A looper calls a function for each index below n.
type looper func(n int, f func(i int))

// pargoParts has pargo choose into how many parts it cuts a loop. It takes the number of workers
// from GOMAXPROCS.
const pargoParts = 0

// pargo is the shape Library of what pargo does.
func pargo(run func()) map[string]func(int) uint64 {
	return map[string]func(int) uint64{"pargo": func(int) uint64 { run(); return 0 }}
}

// looping makes a program of what runs loops, one after the other.
func looping(run func(looper)) *work.Program {
	return &work.Program{
		Sequential: func() uint64 { run(func(n int, f func(int)) { each(0, n, f) }); return 0 },
		Flat: func(groups work.Groups, pieces int) uint64 {
			run(func(n int, f func(int)) {
				cut(groups, n, pieces, func(from, to int) { each(from, to, f) })
			})
			return 0
		},
		Par: func(p *pool.Pool) uint64 {
			run(func(n int, f func(int)) { par.For(n, f, par.On(p)) })
			return 0
		},
		Library: pargo(func() {
			run(func(n int, f func(int)) {
				parallel.Range(0, n, pargoParts, func(from, to int) { each(from, to, f) })
			})
		}),
	}
}

// inParts makes a program of what does any part of n elements, and leaves what comes of it in
// memory, of which begin may make some.
func inParts(n int, begin func(), body func(from, to int), in func(*pool.Pool)) *work.Program {
	return &work.Program{
		Sequential: func() uint64 { begin(); body(0, n); return 0 },
		Flat:       func(groups work.Groups, pieces int) uint64 { begin(); cut(groups, n, pieces, body); return 0 },
		Par:        func(p *pool.Pool) uint64 { in(p); return 0 },
		Library:    pargo(func() { begin(); parallel.Range(0, n, pargoParts, body) }),
	}
}

// nothing is what those begin with that have their memory.
func nothing() {}

// folded makes a program of what gives a number for any part of n elements, and joins two.
func folded(n int, part func(from, to int) uint64, join func(a, b uint64) uint64, in func(*pool.Pool) uint64) *work.Program {
	return &work.Program{
		Sequential: func() uint64 { return part(0, n) },
		Flat: func(groups work.Groups, pieces int) uint64 {
			all := cutFold(groups, n, pieces, part)
			for _, x := range all[1:] {
				all[0] = join(all[0], x)
			}
			return all[0]
		},
		Par: in,
		Library: map[string]func(int) uint64{"pargo": func(int) uint64 {
			return parallel.RangeReduce(0, n, pargoParts,
				func(from, to int) any { return part(from, to) },
				func(a, b any) any { return join(a.(uint64), b.(uint64)) },
			).(uint64)
		}},
	}
}

// leaving is a program whose result is in memory that has zeros before.
func leaving[T any](out []T, digest func([]T) uint64, p *work.Program) *work.Program {
	p.Prepare = func() { clear(out) }
	p.Digest = func() uint64 { return digest(out) }
	return p
}

// into makes a program of a loop that leaves n numbers in memory.
func into(n int, body func(out []uint64) func(int)) *work.Program {
	out := make([]uint64, n)
	f := body(out)
	return leaving(out, loopDigest, looping(func(loop looper) { loop(n, f) }))
}

// For writes a number to each of n elements.
//
//go:noinline
func For(n int) *work.Program {
	return into(n, func(out []uint64) func(int) {
		return func(i int) { out[i] = step(uint64(i)) }
	})
}

// Nested does as For by a loop of n loops of n.
func Nested(n int) *work.Program {
	out := make([]uint64, n*n)
	row := func(i int) func(int) {
		to := out[i*n : (i+1)*n]
		return func(j int) { to[j] = step(uint64(i*n + j)) }
	}
	rows := func(from, to int) {
		for i := from; i < to; i++ {
			each(0, n, row(i))
		}
	}
	return leaving(out, loopDigest, inParts(n, nothing, rows, func(p *pool.Pool) {
		par.For(n, func(i int) { par.For(n, row(i), par.On(p)) }, par.On(p))
	}))
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
	return leaving(a, loopDigest, inParts(n, nothing, body, func(p *pool.Pool) { par.ForRange(n, body, par.On(p)) }))
}

// Map makes new memory with what a function makes of each of n numbers.
func Map(n int) *work.Program {
	in, f := numbers(n), step
	var out []uint64
	p := inParts(n, func() { out = make([]uint64, n) }, func(from, to int) { mapped(out[from:to], in[from:to], f) },
		func(p *pool.Pool) { out = par.Map(in, f, par.On(p)) })
	p.Prepare = func() { out = nil }
	p.Digest = func() uint64 { return loopDigest(out) }
	return p
}

//go:noinline
func mapped(out, in []uint64, f func(uint64) uint64) {
	for i, x := range in {
		out[i] = f(x)
	}
}

// MapInto does as Map, in memory that is there.
func MapInto(n int) *work.Program {
	in, out, f := numbers(n), make([]uint64, n), step
	return leaving(out, loopDigest, inParts(n, nothing, func(from, to int) { mapped(out[from:to], in[from:to], f) },
		func(p *pool.Pool) { par.MapInto(out, in, step, par.On(p)) }))
}

// Filter keeps a random half of n numbers.
func Filter(n int) *work.Program {
	in, keep := numbers(n), func(x uint64) bool { return x&1 == 1 }
	var out []uint64
	return &work.Program{
		Prepare:    func() { out = nil },
		Digest:     func() uint64 { return loopDigest(out) },
		Sequential: func() uint64 { out = filtered(make([]uint64, 0, n), in, keep); return 0 },
		Par:        func(p *pool.Pool) uint64 { out = par.Filter(in, keep, par.On(p)); return 0 },
		Library: map[string]func(int) uint64{
			"rill": func(workers int) uint64 {
				kept := rill.OrderedFilter(rill.FromSlice(in, nil), workers, func(x uint64) (bool, error) { return keep(x), nil })
				out, _ = rill.ToSlice(kept)
				return 0
			},
		},
	}
}

//go:noinline
func filtered(out, in []uint64, keep func(uint64) bool) []uint64 {
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
	return folded(n, func(from, to int) uint64 { return reduced(in[from:to], op) }, op, func(p *pool.Pool) uint64 {
		sum, _ := par.Reduce(in, op, par.On(p))
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
	}, func(a, b uint64) uint64 { return a + b }, func(p *pool.Pool) uint64 { return par.Sum(in, par.On(p)) })
}

// Min finds the least of n numbers.
func Min(n int) *work.Program {
	in := numbers(n)
	return folded(n, func(from, to int) uint64 {
		least := uint64(math.MaxUint64)
		for _, x := range in[from:to] {
			least = min(least, x)
		}
		return least
	}, func(a, b uint64) uint64 { return min(a, b) }, func(p *pool.Pool) uint64 { return par.Min(in, par.On(p)) })
}

// Scan writes the running sums of n numbers to new memory.
func Scan(n int) *work.Program {
	in, op := numbers(n), func(a, b uint64) uint64 { return a + b }
	var out []uint64
	return &work.Program{
		Prepare:    func() { out = nil },
		Digest:     func() uint64 { return loopDigest(out) },
		Sequential: func() uint64 { out = make([]uint64, n); scanned(out, in, op); return 0 },
		Par:        func(p *pool.Pool) uint64 { out = par.Scan(in, op, par.On(p)); return 0 },
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
		Par: func(p *pool.Pool) uint64 {
			if i := par.IndexFunc(in, found, par.On(p)); i >= 0 {
				return uint64(i)
			}
			return uint64(n)
		},
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
		Digest:     func() uint64 { return loopDigest(counts) },
		Sequential: func() uint64 { count(counts, 0, n); return 0 },
		Flat: func(groups work.Groups, pieces int) uint64 {
			parts := cutFold(groups, n, pieces, func(from, to int) []int {
				part := make([]int, buckets)
				count(part, from, to)
				return part
			})
			for _, part := range parts {
				for b, x := range part {
					counts[b] += x
				}
			}
			return 0
		},
		Par: func(p *pool.Pool) uint64 { par.CountInto(counts, in, bucket, par.On(p)); return 0 },
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
		Par: func(p *pool.Pool) (sum uint64) {
			stage := func(_ context.Context, x uint64) (uint64, error) { return x, nil }
			for x, err := range par.MapSeq(context.Background(), source, stage, par.On(p)) {
				if err != nil {
					return 0
				}
				sum += x
			}
			return sum
		},
		Library: map[string]func(int) uint64{
			"conc": func(workers int) (sum uint64) {
				s := stream.New().WithMaxGoroutines(workers)
				for x := range source {
					s.Go(func() stream.Callback { return func() { sum += x } })
				}
				s.Wait()
				return sum
			},
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
		Sequential: func() uint64 { return failed(n, body) },
		Par: func(p *pool.Pool) uint64 {
			if err := par.ForErr(context.Background(), n, body, par.On(p)); err == errFirst {
				return 1
			}
			return 0
		},
		Library: map[string]func(int) uint64{
			"rill": func(workers int) uint64 {
				// After an error rill reads its input to the end. Its documentation advises to
				// end that by a context.
				ctx, cancel := context.WithCancel(context.Background())
				defer cancel()
				all := rill.Generate(func(send func(int), _ func(error)) {
					for i := 0; i < n && ctx.Err() == nil; i++ {
						send(i)
					}
				})
				if err := rill.ForEach(all, workers, func(i int) error { return body(ctx, i) }); err == errFirst {
					return 1
				}
				return 0
			},
		},
	}
}

//go:noinline
func failed(n int, body func(context.Context, int) error) uint64 {
	ctx := context.Background()
	for i := range n {
		if body(ctx, i) != nil {
			return 1
		}
	}
	return 0
}
