package deque_test

import (
	"fmt"
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

// BenchmarkPushPop is a push and a pop. With below=0 each pop takes the last
// item, which thieves could take too.
func BenchmarkPushPop(b *testing.B) {
	for _, below := range []int{0, 8} {
		b.Run(fmt.Sprintf("below=%d", below), func(b *testing.B) {
			benchDeques(b, func(b *testing.B, d api.Deque[int]) {
				item := new(int)
				for range below {
					d.Push(item)
				}
				for b.Loop() {
					d.Push(item)
					d.Pop()
				}
			})
		})
	}
}

// BenchmarkBurst is 32 pushes and then 32 pops.
func BenchmarkBurst(b *testing.B) {
	benchDeques(b, func(b *testing.B, d api.Deque[int]) {
		item := new(int)
		for b.Loop() {
			for range 32 {
				d.Push(item)
			}
			for range 32 {
				d.Pop()
			}
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/32, "ns/pair")
	})
}

// BenchmarkPushSteal is a push and a steal by one goroutine, so without
// contention.
func BenchmarkPushSteal(b *testing.B) {
	benchDeques(b, func(b *testing.B, d api.Deque[int]) {
		item := new(int)
		for b.Loop() {
			d.Push(item)
			d.Steal()
		}
	})
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

// BenchmarkEmpty is what a fruitless search costs.
func BenchmarkEmpty(b *testing.B) {
	for name, try := range map[string]func(api.Deque[int]){
		"op=pop":   func(d api.Deque[int]) { d.Pop() },
		"op=steal": func(d api.Deque[int]) { d.Steal() },
		"op=len":   func(d api.Deque[int]) { d.Len() },
	} {
		b.Run(name, func(b *testing.B) {
			benchDeques(b, func(b *testing.B, d api.Deque[int]) {
				for b.Loop() {
					try(d)
				}
			})
		})
	}
}

// BenchmarkInject is a push and a steal through the injector, beside a buffered
// channel.
func BenchmarkInject(b *testing.B) {
	item := new(int)
	b.Run("impl=injector", func(b *testing.B) {
		b.ReportAllocs()
		q := deque.NewInjector[int]()
		for b.Loop() {
			q.Push(item)
			q.Steal()
		}
	})
	b.Run("impl=channel", func(b *testing.B) {
		b.ReportAllocs()
		c := make(chan *int, 64)
		for b.Loop() {
			c <- item
			<-c
		}
	})
	b.Run("impl=injector/op=empty", func(b *testing.B) {
		q := deque.NewInjector[int]()
		for b.Loop() {
			if !q.Empty() {
				b.Fatal("not empty")
			}
		}
	})
	b.Run("impl=injector/parallel", func(b *testing.B) {
		b.ReportAllocs()
		q := deque.NewInjector[int]()
		b.RunParallel(func(pb *testing.PB) {
			for pb.Next() {
				q.Push(item)
				q.Steal()
			}
		})
	})
	b.Run("impl=channel/parallel", func(b *testing.B) {
		b.ReportAllocs()
		c := make(chan *int, 64)
		b.RunParallel(func(pb *testing.PB) {
			for pb.Next() {
				c <- item
				<-c
			}
		})
	})
}
