package prim_test

import (
	"runtime"
	"testing"
	"time"

	"github.com/rouse-go/rouse/api/prim"
)

// What a collected object leaves to be done is done.
func TestAddCleanup(t *testing.T) {
	cleaned := make(chan int, 1)
	func() { prim.AddCleanup(new([64]byte), func(n int) { cleaned <- n }, 7) }()
	for range 1000 {
		runtime.GC()
		select {
		case n := <-cleaned:
			if n != 7 {
				t.Errorf("AddCleanup: the function got %d, want 7", n)
			}
			return
		case <-time.After(time.Millisecond):
		}
	}
	t.Fatal("AddCleanup: the object is not reachable, and the function was not called after 1000 collections")
}
