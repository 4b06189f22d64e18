//go:build !race && !wasm

// Under the race detector the Go scheduler shuffles what is made ready, and on
// wasm, where there is one processor forever, it prefers none.

package prim_test

import (
	"runtime"
	"slices"
	"testing"

	"github.com/rouse-go/rouse/api/prim"
)

// Of two goroutines that are made ready the Go scheduler runs the second first:
// it is the processor's next, where idle ones do not find it soon. If the first
// one comes first, the second was displaced. If this fails with a new version
// of Go, Expose has lost its effect, and with it the backends that park
// goroutines their speed; nothing else.
func TestExposeDisplacesTheNext(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	order := func(expose bool) []string {
		// There is no idle processor to take them, and the channel keeps
		// the order in which they run.
		ran := make(chan string, 2)
		go func() { ran <- "first" }()
		go func() { ran <- "second" }()
		if expose {
			prim.Expose()
		}
		return []string{<-ran, <-ran}
	}
	// A collection or a preemption between may change an order now and then.
	for expose, want := range map[bool]string{false: "second", true: "first"} {
		got := 0
		for range 100 {
			if slices.Index(order(expose), want) == 0 {
				got++
			}
		}
		if got < 90 {
			t.Errorf("Expose: called: %v: the %s goroutine ran first %d times of 100", expose, want, got)
		}
	}
}
