package pool_test

import (
	"fmt"
	"runtime"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rouse-go/rouse/pool"
)

// BenchmarkFairLatency runs a function that does nothing beside recursions without an end,
// one for each worker, once in a millisecond, and reports the median and the 99th percentile
// of how long each Run takes. Beside it, the same for a goroutine and a channel beside as
// many such recursions on goroutines.
func BenchmarkFairLatency(b *testing.B) {
	for _, workers := range []int{1, 2, 8} {
		b.Run(fmt.Sprintf("impl=rouse/workers=%d", workers), func(b *testing.B) {
			p, release := occupied(b, workers, func(w *pool.Worker) { invokeFib(w, 20) })
			defer release()
			percentiles(b, func() { mustRun(b, p, func(*pool.Worker, int) int { return 0 }, 0) })
		})
		b.Run(fmt.Sprintf("impl=goroutine/workers=%d", workers), func(b *testing.B) {
			defer recursions(workers)()
			percentiles(b, startAndWaitOnce)
		})
	}
}

func startAndWaitOnce() {
	done := make(chan int)
	go func() { done <- 1 }()
	<-done
}

// recursions has so many goroutines compute until stop is called.
func recursions(n int) (stop func()) {
	var end atomic.Bool
	ended := make(chan bool)
	for range n {
		go func() {
			right := true
			for !end.Load() {
				right = plainFib(20) == 6765 && right
			}
			ended <- right
		}()
	}
	return func() {
		end.Store(true)
		for range n {
			<-ended
		}
	}
}

func percentiles(b *testing.B, request func()) {
	var took []float64
	for b.Loop() {
		time.Sleep(time.Millisecond)
		start := time.Now()
		request()
		took = append(took, float64(time.Since(start)))
	}
	slices.Sort(took)
	b.ReportMetric(took[len(took)/2], "median-ns")
	b.ReportMetric(took[len(took)*99/100], "99th-ns")
	b.ReportMetric(0, "ns/op")
}

// BenchmarkFairLoss reports what recursions on all workers lose in percent while a caller
// runs a function that does nothing, a thousand times a second and back to back: by Run, and
// by a goroutine and a channel. The three alternate, in pieces of some milliseconds.
func BenchmarkFairLoss(b *testing.B) {
	for _, workers := range []int{1, 2} {
		for _, every := range []time.Duration{time.Millisecond, 0} {
			b.Run(fmt.Sprintf("workers=%d/every=%v", workers, every), func(b *testing.B) {
				const piece = 50 * time.Millisecond
				var works [3]atomic.Int64 // undisturbed, beside Run, beside goroutines
				var phase, requests atomic.Int32
				p, release := occupied(b, workers, func(w *pool.Worker) {
					invokeFib(w, 12)
					works[phase.Load()].Add(1)
				})
				defer release()
				for b.Loop() {
					for i := range works {
						phase.Store(int32(i))
						for start := time.Now(); time.Since(start) < piece; {
							switch i {
							case 0:
								time.Sleep(piece)
								continue
							case 1:
								mustRun(b, p, func(*pool.Worker, int) int { return 0 }, 0)
								requests.Add(1)
							case 2:
								startAndWaitOnce()
							}
							if every > 0 {
								time.Sleep(every)
							}
						}
					}
				}
				alone := float64(works[0].Load())
				b.ReportMetric(100*(1-float64(works[1].Load())/alone), "%lost-to-Run")
				b.ReportMetric(100*(1-float64(works[2].Load())/alone), "%lost-to-goroutines")
				b.ReportMetric(float64(requests.Load())/float64(b.N)/piece.Seconds(), "Run/s")
				b.ReportMetric(0, "ns/op")
				runtime.KeepAlive(p)
			})
		}
	}
}
