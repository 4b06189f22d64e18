//go:build explore

package scenarios

import (
	"context"
	"errors"
	"slices"

	"github.com/rouse-go/rouse/api/prim"
	"github.com/rouse-go/rouse/par"
	"github.com/rouse-go/rouse/pool"
)

// Pipes, and sequences whose source has a goroutine of its own.
var parPipeCases = []poolCase{
	// A helper that has ended an element may hand it on, or another goroutine that hands on just
	// then. The goroutine that pushes may wait for either.
	{name: "pipe", rule: "F1", bound: 2, deep: 2, workers: 1, body: func(s *stage, p *pool.Pool) {
		var sunk sunk
		pipe := par.NewPipe(background, squared, sunk.sink(s, nil), par.On(p), par.WithWindow(2))
		for i := range 4 {
			err := pipe.Push(i)
			s.check(err == nil, "F1", "Push returns %v", err)
		}
		err := pipe.Close()
		s.check(err == nil && slices.Equal(sunk.values, []int{0, 1, 4, 9}), "F1", "a pipe of 0 to 3 gives the squares %v, then %v", sunk.values, err)
	}},
	{name: "pipe_of_two_helpers", rule: "F1", bound: 1, deep: 2, workers: 2, body: func(s *stage, p *pool.Pool) {
		var sunk sunk
		pipe := par.NewPipe(background, squared, sunk.sink(s, nil), par.On(p), par.WithWindow(4))
		for i := range 3 {
			pipe.Push(i)
		}
		err := pipe.Flush()
		s.check(err == nil && slices.Equal(sunk.values, []int{0, 1, 4}), "F4", "0 to 2 are pushed and flushed, and sink has had %v, then %v", sunk.values, err)
		err = pipe.Close()
		s.check(err == nil, "F4", "Close returns %v", err)
	}},
	// Nothing of an element that fails reaches sink, and nothing of those above. No element
	// below reaches it twice.
	{name: "pipe_error", rule: "F2", bound: 2, deep: 2, workers: 1, body: func(s *stage, p *pool.Pool) {
		var sunk sunk
		var running prim.Int32
		pipe := par.NewPipe(background, func(_ context.Context, i int) (int, error) {
			running.Add(1)
			defer running.Add(-1)
			if i == 2 {
				return 0, at(2)
			}
			return i * i, nil
		}, sunk.sink(s, nil), par.On(p), par.WithWindow(4))
		var err error
		for i := 0; i < 4 && err == nil; i++ {
			err = pipe.Push(i)
		}
		closed := pipe.Close()
		r := running.Load()
		s.check(closed == at(2) && (err == nil || err == at(2)), "F2", "element 2 of a pipe fails, Push returns %v, Close %v", err, closed)
		s.check(slices.Equal(sunk.values, []int{0, 1}), "F2", "element 2 of a pipe fails, and sink has had %v", sunk.values)
		s.check(r == 0, "F4", "a pipe that has failed is closed, and %d calls run", r)
	}},
	{name: "pipe_sink_fails", rule: "F2", bound: 1, deep: 2, workers: 1, body: func(s *stage, p *pool.Pool) {
		var sunk sunk
		pipe := par.NewPipe(background, squared, sunk.sink(s, at(1)), par.On(p), par.WithWindow(4))
		for i := range 4 {
			pipe.Push(i)
		}
		err := pipe.Close()
		s.check(err == at(1) && slices.Equal(sunk.values, []int{0}), "F2", "sink fails at 1, has had %v, and Close returns %v", sunk.values, err)
	}},
	// The panic reaches one of the calls, or the handler when the context has ended; not both. A goroutine
	// of the pipe does the elements, in place of jobs, whose ways are many.
	{name: "pipe_panic", rule: "F2", bound: 1, deep: 2, body: func(s *stage, _ *pool.Pool) {
		var handled prim.Int32
		var p *pool.Pool
		s.Settle(func() {
			p = s.pool(pool.WithWorkers(1), pool.WithPanicHandler(func(*pool.PanicError) { handled.Add(1) }))
		})
		ctx, cancel := context.WithCancel(background)
		var sunk sunk
		pipe := par.NewPipe(ctx, func(_ context.Context, i int) (int, error) {
			if i == 1 {
				panic(at(1))
			}
			return i * i, nil
		}, sunk.sink(s, nil), par.On(p), par.WithLimit(1))
		s.canceler(cancel)
		var told, known prim.Int32
		var err error
		for i := 0; i < 3 && err == nil; i++ {
			v := caught(func() { err = pipe.Push(i) })
			if v != nil {
				s.check(v == at(1), "F2", "element 1 of a pipe panics, and Push with %v", v)
				told.Add(1)
				break
			}
		}
		if v := caught(func() { err = pipe.Close() }); v != nil {
			told.Add(1)
		}
		var e *pool.PanicError
		if errors.As(err, &e) {
			known.Add(1)
		}
		s.Wait()
		s.Settle(func() { s.close(p) })
		n, h := told.Load(), handled.Load()
		s.check(n+h <= 1, "F2", "element 1 of a pipe panics, %d calls do, and the handler is called %d times", n, h)
		s.check(n+h == 1 || errors.Is(err, context.Canceled), "F2", "element 1 of a pipe panics, nobody is told, and Close returns %v", err)
	}},
	// The pipe is never closed. A call may be under way when the context ends.
	{name: "pipe_forgotten", rule: "F2", bound: 1, deep: 2, body: func(s *stage, _ *pool.Pool) {
		var handled, panicked prim.Int32
		var p *pool.Pool
		s.Settle(func() {
			p = s.pool(pool.WithWorkers(1), pool.WithPanicHandler(func(*pool.PanicError) { handled.Add(1) }))
		})
		ctx, cancel := context.WithCancel(background)
		pipe := par.NewPipe(ctx, func(_ context.Context, i int) (int, error) {
			if i == 1 {
				panicked.Add(1)
				panic(at(1))
			}
			return i * i, nil
		}, func(int) error { return nil }, par.On(p), par.WithLimit(1))
		s.canceler(cancel)
		told := int32(0)
		for i := range 2 {
			if v := caught(func() { pipe.Push(i) }); v != nil {
				told++
			}
		}
		s.Wait()
		s.Settle(func() { s.close(p) })
		n, h := panicked.Load(), handled.Load()
		s.check(told+h == n, "F2", "%d elements of a pipe that nobody closes panic, %d calls do, and the handler is called %d times", n, told, h)
	}},
	{name: "live_source", rule: "F1", bound: 1, deep: 2, workers: 1, body: func(s *stage, p *pool.Pool) {
		var src numbers
		got := s.stream(p, &src, 3, func(i int) (int, error) { return i * i, nil }, par.WithLiveSource())
		s.check(slices.Equal(got.values, []int{0, 1, 4}) && got.err == nil, "F1", "MapSeq of a live source of 0 to 2 gives the squares %v, then %v", got.values, got.err)
	}},
	// The source hands over the next number when the consumer has had the one before.
	{name: "live_source_waits", rule: "F7", bound: 1, deep: 2, workers: 1, body: func(s *stage, p *pool.Pool) {
		got := squaresInTurn(p)
		s.check(slices.Equal(got, []int{0, 1, 4}), "F1", "MapSeq of 0 to 2, whose live source waits for the consumer, gives %v", got)
	}},
	// A goroutine of the stream may come to a number that has just got into the ring, and end it before the
	// consumer could know that it is there.
	{name: "live_source_with_limit", rule: "F7", bound: 1, deep: 2, workers: 1, body: func(s *stage, p *pool.Pool) {
		got := squaresInTurn(p, par.WithLimit(1))
		s.check(slices.Equal(got, []int{0, 1, 4}), "F1", "MapSeq of 0 to 2 with a limit of 1, whose live source waits for the consumer, gives %v", got)
	}},
	// The consumer breaks while the source may be at any step.
	{name: "live_source_break", rule: "F4", bound: 1, deep: 2, workers: 1, body: func(s *stage, p *pool.Pool) {
		var inSource prim.Int32
		for range par.MapSeq(background, func(yield func(int) bool) {
			inSource.Add(1)
			defer inSource.Add(-1)
			for i := 0; yield(i); i++ {
				continue
			}
		}, squared, par.On(p), par.WithLiveSource(), par.WithWindow(2)) {
			break
		}
		n := inSource.Load()
		s.check(n == 0, "F4", "the loop over a live source has ended, and the source runs")
	}},
	{name: "live_source_exits", rule: "F2", bound: 1, deep: 2, workers: 1, body: func(s *stage, p *pool.Pool) {
		var yielded prim.Int32
		v := caught(func() {
			for range par.MapSeq(background, func(yield func(int) bool) {
				if yield(0) && yield(1) {
					panic(at(2))
				}
			}, squared, par.On(p), par.WithLiveSource()) {
				yielded.Add(1)
			}
		})
		n := yielded.Load()
		s.check(v == at(2) && n == 2, "F2", "a live source panics after two elements, of which %d are yielded, and the loop panics with %v", n, v)
	}},
}

func squared(_ context.Context, i int) (int, error) { return i * i, nil }

// A sunk is what a sink has had.
type sunk struct {
	values []int
	inside prim.Int32
}

// sink returns a sink that is called by one at a time, or fails with the second result.
func (k *sunk) sink(s *stage, second error) func(int) error {
	return func(r int) error {
		n := k.inside.Add(1)
		s.check(n == 1, "F1", "%d calls of sink are under way at the same time", n)
		defer k.inside.Add(-1)
		if second != nil && len(k.values) == 1 {
			return second
		}
		k.values = append(k.values, r)
		return nil
	}
}

// squaresInTurn returns what MapSeq gives of a live source that hands over the next of three numbers when
// the consumer has had the one before.
func squaresInTurn(p *pool.Pool, opts ...par.Option) (got []int) {
	had := newGate()
	for x := range par.MapSeq(background, func(yield func(int) bool) {
		for i := range 3 {
			if !yield(i) {
				return
			}
			had.pass()
		}
	}, squared, append(opts, par.On(p), par.WithLiveSource(), par.WithWindow(2))...) {
		got = append(got, x)
		had.open()
	}
	return got
}
