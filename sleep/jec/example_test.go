package jec_test

import (
	"fmt"

	"github.com/rouse-go/rouse/sleep/jec"
)

// never is a latch that is never set. That of a pool ends a worker's sleep when the pool closes.
type never struct{}

func (never) Probe() bool      { return false }
func (never) GetSleepy() bool  { return true }
func (never) FallAsleep() bool { return true }
func (never) WakeUp()          {}
func (never) Set() bool        { return false }

// One worker serves a queue. It searches for a while when the queue is empty, and then sleeps
// until a job is posted.
func Example() {
	sleep, err := jec.New(1)
	if err != nil {
		panic(err)
	}
	queue := make(chan string, 8)
	next := func() string {
		idle := sleep.StartLooking(0)
		for {
			select {
			case job := <-queue:
				sleep.Found(&idle) // before the job runs: it may take long
				return job
			default:
			}
			if sleep.NoWork(&idle) {
				sleep.Park(&idle, never{}, func() bool { return len(queue) > 0 })
			}
		}
	}
	done := make(chan bool)
	go func() {
		defer close(done)
		for job := next(); job != "end"; job = next() {
			fmt.Println("the worker runs", job)
		}
	}()

	for _, job := range []string{"a", "b", "end"} {
		queue <- job
		sleep.Post(1, false) // after the push; others may wait there, too
	}
	<-done
	// Output:
	// the worker runs a
	// the worker runs b
}
