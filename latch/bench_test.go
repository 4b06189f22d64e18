package latch_test

import (
	"context"
	"testing"

	"github.com/rouse-go/rouse/latch"
)

func BenchmarkSet(b *testing.B) {
	b.Run("latch=core", func(b *testing.B) {
		var l latch.Core
		for b.Loop() {
			l.Reset()
			l.Set()
		}
	})
	b.Run("latch=count", func(b *testing.B) {
		var l latch.Count
		for b.Loop() {
			l.Init(1)
			l.Set()
		}
	})
	b.Run("latch=outside", func(b *testing.B) {
		for b.Loop() {
			var l latch.Outside
			l.Set()
		}
	})
}

// A count that is not the last, as for the jobs of a scope.
func BenchmarkCountJob(b *testing.B) {
	var l latch.Count
	l.Init(1)
	for b.Loop() {
		l.Add(1)
		l.Set()
	}
}

func BenchmarkProbe(b *testing.B) {
	var l latch.Core
	for b.Loop() {
		if l.Probe() {
			b.Fatal("set")
		}
	}
}

// BenchmarkWait is a wait that blocks, from the setter's point of view and
// with its waiter on another goroutine; set=before is one that need not.
func BenchmarkWait(b *testing.B) {
	ctx := context.Background()
	b.Run("set=before", func(b *testing.B) {
		l := latch.NewOutside()
		l.Set()
		for b.Loop() {
			l.Wait(ctx)
		}
	})
	b.Run("set=after", func(b *testing.B) {
		b.ReportAllocs()
		next := make(chan *latch.Outside)
		go func() {
			for l := range next {
				l.Set()
			}
		}()
		for b.Loop() {
			l := latch.NewOutside()
			next <- l
			l.Wait(ctx)
		}
		close(next)
	})
}
