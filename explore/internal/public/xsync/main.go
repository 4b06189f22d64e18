// Program xsync shows two faults of github.com/puzpuzpuz/xsync/v4 4.5.0.
//
// A Clear beside another Clear can return before anything is cleared. In Map.resize, the Clear that
// loses the CompareAndSwap on resizeCtl calls helpResize with the even number that it read before.
// The other Clear has set an odd one, so helpResize returns at once.
//
// Map.Stats reads bucket.next without package atomic, while a Store beside it writes it with that
// package. The race detector reports it: go run -race.
package main

import (
	"fmt"
	"os"
	"sync"
	"sync/atomic"

	"github.com/puzpuzpuz/xsync/v4"
)

const tries = 300_000

func main() {
	for range 1000 {
		stats()
	}
	m := xsync.NewMap[int, int]()
	var found atomic.Int64
	var wg sync.WaitGroup
	for k := range 4 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for range tries {
				m.Store(k, k) // nobody else stores this key
				m.Clear()
				if _, ok := m.Load(k); ok {
					found.Add(1)
				}
			}
		}()
	}
	wg.Wait()
	fmt.Printf("in %d of %d tries Load finds after Clear what was stored before it\n", found.Load(), 4*tries)
	if found.Load() > 0 {
		os.Exit(1)
	}
}

// stats is a data race.
func stats() {
	m := xsync.NewMap[int, int]()
	done := make(chan bool)
	go func() {
		for k := range 100 {
			m.Store(k, k)
		}
		close(done)
	}()
	for m.Size() < 100 {
		m.Stats()
	}
	<-done
}
