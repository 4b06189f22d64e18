//go:build explore

package scenarios

import (
	"context"
	"errors"
	"iter"
	"runtime"
	"slices"

	"github.com/rouse-go/rouse/api/prim"
	"github.com/rouse-go/rouse/par"
	"github.com/rouse-go/rouse/pool"
)

// Streams, loops in loops, and loops that are ended or watched from outside.
var parStreamCases = []poolCase{
	{name: "stream", rule: "F1", bound: 2, deep: 2, workers: 2, body: func(s *stage, p *pool.Pool) {
		var src numbers
		got := s.stream(p, &src, 2, func(i int) (int, error) { return i * i, nil })
		s.check(slices.Equal(got.values, []int{0, 1}) && got.err == nil, "F1", "MapSeq of 0 and 1 gives the squares %v, then %v", got.values, got.err)
		s.check(src.most <= 2, "F1", "MapSeq with a window of 2 has taken %d elements that it has not yielded", src.most)
	}},
	// Two elements fail. The worker that does the second may learn it first.
	{name: "stream_error", rule: "F2", bound: 2, deep: 2, workers: 2, body: func(s *stage, p *pool.Pool) {
		var src numbers
		var begun prim.Int32
		got := s.stream(p, &src, 4, func(i int) (int, error) {
			if i >= 2 {
				return 0, at(i)
			}
			begun.Add(1)
			return i, nil
		})
		n := begun.Load()
		s.check(slices.Equal(got.values, []int{0, 1}) && got.err == at(2), "F2", "of MapSeq's elements those from 2 on fail, and it yields %v, then %v", got.values, got.err)
		s.check(n == 2, "F2", "MapSeq has begun %d of the 2 elements below the one that fails", n)
	}},
	// Element 2 has the cell that element 0 had. It waits for its context, which ends since
	// element 1 fails.
	{name: "stream_ends_what_is_above", rule: "F3", bound: 1, deep: 2, workers: 2, body: func(s *stage, p *pool.Pool) {
		got := s.streamOf(p, 4, func(ctx context.Context, i int) (int, error) {
			for i > 1 && ctx.Err() == nil {
				prim.Yield()
			}
			if i > 0 {
				return 0, at(i)
			}
			return i, nil
		}, par.WithWindow(2))
		s.check(got.err == at(1), "F2", "elements 1 to 3 of MapSeq fail, and it ends with %v", got.err)
	}},
	// What lies below a failure goes on, and its context does not end.
	{name: "stream_goes_on_below", rule: "F3", bound: 1, deep: 2, workers: 2, body: func(s *stage, p *pool.Pool) {
		got := s.streamOf(p, 3, func(ctx context.Context, i int) (int, error) {
			if i == 2 {
				return 0, at(2)
			}
			for range 3 {
				prim.Yield()
				s.check(ctx.Err() == nil, "F3", "element 2 fails, and the context of element %d ends", i)
			}
			return i, nil
		}, par.WithWindow(4))
		s.check(slices.Equal(got.values, []int{0, 1}) && got.err == at(2), "F2", "element 2 fails, and MapSeq yields %v, then %v", got.values, got.err)
	}},
	// The consumer has enough, and an element that it does not want waits for its context.
	{name: "stream_break_ends", rule: "F3", bound: 1, deep: 2, workers: 1, body: func(s *stage, p *pool.Pool) {
		for range par.MapSeq(background, (&numbers{}).upTo(3), func(ctx context.Context, i int) (int, error) {
			for i == 1 && ctx.Err() == nil {
				prim.Yield()
			}
			return i, nil
		}, par.On(p), par.WithLiveSource()) {
			break
		}
	}},
	// Goroutines of the stream do all elements, as many as the limit says.
	{name: "stream_limit", rule: "F7", bound: 1, deep: 2, workers: 1, body: func(s *stage, p *pool.Pool) {
		var running prim.Int32
		got := s.streamOf(p, 4, func(_ context.Context, i int) (int, error) {
			n := running.Add(1)
			defer running.Add(-1)
			s.check(n <= 2, "F7", "with a limit of 2, %d elements of a stream are under way", n)
			return i, nil
		}, par.WithLimit(2))
		n := running.Load()
		s.check(slices.Equal(got.values, []int{0, 1, 2, 3}) && got.err == nil, "F1", "MapSeq of 0 to 3 with a limit of 2 gives %v, then %v", got.values, got.err)
		s.check(n == 0, "F4", "MapSeq with a limit is over, and %d calls run", n)
	}},
	// An element ends its goroutine, which then looks at no other element. Another goroutine
	// must do those below.
	{name: "stream_limit_exits", rule: "F4", bound: 1, deep: 2, workers: 1, body: func(s *stage, p *pool.Pool) {
		returned := prim.Bool{}
		s.Go("consumer", func() {
			s.streamOf(p, 4, func(_ context.Context, i int) (int, error) {
				if i > 1 {
					runtime.Goexit()
				}
				return i, nil
			}, par.WithLimit(2), par.WithLiveSource())
			returned.Store(true)
		})
		s.Wait()
		s.check(!returned.Load(), "F4", "element 2 of a stream calls Goexit, and the loop returns")
	}},
	// The element after the one at which the consumer breaks may be under way then.
	{name: "stream_break", rule: "F4", bound: 2, deep: 3, workers: 2, body: func(s *stage, p *pool.Pool) {
		src := numbers{breakAt: 1}
		got := s.stream(p, &src, 4, func(i int) (int, error) {
			if i > 0 {
				prim.Yield()
			}
			return i, nil
		})
		s.check(slices.Equal(got.values, []int{0}), "F1", "MapSeq gives %v up to the break", got.values)
		s.check(src.taken <= 3, "F1", "MapSeq with a window of 2 has taken %d elements, and the loop ends at the first", src.taken)
	}},
	// The panic passes the stream, whose elements may be under way.
	{name: "stream_of_failing_source", rule: "F4", bound: 1, deep: 2, workers: 2, body: func(s *stage, p *pool.Pool) {
		src := numbers{panicAt: 3}
		v := caught(func() { s.stream(p, &src, 5, func(i int) (int, error) { return i, nil }) })
		s.check(v == at(3), "F2", "MapSeq's source panics at 3, and the loop panics with %v", v)
	}},
	// A source that goes on when what it has handed over is done. The helper may be about to
	// leave when the next element comes.
	{name: "stream_source_waits", rule: "F7", bound: 2, deep: 2, workers: 1, body: func(s *stage, p *pool.Pool) {
		done := []gate{newGate(), newGate(), newGate(), newGate()}
		var got []int
		for x := range par.MapSeq(background, func(yield func(int) bool) {
			for i, d := range done {
				if !yield(i) {
					return
				}
				d.pass()
			}
		}, func(_ context.Context, i int) (int, error) {
			done[i].open()
			return i, nil
		}, par.On(p), par.WithWindow(2)) {
			got = append(got, x)
		}
		s.check(slices.Equal(got, []int{0, 1, 2, 3}), "F1", "MapSeq of 0 to 3, whose source waits for each, gives %v", got)
	}},
	// The consumer does an element that fails, while the helper may do others. It may be just
	// about to begin one when the consumer has the error.
	{name: "stream_own_error", rule: "F2", bound: 2, deep: 2, workers: 1, body: func(s *stage, p *pool.Pool) {
		var known prim.Bool
		var late prim.Int32
		for _, err := range par.MapSeq(background, (&numbers{}).upTo(7), func(_ context.Context, i int) (int, error) {
			switch {
			case i == 0: // so that the consumer gives the helper some time to come
				prim.Now()
				prim.Now()
				prim.Now()
			case i == 1:
				return 0, at(1)
			case known.Load():
				late.Add(1)
			}
			return i, nil
		}, par.On(p), par.WithWindow(8)) {
			if err != nil {
				known.Store(true)
				s.check(err == at(1), "F2", "MapSeq's element 1 fails, and it yields the error %v", err)
			}
		}
		n := late.Load()
		s.check(n <= 1, "F2", "MapSeq has yielded an error, and one worker begins %d elements above after that", n)
	}},
	// A consumer that is a job waits for helpers without its seat.
	{name: "stream_in_job", rule: "F1", bound: 1, deep: 2, workers: 2, body: func(s *stage, p *pool.Pool) {
		var src numbers
		got := enter(s, p, func(*pool.Worker) streamed {
			return s.stream(p, &src, 3, func(i int) (int, error) { return i, nil })
		})
		s.check(slices.Equal(got.values, []int{0, 1, 2}), "F1", "MapSeq of 0 to 2 in a job gives %v", got.values)
	}},
	{name: "stream_context_ends", rule: "F3", bound: 1, deep: 2, workers: 2, body: func(s *stage, p *pool.Pool) {
		ctx, cancel := context.WithCancelCause(background)
		var values []int
		var begun [5]prim.Bool
		var err error
		for x, e := range par.MapSeq(ctx, (&numbers{}).upTo(len(begun)), func(_ context.Context, i int) (int, error) {
			begun[i].Store(true)
			if i == 1 {
				cancel(at(1))
			}
			return i, nil
		}, par.On(p), par.WithWindow(2)) {
			if err = e; e == nil {
				values = append(values, x)
			}
		}
		s.check(errors.Is(err, context.Canceled) && errors.Is(err, at(1)), "F3", "the context of MapSeq ends at element 1, and it yields %v, then %v", values, err)
		want := 0 // two workers may begin 1 before 0
		for want < 4 && begun[want].Load() {
			want++
		}
		s.check(slices.Equal(values, []int{0, 1, 2, 3}[:want]), "F3", "the context of MapSeq ends at element 1, it has begun %d elements without a gap, and yields %v", want, values)
	}},
	// The lowest panic of an inner loop is that of the outer one's element.
	{name: "nested_panic", rule: "F2", bound: 1, deep: 2, workers: 2, body: func(s *stage, p *pool.Pool) {
		var running prim.Int32
		v := caught(func() {
			par.For(3, func(i int) {
				par.For(2, func(j int) {
					running.Add(1)
					defer running.Add(-1)
					if i > 0 {
						panic(at(2*i + j))
					}
				}, par.On(p))
			}, par.On(p))
		})
		r := running.Load()
		s.check(v == at(2), "F2", "elements 2 to 5 of loops in a loop panic, and the loop panics with %v", v)
		s.check(r == 0, "F4", "a loop of loops panics, and %d bodies run", r)
	}},
	// A loop in a job of the pool, which is not told so, goes on as that job's worker.
	{name: "loop_in_job", rule: "F5", bound: 1, deep: 2, workers: 2, body: func(s *stage, p *pool.Pool) {
		var done prim.Int32
		enter(s, p, func(w *pool.Worker) int {
			par.For(3, func(int) { done.Add(1) }, par.On(p))
			par.For(2, func(int) { done.Add(1) }, par.In(w))
			return 0
		})
		s.counts(&done, 5, "F1", "loops of 3 and 2 have done %d elements")
	}},
	// What had begun when the context ended runs to its end; what lies below is whole. With
	// two preemptions there are as many schedules as of all other scenarios of par.
	{name: "context_ends", rule: "F3", bound: 1, deep: 2, workers: 2, body: func(s *stage, p *pool.Pool) {
		ctx, cancel := context.WithCancelCause(context.WithValue(background, p, p))
		var running, begun prim.Int32
		s.canceler(func() { cancel(at(9)) })
		err := par.ForErr(ctx, 3, func(got context.Context, i int) error {
			begun.Add(1)
			running.Add(1)
			defer running.Add(-1)
			s.check(got.Value(p) == p, "F3", "ForErr hands a body a context without the values of the caller's")
			return nil
		}, par.On(p))
		r, n := running.Load(), begun.Load()
		s.check(err != nil || n == 3, "F3", "ForErr has returned no error, and %d of its 3 bodies have begun", n)
		s.check(r == 0, "F4", "ForErr has returned %v, and %d bodies run", err, r)
		s.check(err == nil || errors.Is(err, context.Canceled) && errors.Is(err, at(9)), "F3", "the context of ForErr ends, and it returns %v", err)
	}},
	// An element ends the context, and a lower one fails: the lowest that is left out, or
	// fails, counts.
	{name: "context_ends_above_error", rule: "F2", bound: 1, deep: 2, workers: 2, body: func(s *stage, p *pool.Pool) {
		ctx, cancel := context.WithCancel(background)
		var ran [5]prim.Bool
		err := par.ForErr(ctx, len(ran), func(_ context.Context, i int) error {
			ran[i].Store(true)
			switch i {
			case 2:
				return at(2)
			case 4:
				cancel()
			}
			return nil
		}, par.On(p))
		failed := ran[2].Load()
		cancel()
		s.check(err == at(2) || err == context.Canceled, "F2", "element 2 fails, 4 ends the context, and ForErr returns %v", err)
		s.check(err != at(2) || ran[0].Load() && ran[1].Load(), "F2", "element 2 fails, and one below has not run")
		s.check(!failed || err == at(2), "F2", "element 2 has failed, and ForErr returns %v", err)
	}},
	// Reports come one at a time, and the last one is of all.
	{name: "progress", rule: "F1", bound: 1, deep: 2, workers: 2, body: func(s *stage, p *pool.Pool) {
		var reporting prim.Int32
		var last prim.Int32
		par.For(4, func(int) {}, par.On(p), par.WithProgress(func(done, total int) {
			n := reporting.Add(1)
			s.check(n == 1, "WithProgress", "%d report the progress of a loop at the same time", n)
			before := last.Swap(int32(done))
			s.check(total == 4 && int(before) < done && done <= total, "WithProgress", "a loop of 4 elements reports %d of %d, after %d", done, total, before)
			reporting.Add(-1)
		}))
		s.counts(&last, 4, "WithProgress", "the last report of a loop of 4 elements is of %d")
	}},
}

