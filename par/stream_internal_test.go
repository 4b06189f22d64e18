package par

import (
	"context"
	"math"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rouse-go/rouse/api/testrule"
	"github.com/rouse-go/rouse/pool"
)

// A helper that leaves and finds that there is something after all counts as before. If it
// does not, the feeder takes the others for fewer than they are, and does alone what they
// could.
func TestHelperStays(t *testing.T) {
	s := limited(t, 0, 0, nil)
	s.share(time.Millisecond)
	h := &helper[int, int]{stream: s}
	check := func(when string, stays bool, want int32) {
		t.Helper()
		s.engaged.Add(1)
		h.join()
		h.leave()
		if e, a := s.engaged.Load(), s.active.Load(); e != 0 || a != 0 {
			t.Errorf("F7: a helper has left, and %d count as engaged, %d as active", e, a)
		}
		got := s.unbegun() && h.stay()
		if got != stays {
			t.Errorf("F7: %s, and the helper stays: %t", when, got)
		}
		if e, a := s.engaged.Load(), s.active.Load(); e != want || a != want {
			t.Errorf("F7: %s, and of one helper %d count as engaged, %d as active", when, e, a)
		}
	}
	s.put(0)
	c := (*s.cells.Load()).at(0)
	c.state.Store(cellDone)
	check("nothing is left", false, 0)
	c.state.Store(cellReady)
	check("an element is left", true, 1)
	h.leave()
	s.failed.Store(-1)
	check("the stream has ended", false, 0)
	s.failed.Store(math.MaxInt64)
	s.active.Store(closed)
	if h.stay() || s.active.Load() != closed {
		t.Errorf("F4: a helper stays when the stream is closed, and %d count as active", s.active.Load()-closed)
	}
}

// limited returns a stream with a limit, if that is not 0, that has n elements, which nobody has
// begun.
func limited(t *testing.T, limit, n int, f func(context.Context, int) (int, error)) *stream[int, int] {
	p, err := pool.New(pool.WithWorkers(1))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Close() })
	s := &stream[int, int]{config: config{pool: p, limit: limit, ctx: context.Background()}, f: f}
	s.start()
	s.begin()
	for i := range n {
		s.put(i)
	}
	return s
}

// An element that may have been begun before a lower one has failed is looked at again, when its
// context is where whoever fails finds it.
func TestNothingBeginsAboveFailure(t *testing.T) {
	testrule.Bubble(t, func(t *testing.T) {
		s := limited(t, 1, 3, func(_ context.Context, i int) (int, error) {
			t.Errorf("F2: element 1 has failed, and element %d begins", i)
			return i, nil
		})
		s.failed.Store(1)
		c := (*s.cells.Load()).at(2)
		c.state.Store(cellOwned)
		s.do(s.contextOf(c), c)
		s.end()
	})
}

// Two that ask for a helper at the same time get no more than the limit allows.
func TestLimitOfHelpers(t *testing.T) {
	const limit = 2
	s := limited(t, limit, 0, nil)
	var all sync.WaitGroup
	var refused atomic.Int32 // none is while only two of them run
	for range 4 {
		all.Go(func() {
			for refused.Load() < 1000 && !t.Failed() {
				if !s.enlist() {
					refused.Add(1)
					continue
				}
				runtime.Gosched()
				if n := s.engaged.Load(); n > limit {
					t.Errorf("F7: a stream with a limit of %d has %d helpers", limit, n)
				}
				s.engaged.Add(-1)
			}
		})
	}
	all.Wait()
}

// If this fails, a stream with a limit so large takes no element ahead, however short the elements
// are, and whatever has been begun.
func TestWindowOfHugeLimit(t *testing.T) {
	for _, limit := range []int{1 << 30, math.MaxInt32, math.MaxInt / 256, math.MaxInt/255 + 1, math.MaxInt} {
		s := limited(t, limit, 0, nil)
		for _, cost := range []int64{0, 1} {
			if s.cost.Store(cost); !s.room(1000) || !s.stretches(0) {
				t.Errorf("F7: a stream with a limit of %d has no room for 1,000 elements of %d ns", limit, cost)
			}
		}
	}
}

// A goroutine that is ended by its element looks at no other one. Another one does what is below.
func TestExitLeavesNothingBelow(t *testing.T) {
	testrule.Bubble(t, func(t *testing.T) {
		s := limited(t, 1, 3, func(_ context.Context, i int) (int, error) {
			if i == 2 {
				runtime.Goexit()
			}
			return i, nil
		})
		s.next.Store(2) // as if others had passed over what is below
		s.engage()
		s.helpers.Wait()
		for i, want := range []int32{cellDone, cellDone, cellExited} {
			if got := (*s.cells.Load()).at(int64(i)).state.Load(); got != want {
				t.Errorf("F2: element 2 calls Goexit, and element %d is in state %d, want %d", i, got, want)
			}
		}
		s.end()
	})
}

// The end of a stream waits for goroutines that have not begun.
func TestEndWaitsForGoroutines(t *testing.T) {
	testrule.Bubble(t, func(t *testing.T) {
		s := limited(t, 1, 1, nil)
		s.helpers.Add(1) // one that has not begun
		ended := false
		go func() {
			s.end()
			ended = true
		}()
		synctest.Wait()
		if ended {
			t.Error("F4: a goroutine of a stream has not begun, and the stream is over")
		}
		s.helpers.Done()
		synctest.Wait()
		if !ended {
			t.Error("F4: no goroutine of a stream is left, and the stream does not end")
		}
	})
}
