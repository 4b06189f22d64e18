//go:build explore

package explore_test

import (
	"fmt"
	"os"

	"github.com/rouse-go/rouse/api/prim"
	"github.com/rouse-go/rouse/explore"
)

// lostUpdate has two threads that each add one, in two steps.
func lostUpdate(x *explore.Exec) {
	var n prim.Int64
	for range 2 {
		x.Go("adder", func() { n.Store(n.Load() + 1) })
	}
	x.Wait()
	if n.Load() != 2 {
		x.Errorf("%d, want 2", n.Load())
	}
}

// The failure says what is wrong, by which schedule, and how that happens.
func ExampleExplore() {
	r := explore.Explore(lostUpdate, explore.Bound(1))
	fmt.Println(r.Failure)
	// Output:
	// assertion: 1, want 2
	// by a schedule of 1 preemption, 1:1 2:2 1:1 0:1:
	//                               0 scenario        1 adder            2 adder
	//   example_explore_test.go:17  go 1
	//   example_explore_test.go:17  go 2
	//   example_explore_test.go:17  │                 Load Int64#0 = 0
	//   example_explore_test.go:17  │                 │                  Load Int64#0 = 0
	//   example_explore_test.go:17  │                 │                  Store Int64#0 ← 1
	//   example_explore_test.go:17  │                 Store Int64#0 ← 1
	//   example_explore_test.go:19  wait for threads
	//   example_explore_test.go:20  Load Int64#0 = 1
	//   example_explore_test.go:21  Load Int64#0 = 1
	// ✗ example_explore_test.go:21  fails: 1, want 2
}

// A schedule leads to the same failure each time.
func ExampleReplay() {
	r := explore.Explore(lostUpdate, explore.Replay("1:1 2:2 1:1 0:1"))
	fmt.Println(r.Schedules, r.Failure.Kind)
	// Output: 1 assertion
}

// With up to one preemption there are more schedules than without, and the first one that fails
// has as few preemptions as possible.
func ExampleBound() {
	for n := range 2 {
		r := explore.Explore(lostUpdate, explore.Bound(n))
		fmt.Println(n, r.Failure != nil, r.Exhausted)
	}
	// Output:
	// 0 false false
	// 1 true false
}

// Of all schedules of two independent threads, one is enough.
func ExampleUnbounded() {
	scenario := func(x *explore.Exec) {
		for range 2 {
			x.Go("adder", func() {
				var n prim.Int64
				for range 10 {
					n.Add(1)
				}
			})
		}
	}
	fmt.Println(explore.Explore(scenario, explore.Unbounded()).Orders)
	// Output: 1
}

// With Rounds, a thread that gives way may continue in the middle of another thread's work.
func ExampleRounds() {
	scenario := func(x *explore.Exec) {
		var n prim.Int64
		x.Go("adder", func() { n.Add(1); n.Add(1) })
		for prim.Yield(); n.Load() != 2; prim.Yield() {
		}
	}
	for n := range 2 {
		r := explore.Explore(scenario, explore.Unbounded(), explore.Rounds(n))
		fmt.Println(r.Schedules, r.UpTo)
	}
	// Output:
	// 2 0 rounds of loops that wait
	// 31 1 round of loops that wait: example_explore_test.go:85
}

// A page for a browser.
func ExampleFailure_WriteHTML() {
	if f := explore.Explore(lostUpdate).Failure; f != nil {
		file, err := os.CreateTemp("", "failure*.html")
		if err != nil {
			fmt.Println(err)
			return
		}
		defer os.Remove(file.Name())
		fmt.Println(f.WriteHTML(file), file.Close())
	}
	// Output: <nil> <nil>
}
