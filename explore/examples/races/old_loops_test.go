//go:build go1.21

package races_test

import (
	"sync"
	"testing"

	"github.com/rouse-go/rouse/explore"
	"github.com/rouse-go/rouse/explore/internal/planted"
)

// The constraint above makes the language of this file Go 1.21, in which all rounds of a loop share
// its variables. So each round writes them, whatever the loop ranges over.
var shared = map[string]func(hand func(read func())){
	"slice": func(hand func(func())) {
		for _, x := range []string{"a", "b"} {
			hand(func() { take(x) })
		}
	},
	"key": func(hand func(func())) {
		for i := range []string{"a", "b"} {
			hand(func() { take(i) })
		}
	},
	"array": func(hand func(func())) {
		for _, x := range [2]int{1, 2} {
			hand(func() { take(x) })
		}
	},
	"pointer to an array": func(hand func(func())) {
		for _, x := range &[2]int{1, 2} {
			hand(func() { take(x) })
		}
	},
	"string": func(hand func(func())) {
		for _, x := range "ab" {
			hand(func() { take(x) })
		}
	},
	"map": func(hand func(func())) {
		for _, x := range map[int]int{1: 1, 2: 2} {
			hand(func() { take(x) })
		}
	},
	"channel": func(hand func(func())) {
		c := make(chan int, 2)
		c <- 1
		c <- 2
		close(c)
		for x := range c {
			hand(func() { take(x) })
		}
	},
	"address": func(hand func(func())) {
		for _, x := range []int{1, 2} {
			p := &x
			hand(func() { take(*p) })
		}
	},
	"clause": func(hand func(func())) {
		for i := 0; i < 2; i++ {
			hand(func() { take(i) })
		}
	},
}

// A failure would mean that a race of a loop's variable is not seen, or that one is seen which is
// none: between goroutines that have a copy each.
func TestOldLoops(t *testing.T) {
	explore.Test(t, func(t *testing.T) { racy["add"].run(new(sync.Mutex)) }) // or skip all of it
	run := func(loop func(hand func(read func()))) func() {
		return func() {
			var wg sync.WaitGroup
			loop(func(read func()) {
				wg.Add(1)
				go func() {
					defer wg.Done()
					read()
				}()
			})
			wg.Wait()
		}
	}
	for name, loop := range shared {
		loop := loop
		t.Run(name, func(t *testing.T) { planted.Race(t, run(loop)) })
	}
	planted.Passes(t, run(func(hand func(func())) {
		for _, x := range []int{1, 2} {
			x := x
			hand(func() { take(x) })
		}
	}))
}
