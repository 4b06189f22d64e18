package loops

import "github.com/rouse-go/rouse/lab/bench/work"

// The inner loops of programs, whose elements are unequal.

// mandelbrotMost is how many steps a point takes, at most.
const mandelbrotMost = 200

// Mandelbrot counts, for the points of a square from -2-1.5i to 1+1.5i, the steps that
// they take to get away. An element of the loop is one row of n points, of n. Products are converted
// before they are added, so that no compiler fuses the two: results would differ between platforms.
func Mandelbrot(n int) *work.Program {
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

// Sparse multiplies a matrix of n rows with a vector of integers. The k-th longest row has about
// a k-th of the ten entries a row, by n, of the longest; n is a power of ten.
func Sparse(n int) *work.Program {
	var sum float64
	for k := range n {
		sum += 1 / float64(k+1)
	}
	starts := make([]int, n+1)
	for i := range n {
		// A prime has no factor in common with n, so that each rank is there once.
		rank := uint64(i) * 7919 % uint64(n)
		starts[i+1] = starts[i] + int(10*float64(n)/sum/float64(rank+1))
	}
	columns, out := make([]uint32, starts[n]), make([]uint64, n)
	for k := range columns {
		columns[k] = uint32(work.SplitMix64(2, uint64(k)) % uint64(n))
	}
	x := numbers(n)
	return into(n, out, func(i int) {
		var sum uint64
		for _, column := range columns[starts[i]:starts[i+1]] {
			sum += x[column]
		}
		out[i] = sum
	})
}
