package deque_test

import (
	"fmt"
	"sync"

	"github.com/rouse-go/rouse/api"
	"github.com/rouse-go/rouse/deque"
)

// The owner works on its newest items, a thief takes the oldest.
func Example() {
	d := deque.NewChaseLev[string]()
	for _, word := range []string{"oldest", "middle", "newest"} {
		d.Push(&word)
	}

	var thief sync.WaitGroup
	thief.Go(func() {
		for {
			switch word, outcome := d.Steal(); outcome {
			case api.Stolen:
				fmt.Println("stolen:", *word)
				return
			case api.Lost:
				continue // another was faster, there may be more
			case api.Empty:
				return
			}
		}
	})
	thief.Wait()

	for word := d.Pop(); word != nil; word = d.Pop() {
		fmt.Println("popped:", *word)
	}
	// Output:
	// stolen: oldest
	// popped: newest
	// popped: middle
}

func ExampleInjector() {
	q := deque.NewInjector[int]()
	for i := range 3 {
		fmt.Println("was empty:", q.Push(&i))
	}
	for !q.Empty() {
		if item, outcome := q.Steal(); outcome == api.Stolen {
			fmt.Println(*item)
		}
	}
	// Output:
	// was empty: true
	// was empty: false
	// was empty: false
	// 0
	// 1
	// 2
}
