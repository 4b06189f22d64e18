package par

import (
	"context"
	"runtime"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rouse-go/rouse/api/testrule"
	"github.com/rouse-go/rouse/pool"
)

// A helper that leaves is counted out, unless there is an element left, which nobody else may come to.
func TestHelperStays(t *testing.T) {
	s := limited(t, 0, 0, nil)
	h := &helper[int, int]{stream: s}
	check := func(when string, leaves bool, want int32) {
		t.Helper()
		s.engaged.Store(1)
		s.active.Store(0)
		h.joins()
		if got := h.leaves(false); got != leaves {
			t.Errorf("F7: %s, and the helper leaves: %t", when, got)
		}
		if e, a := s.engaged.Load(), s.active.Load(); e != want || a != want {
			t.Errorf("F7: %s, and of one helper %d count as engaged, %d as active", when, e, a)
		}
	}
	c := s.put(0)
	c.state.Store(cellDone)
	check("nothing is left", true, 0)
	c.state.Store(cellReady)
	check("an element is left", false, 1)
	s.failed.Store(-1)
	check("the stream has ended", true, 0)
	s.dismiss()
	if h.joins() || s.active.Load() != 0 {
		t.Errorf("F4: a helper begins when the stream is over, and %d count as active", s.active.Load())
	}
}

// The feeder leaves a long element at the head to a helper that is at work, and does a short one.
func TestFeederLeavesLongOnes(t *testing.T) {
	s := limited(t, 0, 1, nil)
	s.engaged.Store(1)
	s.active.Store(1)
	for _, cost := range []time.Duration{shareTime / 2, 50 * shareTime} {
		if s.cost.Store(int64(cost)); s.mine(false, false) != (cost < shareTime) {
			t.Errorf("F7: there is no room, a helper is at work, and the feeder does an element of %v: %t", cost, cost >= shareTime)
		}
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

// One that is ended by its element looks at no other one. With a limit another goroutine does what is
// below, and else the feeder does.
func TestExitLeavesNothingBelow(t *testing.T) {
	for limit := range 2 {
		testrule.Bubble(t, func(t *testing.T) {
			s := limited(t, limit, 3, func(_ context.Context, i int) (int, error) {
				if time.Sleep(time.Millisecond); i == 2 {
					runtime.Goexit()
				}
				return i, nil
			})
			s.next.Store(2) // as if others had passed over what is below
			s.set = 3       // there is no room
			s.ask(true)
			synctest.Wait() // until the element has begun
			done := make(chan struct{})
			go func() {
				defer close(done)
				s.yield = func(int, error) bool { return true }
				s.settle(false)
			}()
			<-done
			s.end()
			for i, want := range []int32{cellDone, cellDone, cellExited} {
				if got := (*s.cells.Load()).at(int64(i)).state.Load(); got != want {
					t.Errorf("F2: element 2 calls Goexit, and element %d is in state %d, want %d", i, got, want)
				}
			}
		})
	}
}

// The end of a stream waits for goroutines that have not begun.
func TestEndWaitsForGoroutines(t *testing.T) {
	testrule.Bubble(t, func(t *testing.T) {
		s := limited(t, 1, 1, nil)
		s.running.Add(1) // one that has not begun
		ended := false
		go func() {
			s.end()
			ended = true
		}()
		synctest.Wait()
		if ended {
			t.Error("F4: a goroutine of a stream has not begun, and the stream is over")
		}
		s.running.Done()
		synctest.Wait()
		if !ended {
			t.Error("F4: no goroutine of a stream is left, and the stream does not end")
		}
	})
}
