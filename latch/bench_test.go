package latch_test

import (
	"context"
	"testing"

	"github.com/rouse-go/rouse/latch"
)

func BenchmarkLatch(b *testing.B) {
	var core, unset latch.Core
	var count, jobs latch.Count
	jobs.Init(1)
	for name, run := range map[string]func(){
		"op=set/latch=core":    func() { core.Reset(); core.Set() },
		"op=set/latch=count":   func() { count.Init(1); count.Set() },
		"op=set/latch=outside": func() { latch.NewOutside().Set() },
		// A count that is not the last, as for the jobs of a scope.
		"op=add_set/latch=count": func() { jobs.Add(1); jobs.Set() },
		"op=probe/latch=core":    func() { unset.Probe() },
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				run()
			}
		})
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
