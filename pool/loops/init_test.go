package loops_test

import (
	"context"
	"testing"

	"github.com/rouse-go/rouse/pool"
)

func fib(w *pool.Worker, n int) int {
	if n < 2 {
		return n
	}
	a, b := pool.Invoke(w, fib, n-1, fib, n-2)
	return a + b
}

// ranInInit is what a Run has returned before main, or its error. It is not among the tests of pool, where
// a pool that is broken on purpose is to fail in a test.
var ranInInit, errInInit = pool.Run(context.Background(), pool.Default(), fib, 15)

// If this fails, a program hangs, or has a wrong result, that computes something as it is initialized.
func TestRunInInit(t *testing.T) {
	if ranInInit != 610 || errInInit != nil {
		t.Errorf("P1: as the package was initialized a Run returned %d, %v, want 610", ranInInit, errInInit)
	}
}
