package counters_test

import (
	"fmt"

	"github.com/rouse-go/rouse/counters"
)

// A worker announces that it will sleep, and a job is posted before it does:
// its ticket is void. The second time nothing comes in between, and the next
// poster learns that somebody sleeps.
func Example() {
	c, err := counters.New(4)
	if err != nil {
		fmt.Println(err)
		return
	}
	c.AddInactive() // the worker has run out of work

	ticket := c.Announce()
	c.Post()
	fmt.Println("asleep:", c.TrySleep(ticket))

	ticket = c.Announce()
	fmt.Println("asleep:", c.TrySleep(ticket))
	fmt.Println(c)

	_, sleeping := c.Post()
	fmt.Println("to wake:", sleeping)
	c.SubSleeping(1) // the claimer of a sleeper counts it out
	c.SubInactive()  // the worker has found the job
	fmt.Println(c)

	// Output:
	// asleep: false
	// asleep: true
	// sleeping=1 inactive=1 jobs=2 (announced)
	// to wake: 1
	// sleeping=0 inactive=0 jobs=3 (posted)
}
