package work

import (
	"sync/atomic"
	"time"

	"github.com/rouse-go/rouse/api/prim"
)

// Latency hands over one job after a pause, in which the workers fall asleep,
// and measures until its first instruction. Meanwhile the poster keeps its
// processor busy, or waits.
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
