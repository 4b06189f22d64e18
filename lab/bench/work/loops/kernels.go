package loops

import "github.com/rouse-go/rouse/lab/bench/work"

// mandelbrotMost is how many steps a point takes, at most.
const mandelbrotMost = 200

// Mandelbrot counts, for the points of a square from -2-1.5i to 1+1.5i, the steps that
// they take to get away. An element of the loop is one row of n points, of n: rows are unequal, and
// no compiler makes vector instructions of one. Products are converted
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
