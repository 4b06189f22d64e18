package deque_test

import (
	"sync"
	"sync/atomic"
	"testing"

	"github.com/rouse-go/rouse/api"
	"github.com/rouse-go/rouse/deque"
)

// benchDeques runs f for each deque of the default size.
func benchDeques(b *testing.B, f func(b *testing.B, d api.Deque[int])) {
	b.Run("deque=chaselev", func(b *testing.B) { f(b, deque.NewChaseLev[int]()) })
	b.Run("deque=locked", func(b *testing.B) { f(b, deque.NewLocked[int]()) })
}

// BenchmarkDeque measures what one goroutine does, without contention. With below=0 each pop
// takes the last item, which thieves could take, too. The last one finds nothing.
func BenchmarkDeque(b *testing.B) {
	item := new(int)
	for _, row := range []struct {
		name  string
		below int // items that stay inside
		run   func(d api.Deque[int])
	}{
		{"op=push_pop/below=0", 0, func(d api.Deque[int]) { d.Push(item); d.Pop() }},
		{"op=push_pop/below=8", 8, func(d api.Deque[int]) { d.Push(item); d.Pop() }},
		{"op=push_steal", 0, func(d api.Deque[int]) { d.Push(item); d.Steal() }},
		{"op=steal", 0, func(d api.Deque[int]) { d.Steal() }},
	} {
		b.Run(row.name, func(b *testing.B) {
			benchDeques(b, func(b *testing.B, d api.Deque[int]) {
				for range row.below {
					d.Push(item)
				}
				for b.Loop() {
					row.run(d)
				}
			})
		})
	}
}

// BenchmarkContended is a push and a pop while another goroutine steals as
// fast as it can.
func BenchmarkContended(b *testing.B) {
	benchDeques(b, func(b *testing.B, d api.Deque[int]) {
		var stop atomic.Bool
		var stolen int
		var thief sync.WaitGroup
		thief.Go(func() {
			for !stop.Load() {
				if _, outcome := d.Steal(); outcome == api.Stolen {
					stolen++
				}
			}
		})
		item := new(int)
		for b.Loop() {
			d.Push(item)
			d.Pop()
		}
		stop.Store(true)
		thief.Wait()
		b.ReportMetric(float64(stolen)/float64(b.N), "stolen/op")
	})
}

// BenchmarkInject is a push and a steal through the injector, and a look at an empty one,
// beside a buffered channel.
func BenchmarkInject(b *testing.B) {
	item, q, empty, c := new(int), deque.NewInjector[int](), deque.NewInjector[int](), make(chan *int, 64)
	for name, run := range map[string]func(){
		"impl=injector":          func() { q.Push(item); q.Steal() },
		"impl=injector/op=empty": func() { empty.Empty() },
		"impl=channel":           func() { c <- item; <-c },
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				run()
			}
		})
		b.Run(name+"/parallel", func(b *testing.B) {
			b.ReportAllocs()
			b.RunParallel(func(pb *testing.PB) {
				for pb.Next() {
					run()
				}
			})
		})
	}
}
