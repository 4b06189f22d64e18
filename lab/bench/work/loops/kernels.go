package loops

import (
	"math"

	"github.com/rouse-go/rouse/lab/bench/work"
)

// The loops below are the inner ones of real programs. Products are converted before they
// are added to anything, so that no compiler fuses the two: results would differ between
// platforms.

// bitsDigest is a number that depends on every bit of every element, and its place.
func bitsDigest(s []float64) (digest uint64) {
	for i, x := range s {
		digest += uint64(i+1) * math.Float64bits(x)
	}
	return digest
}

// unit is the i-th of pseudo-random numbers from 0 to 1.
func unit(i int) float64 { return float64(work.SplitMix64(1, uint64(i))>>11) / (1 << 53) }

// mandelbrotMost is how many steps a point takes, at most.
const mandelbrotMost = 200

// Mandelbrot counts, for the points of a square from -2-1.5i to 1+1.5i, the steps that
// they take to get away. An element of the loop is one row of n points, of n.
func Mandelbrot(n int) *work.Program {
	out := make([]uint64, n*n)
	return leaving(out, loopDigest, looping(func(loop looper) {
		loop(n, func(i int) {
			y := 3*float64(i)/float64(n) - 1.5
			for j := range n {
				out[i*n+j] = escape(3*float64(j)/float64(n)-2, y)
			}
		})
	}))
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

// softening keeps bodies that are close from dividing by nothing.
const softening = 1e-9

// Bodies adds up, for each of n bodies of one mass, how all attract it.
func Bodies(n int) *work.Program {
	type place struct{ x, y, z float64 }
	at, out := make([]place, n), make([]float64, 3*n)
	for i := range at {
		at[i] = place{unit(3 * i), unit(3*i + 1), unit(3*i + 2)}
	}
	return leaving(out, bitsDigest, looping(func(loop looper) {
		loop(n, func(i int) {
			here := at[i]
			var ax, ay, az float64
			for _, b := range at {
				dx, dy, dz := b.x-here.x, b.y-here.y, b.z-here.z
				d := float64(dx*dx) + float64(dy*dy) + float64(dz*dz) + softening
				f := 1 / float64(d*math.Sqrt(d))
				ax, ay, az = ax+float64(dx*f), ay+float64(dy*f), az+float64(dz*f)
			}
			out[3*i], out[3*i+1], out[3*i+2] = ax, ay, az
		})
	}))
}

// LifeSteps is how many steps a game of life takes.
const LifeSteps = 100

// Life is the game of life on a torus of n times n cells, about half of which live at the
// beginning. Each step is a loop, and each element of that a row.
func Life(n int) *work.Program {
	first, now, next := make([]uint8, n*n), make([]uint8, n*n), make([]uint8, n*n)
	for i := range first {
		first[i] = uint8(work.SplitMix64(1, uint64(i)) & 1)
	}
	p := looping(func(loop looper) {
		for range LifeSteps {
			loop(n, func(i int) {
				row := func(i int) []uint8 { i = (i + n) % n; return now[i*n : (i+1)*n] }
				lifeRow(next[i*n:(i+1)*n], row(i-1), row(i), row(i+1))
			})
			now, next = next, now
		}
	})
	p.Prepare = func() { copy(now, first) }
	p.Digest = func() uint64 { return loopDigest(now) }
	return p
}

// lifeRow writes what the cells of a row are a step later. The last cell is beside the
// first.
func lifeRow(next, above, row, below []uint8) {
	n := len(next)
	above, row, below = above[:n], row[:n], below[:n]
	for j := range n {
		l, r := j-1, j+1
		if l < 0 {
			l = n - 1
		}
		if r == n {
			r = 0
		}
		around := above[l] + above[j] + above[r] + row[l] + row[r] + below[l] + below[j] + below[r]
		next[j] = 0
		if around == 3 || around == 2 && row[j] == 1 {
			next[j] = 1
		}
	}
}

// sparseAverage is how many entries a row of a sparse matrix has on average.
const sparseAverage = 10

// Sparse multiplies a matrix of n rows with a vector. The k-th longest row has about
// a k-th of the entries of the longest. n is a power of ten.
func Sparse(n int) *work.Program {
	starts := make([]int, n+1)
	for i, steps := range SweepSteps(n, sparseAverage, SweepPower) {
		starts[i+1] = starts[i] + int(steps)
	}
	columns, values := make([]uint32, starts[n]), make([]float64, starts[n])
	for k := range columns {
		columns[k], values[k] = uint32(work.SplitMix64(2, uint64(k))%uint64(n)), unit(k)
	}
	x, y := make([]float64, n), make([]float64, n)
	for i := range x {
		x[i] = unit(n + i)
	}
	return leaving(y, bitsDigest, looping(func(loop looper) {
		loop(n, func(i int) {
			columns := columns[starts[i]:starts[i+1]]
			values := values[starts[i]:starts[i+1]][:len(columns)]
			var sum float64
			for k, column := range columns {
				sum += float64(values[k] * x[column])
			}
			y[i] = sum
		})
	}))
}
