package prim_test

import (
	"runtime"
	"testing"

	"github.com/rouse-go/rouse/api/prim"
)

// If this fails, the default number of workers is not the one that the program asked
// for: there are more goroutines, or fewer, than can run at once.
func TestProcessors(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for _, n := range []int{1, runtime.NumCPU() + 5} {
		runtime.GOMAXPROCS(n)
		if runtime.GOMAXPROCS(0) != n {
			continue // on wasm there is one
		}
		if got := prim.Processors(); got != n {
			t.Errorf("Processors: there are %d, and GOMAXPROCS is %d", got, n)
		}
	}
}
