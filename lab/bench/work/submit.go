package work

import (
	"time"

	"go.uber.org/atomic"

	"github.com/rouse-go/rouse/api/prim"
	"github.com/rouse-go/rouse/pool"
)

// Submit hands over a number of jobs that do next to nothing, and waits until all are done.
func Submit(jobs int) *Program {
	var done atomic.Int64
	var all chan struct{}
	job := func() {
		if done.Add(1) == int64(jobs) {
			close(all)
		}
	}
	submitted := func(post func() error) (uint64, error) {
		for range jobs {
			if err := post(); err != nil {
				return 0, err
			}
		}
		<-all
		return uint64(done.Load()), nil
	}
	return &Program{
		Prepare:    func() { done.Store(0); all = make(chan struct{}) },
		Goroutines: func(int) uint64 { return must(submitted(func() error { go job(); return nil })) },
		Pool: func(p *pool.Pool) (uint64, error) {
			fn := func(*pool.Worker) struct{} { job(); return struct{}{} }
			return submitted(func() error { _, err := pool.Submit(p, fn); return err })
		},
	}
}

// busyBefore is how long a busy poster works before it posts, so that the
// kernel takes its processor for a busy one.
const busyBefore = 2 * time.Millisecond

// Latency hands over one job after a pause, in which the workers fall asleep,
// and measures until its first instruction. The poster keeps its processor
// busy, before and meanwhile, or waits.
func Latency(busy bool, pause time.Duration) *Program {
	return &Program{
		Prepare: func() { time.Sleep(pause) },
		Calls: func(s System) (uint64, []time.Duration) {
			var start time.Time
			var took atomic.Duration // 0 until the job has begun
			done := make(chan struct{})
			post := s.poster(func(Place) uint64 {
				took.Store(max(time.Since(start), 1))
				close(done)
				return 0
			})
			if busy {
				keepBusy(busyBefore)
			}
			start = time.Now()
			post()
			for busy && took.Load() == 0 {
				prim.Spin(100)
			}
			<-done
			return 1, []time.Duration{took.Load()}
		},
	}
}

// keepBusy keeps the processor busy.
func keepBusy(d time.Duration) {
	for start := time.Now(); time.Since(start) < d; {
		prim.Spin(100)
	}
}
