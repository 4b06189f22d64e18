package futex_test

import (
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rouse-go/rouse/api"
	"github.com/rouse-go/rouse/api/prim"
	"github.com/rouse-go/rouse/sleep/futex"
)

// The rules S1 to S9 are checked by the conformance suite. Here are a claim that is
// lost, with each way to block, threads, and options.

// latch is as much of one as a single waiter needs.
type latch struct{ set prim.Bool }

func (l *latch) Probe() bool      { return l.set.Load() }
func (l *latch) GetSleepy() bool  { return !l.set.Load() }
func (l *latch) FallAsleep() bool { return !l.set.Load() }
func (l *latch) WakeUp()          {}
func (l *latch) Set() bool        { l.set.Store(true); return true }

// eachPark runs a test with each way to park.
func eachPark(t *testing.T, f func(t *testing.T, opts ...futex.Option)) {
	atOnce := futex.WithRounds(api.Rounds{Sleepy: 1})
	t.Run("park=thread", func(t *testing.T) { f(t, atOnce, futex.WithThreadPark()) })
	t.Run("park=goroutine", func(t *testing.T) { f(t, atOnce, futex.WithGoroutinePark()) })
}

func newSleep(t *testing.T, workers int, opts ...futex.Option) *futex.Sleep {
	t.Helper()
	s, err := futex.New(workers, opts...)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// until waits for a state that another goroutine brings about.
func until(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for deadline := time.Now().Add(20 * time.Second); !ok(); runtime.Gosched() {
		if time.Now().After(deadline) {
			buf := make([]byte, 1<<20)
			t.Fatalf("waited in vain until %s\n%s", what, buf[:runtime.Stack(buf, true)])
		}
	}
}

// sleeper is a goroutine that is idle as a worker until its latch is set.
type sleeper struct {
	latch latch
	woken chan bool
}

func startSleeper(s *futex.Sleep, worker int, search func(), look func() bool) *sleeper {
	sl := &sleeper{woken: make(chan bool)}
	go func() {
		defer close(sl.woken)
		idle := s.StartLooking(worker)
		for !sl.latch.Probe() {
			search()
			if s.NoWork(&idle) {
				s.Park(&idle, &sl.latch, look)
			}
		}
		s.Found(&idle)
	}()
	return sl
}

func (sl *sleeper) stop(s *futex.Sleep, worker int) {
	sl.latch.Set()
	s.Wake(worker)
	<-sl.woken
}

func asleep(s *futex.Sleep, want int) func() bool {
	return func() bool { _, n := s.Counts(); return n == want }
}

func nothing() bool { return false }

// A sleeper sees work in its last look, but a borrower has claimed its seat
// meanwhile: another sleeper must be woken for that work (R5), and the seat's
// goroutine must stay where it is.
func TestWorkOfLostClaimIsPassedOn(t *testing.T) {
	eachPark(t, func(t *testing.T, opts ...futex.Option) {
		s := newSleep(t, 2, opts...)
		var work atomic.Bool
		other := startSleeper(s, 1, func() { work.Store(false) }, work.Load)
		until(t, "worker 1 sleeps", asleep(s, 1))
		var borrowed, looked atomic.Bool
		loser := startSleeper(s, 0, func() {}, func() bool {
			if looked.Load() {
				return false
			}
			w, ok := s.Borrow()
			borrowed.Store(ok && w == 0)
			work.Store(true)
			looked.Store(true)
			return true
		})
		until(t, "worker 1 has the work", func() bool { return looked.Load() && !work.Load() })
		until(t, "worker 1 sleeps again", asleep(s, 1))
		if !borrowed.Load() {
			t.Fatal("the seat could not be borrowed during the last look")
		}
		select {
		case <-loser.woken:
			t.Fatal("S9: the goroutine of a lent seat has run")
		default:
		}
		s.Return(0, nothing)
		until(t, "both sleep", asleep(s, 2))
		loser.stop(s, 0)
		other.stop(s, 1)
		if inactive, sleeping := s.Counts(); inactive != 0 || sleeping != 0 {
			t.Errorf("C4: in the end %d are inactive and %d sleep", inactive, sleeping)
		}
	})
}

// A borrower sees work in its last look, but its seat is lent again already.
func TestWorkOfReturnedSeatIsPassedOn(t *testing.T) {
	eachPark(t, func(t *testing.T, opts ...futex.Option) {
		s := newSleep(t, 2, opts...)
		a, b := startSleeper(s, 0, func() {}, nothing), startSleeper(s, 1, func() {}, nothing)
		// Parked, not just counted: their words can be claimed.
		until(t, "both are parked", func() bool { return s.Meter().Parks == 2 })
		v, _ := s.Borrow()
		w, ok := s.Borrow()
		if !ok {
			t.Fatal("no two seats to be had while two sleep")
		}
		before := s.Meter().Wakes
		s.Return(w, func() bool {
			if again, ok := s.Borrow(); !ok || again != w {
				t.Errorf("borrowed %d, %v, want %d again", again, ok, w)
			}
			s.Return(v, nothing)
			return true
		})
		if n := s.Meter().Wakes - before; n != 1 {
			t.Errorf("R5: %d sleepers were woken for the work that was seen, want 1", n)
		}
		s.Return(w, nothing)
		a.stop(s, 0)
		b.stop(s, 1)
	})
}

func TestNewRefuses(t *testing.T) {
	for _, c := range []struct {
		name, want string
		workers    int
		opts       []futex.Option
	}{
		{"no workers", "0 workers, must be 1 to 65535", 0, nil},
		{"too many workers", "65536 workers, must be 1 to 65535", 65536, nil},
		{"bad rounds", "Sleepy is 0, must be 1", 1, []futex.Option{futex.WithRounds(api.Rounds{})}},
	} {
		if _, err := futex.New(c.workers, c.opts...); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want one that says %q", c.name, err, c.want)
		}
	}
	for _, opts := range [][]futex.Option{{futex.WithGoroutinePark()}, nil} {
		if _, err := futex.New(9000, opts...); err != nil {
			t.Errorf("9000 workers without threads: %v", err)
		}
	}
	// A sleeper can hold a thread, and a program dies at 10,000.
	if _, err := futex.New(8000, futex.WithThreadPark()); err != nil {
		t.Errorf("8000 workers: %v", err)
	}
	_, err := futex.New(8001, futex.WithThreadPark())
	holdsThreads := runtime.GOOS == "linux" || runtime.GOOS == "windows"
	if refused := err != nil && strings.Contains(err.Error(), "must be 1 to 8000"); refused != holdsThreads {
		t.Errorf("8001 workers that may hold threads: %v", err)
	}
}
