package par_test

import (
	"context"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/rouse-go/rouse/par"
	"github.com/rouse-go/rouse/pool"
)

// eachInOrder are the operations on elements that come one after the other. Each calls nap for
// the elements 0 to n-1.
var eachInOrder = map[string]func(n int, nap func(i int), o ...par.Option){
	"MapSeq": consumed,
	"MapSeq of a live source": func(n int, nap func(int), o ...par.Option) {
		consumed(n, nap, append(o, par.WithLiveSource())...)
	},
	"Pipe": func(n int, nap func(int), o ...par.Option) {
		p := par.NewPipe(background, func(_ context.Context, i int) (int, error) { nap(i); return i, nil }, func(int) error { return nil }, o...)
		for i := range n {
			p.Push(i)
		}
		p.Close()
	},
}

func consumed(n int, nap func(int), o ...par.Option) {
	for range par.MapSeq(background, (&upTo{n: n}).each, func(_ context.Context, i int) (int, error) { nap(i); return i, nil }, o...) {
	}
}

// No element of a stream holds others up: see TestNothingHeldUp.
func TestNothingHeldUpInStreams(t *testing.T) {
	for _, workers := range []int{2, 8, 64} {
		for what, of := range shapes {
			for name, call := range eachInOrder {
				for _, n := range []int{2, workers, 400} {
					inBubble(t, workers, func(t *testing.T, p *pool.Pool) {
						d := of(rand.New(rand.NewPCG(1, uint64(n))), n)
						most := mostFor(d, workers)
						for round := range 3 {
							for where, in := range places(p) {
								begun := time.Now()
								in(func() { call(n, func(i int) { time.Sleep(d[i]) }, par.On(p)) })
								took := time.Since(begun)
								if took > most {
									t.Errorf("F7: %s of %d elements, %s, on %d workers, use %d, %s: %v, want at most %v", name, n, what, workers, round, where, took, most)
								}
							}
						}
					})
				}
			}
		}
	}
}

// places are where a call may be.
func places(p *pool.Pool) map[string]func(call func()) {
	return map[string]func(func()){
		"outside of jobs": func(call func()) { call() },
		"in a job": func(call func()) {
			pool.Run(background, p, func(*pool.Worker, int) int { call(); return 0 }, 0)
		},
	}
}