// numbers is a source that hands over numbers from 0 on, and knows how many were yielded.
type numbers struct {
	// breakAt is before which result the consumer breaks, panicAt at which number the
	// source panics; 0 is never.
	breakAt, panicAt     int
	taken, yielded, most int
}

func (src *numbers) upTo(n int) iter.Seq[int] {
	return func(yield func(int) bool) {
		for i := range n {
			if i > 0 && i == src.panicAt {
				panic(at(i))
			}
			src.taken++
			src.most = max(src.most, src.taken-src.yielded)
			if !yield(i) {
				return
			}
		}
	}
}

// streamOf ranges over what MapSeq makes of 0 to n-1.
func (s *stage) streamOf(p *pool.Pool, n int, f func(context.Context, int) (int, error), o ...par.Option) (got streamed) {
	for x, err := range par.MapSeq(background, (&numbers{}).upTo(n), f, append(o, par.On(p))...) {
		if got.err = err; err == nil {
			got.values = append(got.values, x)
		}
	}
	return got
}

// A streamed is what a stream gives.
type streamed struct {
	values []int
	err    error
}

// stream ranges over what MapSeq makes of 0 to n-1, with a window of 2. When the loop is over,
// for whatever reason, no call of f may run.
func (s *stage) stream(p *pool.Pool, src *numbers, n int, f func(int) (int, error), o ...par.Option) (got streamed) {
	var running, over prim.Int32
	defer func() {
		r := running.Load()
		over.Store(1)
		s.check(r == 0, "F4", "the loop over MapSeq is over, and %d calls run", r)
	}()
	for x, err := range par.MapSeq(background, src.upTo(n), func(_ context.Context, i int) (int, error) {
		running.Add(1)
		defer running.Add(-1)
		ended := over.Load()
		s.check(ended == 0, "F4", "the loop over MapSeq is over, and a call begins")
		return f(i)
	}, append(o, par.On(p), par.WithWindow(2))...) {
		s.check(got.err == nil, "F2", "MapSeq has yielded the error %v, and yields %v, %v", got.err, x, err)
		if got.err = err; err != nil {
			continue
		}
		got.values = append(got.values, x)
		if src.yielded++; src.yielded == src.breakAt {
			break
		}
	}
	return got
}
