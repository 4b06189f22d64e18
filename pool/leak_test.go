package pool_test

import (
	"runtime"
	"runtime/pprof"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/pool"
)

// If this fails, a program cannot find out which pool it has forgotten: something keeps
// what the goroutines of its workers wait for. Or it is told of leaks that there are not.
//
// The profile is in Go 1.26 with GOEXPERIMENT=goroutineleakprofile.
func TestForgottenPoolShows(t *testing.T) {
	if pprof.Lookup("goroutineleak") == nil {
		t.Skip("this Go has no profile of leaked goroutines")
	}
	p := newPool(t, pool.WithWorkers(2))
	if mustRun(t, p, fib, 15) != 610 {
		t.Fatal("P1: fib(15) is wrong")
	}
	untilSleeping(t, p)
	before := leakedSeats(t)
	if before > 0 {
		t.Errorf("P30: New: %d goroutines of pools that are in use count as leaked", before)
	}
	func() {
		forgotten, err := pool.New(pool.WithWorkers(2))
		if err != nil {
			t.Fatalf("P29: New returned the error %v", err)
		}
		mustRun(t, forgotten, fib, 15)
		untilSleeping(t, forgotten)
	}()
	during(t, "P30", "the two goroutines of a pool that was forgotten show in the profile of leaks", func() {
		for leakedSeats(t) != 2 {
			runtime.Gosched()
		}
	})
	runtime.KeepAlive(p)
}

func untilSleeping(t *testing.T, p *pool.Pool) {
	during(t, "S7", "all workers sleep", func() {
		for p.Sleeping() < p.Workers() {
			runtime.Gosched()
		}
	})
}

// leakedSeats counts the leaked goroutines that sleep for want of work.
func leakedSeats(t *testing.T) int {
	var s strings.Builder
	if err := pprof.Lookup("goroutineleak").WriteTo(&s, 2); err != nil {
		t.Fatalf("P30: the profile of leaks cannot be written: %v", err)
	}
	n := 0
	for g := range strings.SplitSeq(s.String(), "\n\n") {
		if strings.Contains(g, "(leaked)") && strings.Contains(g, "pool.(*seat).await(") {
			n++
		}
	}
	return n
}
