package harness

import (
	"testing"
	"time"
)

// A goroutine that ends soon, but has more frames than goleak can read until
// then, is no reason to panic.
func TestGoroutinesWithDeepStacks(t *testing.T) {
	begun, release := make(chan bool), make(chan bool)
	go onFrames(200, func() { close(begun); <-release })
	<-begun
	time.AfterFunc(10*time.Millisecond, func() { close(release) })
	before := GoroutinesNow()
	if err := GoroutinesSince(before); err != nil {
		t.Error(err)
	}
}

func onFrames(n int, f func()) {
	if n == 0 {
		f()
		return
	}
	onFrames(n-1, f)
}
