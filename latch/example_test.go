package latch_test

import (
	"context"
	"fmt"

	"github.com/rouse-go/rouse/latch"
)

// A waiter goes to sleep step by step. The setter of the latch learns whether
// it has to wake the waiter. How it does so is not the latch's business.
func ExampleCore() {
	var done latch.Core
	if done.GetSleepy() {
		// The waiter looks once more for something better to do.
		if done.FallAsleep() {
			fmt.Println("the waiter may block now")
		}
	}
	fmt.Println("somebody to wake:", done.Set())
	fmt.Println("set:", done.Probe())
	// Output:
	// the waiter may block now
	// somebody to wake: true
	// set: true
}

func ExampleCount() {
	var done latch.Count
	done.Init(1) // the scope's body
	done.Add(1)  // a job that the body spawned

	done.Set() // the job has ended
	fmt.Println(done.Probe())
	done.Set() // the body has ended
	fmt.Println(done.Probe())
	// Output:
	// false
	// true
}

func ExampleOutside() {
	done := latch.NewOutside()
	var sum int
	go func() {
		sum = 40 + 2
		done.Set()
	}()
	if err := done.Wait(context.Background()); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(sum)
	// Output: 42
}
