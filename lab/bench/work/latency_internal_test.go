package work

import (
	"testing"
	"time"
)

// slow is a system in which a job begins after 20 ms.
type slow struct{ goroutines }

func (s slow) poster(job Job) func() {
	return func() { go func() { time.Sleep(20 * time.Millisecond); job(s) }() }
}

// A post is timed from before it until the job begins.
func TestLatency(t *testing.T) {
	for _, busy := range []bool{true, false} {
		if _, took := Latency(busy, 0).Calls(slow{1}); took[0] < 20e6 {
			t.Errorf("busy %t: a job that began after 20 ms is said to have after %v ns", busy, took)
		}
	}
}
