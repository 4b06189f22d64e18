// Program queue shows four faults of package queue of github.com/Workiva/go-datastructures
// 1.1.7.
package main

import (
	"fmt"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/Workiva/go-datastructures/queue"
)

const (
	tries  = 5_000_000
	hanged = 2 * time.Second
)

func main() {
	bad := false
	for _, f := range []func() string{one, empty, length, offer} {
		if s := f(); s != "" {
			fmt.Println(s)
			bad = true
		}
	}
	if bad {
		os.Exit(1)
	}
}

// A slot of the only one looks free to Put when it is full: its position is 1 then, which is
// what the second Put looks for.
func one() string {
	r := queue.NewRingBuffer(1)
	if err := r.Put("a"); err != nil {
		return err.Error()
	}
	if ok, _ := r.Offer("b"); ok {
		_, err := r.Poll(hanged)
		return fmt.Sprintf("a RingBuffer of %d takes two items; Poll says then: %v", r.Cap(), err)
	}
	return ""
}

// ExecuteInParallel returns with the lock if there is nothing to do.
func empty() string {
	q := queue.New(1)
	queue.ExecuteInParallel(q, func(any) {})
	done := make(chan bool)
	go func() { q.Len(); close(done) }()
	select {
	case <-done:
		return ""
	case <-time.After(hanged):
		return "Queue.Len hangs after ExecuteInParallel on an empty queue"
	}
}

// Len loads two indexes, one after the other; what is put and got between the two makes the
// difference negative, and it has no sign.
func length() string {
	r := queue.NewRingBuffer(8)
	var stop atomic.Bool
	var wg sync.WaitGroup
	for range 2 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for !stop.Load() {
				_ = r.Put(1)
				_, _ = r.Get()
			}
		}()
	}
	n, last := 0, uint64(0)
	for range tries {
		if l := r.Len(); l > r.Cap() {
			n, last = n+1, l
		}
	}
	stop.Store(true)
	wg.Wait()
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("RingBuffer.Len says more than Cap in %d of %d calls; the last time %d", n, tries, last)
}

// Offer refuses an item if its CompareAndSwap fails, whether or not there is room.
func offer() string {
	r := queue.NewRingBuffer(2 * tries)
	var n atomic.Int64
	var wg sync.WaitGroup
	for range 2 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for range tries {
				if ok, _ := r.Offer(1); !ok {
					n.Add(1)
				}
			}
		}()
	}
	if wg.Wait(); n.Load() == 0 {
		return ""
	}
	return fmt.Sprintf("RingBuffer.Offer refuses %d of %d items, with room for all of them", n.Load(), 2*tries)
}
