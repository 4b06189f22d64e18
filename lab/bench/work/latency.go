package work

import (
	"sync/atomic"
	"time"

	"github.com/rouse-go/rouse/api/prim"
)

// busyBefore is how long a busy poster works before it posts, so that the
// kernel takes its processor for a busy one.
const busyBefore = 2 * time.Millisecond

// Latency hands over one job after a pause, in which the workers fall asleep,
// and measures until its first instruction. The poster keeps its processor
// busy, before and meanwhile, or waits.
func Latency(busy bool, pause time.Duration) *Program {
	return &Program{
		Prepare: func() { time.Sleep(pause) },
		Posts: func(poster Poster) (uint64, time.Duration) {
			var start time.Time
			var took time.Duration
			var begun atomic.Bool
			done := make(chan struct{})
			post := poster(func() {
				took = time.Since(start)
				begun.Store(true)
				close(done)
			})
			if busy {
				keepBusy(busyBefore)
			}
			start = time.Now()
			post()
			for busy && !begun.Load() {
				prim.Spin(100)
			}
			<-done
			return 1, took
		},
	}
}

// keepBusy keeps the processor busy.
func keepBusy(d time.Duration) {
	for start := time.Now(); time.Since(start) < d; {
		prim.Spin(100)
	}
}
