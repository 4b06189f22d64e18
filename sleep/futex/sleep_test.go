package futex_test

import (
	"fmt"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rouse-go/rouse/api"
	"github.com/rouse-go/rouse/api/prim"
	"github.com/rouse-go/rouse/sleep/futex"
)

// The rules S1 to S10 are checked by the conformance suite. Here are a claim that is
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
		t.Fatalf("S12: New: %d workers are refused: %v", workers, err)
	}
	return s
}

// patience is how many beats the tests wait for what does not come. In each they sleep for a
// millisecond: that they return shows that the process gets processors, which no clock shows.
const patience = 20_000

// within returns what comes from a channel, or false if nothing does.
func within[T any](from <-chan T) (got T, ok bool) {
	for range patience {
		select {
		case got = <-from:
			return got, true
		case <-time.After(time.Millisecond):
		}
	}
	return got, false
}

// until waits for a state that another goroutine brings about. If it does not come,
// what is promised is broken.
func until(t *testing.T, promise, what string, ok func() bool) {
	t.Helper()
	for i := 0; !ok(); i++ {
		if i == 1000+patience {
			buf := make([]byte, 1<<20)
			t.Fatalf("%s: waited in vain until %s\n%s", promise, what, buf[:runtime.Stack(buf, true)])
		}
		if i < 1000 {
			runtime.Gosched()
		} else { // a wait in vain leaves the processor to others
			time.Sleep(time.Millisecond)
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

func (sl *sleeper) stop(t *testing.T, s *futex.Sleep, worker int) {
	t.Helper()
	sl.latch.Set()
	s.Wake(worker)
	if t.Failed() {
		return
	}
	if _, ok := within(sl.woken); !ok {
		t.Errorf("S3: the latch of worker %d is set, and it was woken, but does not return", worker)
	}
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
		until(t, "S7", "worker 1 sleeps", asleep(s, 1))
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
		until(t, "S1", "worker 1 has the work", func() bool { return looked.Load() && !work.Load() })
		until(t, "S7", "worker 1 sleeps again", asleep(s, 1))
		if !borrowed.Load() {
			t.Fatal("S9: the seat could not be borrowed during the last look")
		}
		select {
		case <-loser.woken:
			t.Fatal("S9: the goroutine of a lent seat has run")
		default:
		}
		s.Return(0, nothing)
		until(t, "S9", "both sleep", asleep(s, 2))
		loser.stop(t, s, 0)
		other.stop(t, s, 1)
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
		until(t, "S7", "both are parked", func() bool { return s.Meter().Parks == 2 })
		v, _ := s.Borrow()
		w, ok := s.Borrow()
		if !ok {
			t.Fatal("S9: no two seats to be had while two sleep")
		}
		before := s.Meter().Wakes
		s.Return(w, func() bool {
			if again, ok := s.Borrow(); !ok || again != w {
				t.Errorf("S9: borrowed %d, %v, want %d again", again, ok, w)
			}
			s.Return(v, nothing)
			return true
		})
		if n := s.Meter().Wakes - before; n != 1 {
			t.Errorf("S9: %d sleepers were woken for the work that was seen (R5), want 1", n)
		}
		s.Return(w, nothing)
		a.stop(t, s, 0)
		b.stop(t, s, 1)
	})
}

// If this fails, a pool at rest keeps all processors from other goroutines until the
// Go runtime notices; or more workers than four wait for the runtime to start them.
func TestFourWorkersHoldNoThread(t *testing.T) {
	const workers = 80
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(workers))
	s := newSleep(t, workers, futex.WithRounds(api.Rounds{Sleepy: 1}))
	for worker := range workers {
		l := startSleeper(s, worker, func() {}, nothing)
		until(t, "S7", "the worker sleeps", func() bool { return s.Meter().Parks == uint64(worker+1) })
		defer l.stop(t, s, worker)
	}
	// Each that parks in the kernel makes a system call for that.
	want := uint64(workers - 4)
	if runtime.GOOS != "linux" && runtime.GOOS != "windows" {
		want = 0
	}
	until(t, "S12", fmt.Sprintf("%d of %d workers park in the kernel", want, workers), func() bool { return s.Meter().Syscalls == want })
}

// If this fails, a program with many pools holds a thread for each of their workers, and
// dies when there are 10,000; or sleepers that were woken still count.
func TestThreadsOfAllPools(t *testing.T) {
	const processors, pools = 4, 3
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(processors))
	want := uint64(processors)
	if runtime.GOOS != "linux" && runtime.GOOS != "windows" {
		want = 0
	}
	for range 2 {
		calls := uint64(0)
		var stops []func()
		for range pools {
			s := newSleep(t, processors, futex.WithRounds(api.Rounds{Sleepy: 1}))
			before := calls
			for worker := range processors {
				l := startSleeper(s, worker, func() {}, nothing)
				until(t, "S7", "the worker sleeps", func() bool { return s.Meter().Parks == uint64(worker+1) })
				stops = append(stops, func() { l.stop(t, s, worker) })
			}
			// Each that waits in the kernel makes a system call for that.
			until(t, "S12", fmt.Sprintf("%d workers of all pools wait in the kernel", want), func() bool {
				calls = before + s.Meter().Syscalls
				return calls >= want
			})
			if calls > want {
				t.Errorf("S12: %d workers of all pools wait in the kernel, with %d processors, want %d", calls, processors, want)
			}
		}
		for _, stop := range stops {
			stop()
		}
	}
}

// If this fails, a pool holds more threads than it was told, or fewer, because others do.
func TestThreadLimit(t *testing.T) {
	if _, err := futex.New(2, futex.WithThreadLimit(-1)); err == nil || !strings.Contains(err.Error(), "WithThreadLimit(-1)") {
		t.Errorf("S12: WithThreadLimit(-1) gives the error %v, want one that names it", err)
	}
	limited := futex.WithThreadLimit(2)
	want := uint64(2)
	if runtime.GOOS != "linux" && runtime.GOOS != "windows" {
		want = 0
	}
	for range 2 { // each has its own two
		s := newSleep(t, 5, limited, futex.WithRounds(api.Rounds{Sleepy: 1}))
		for worker := range 5 {
			l := startSleeper(s, worker, func() {}, nothing)
			until(t, "S7", "the worker sleeps", func() bool { return s.Meter().Parks == uint64(worker+1) })
			defer l.stop(t, s, worker)
		}
		until(t, "S12", fmt.Sprintf("%d of 5 workers wait in the kernel", want), func() bool { return s.Meter().Syscalls == want })
	}
}

// If this fails, WithThreadPark is no promise: where there are more workers than
// GOMAXPROCS the caller gets what the default is there.
func TestThreadParkBeyondProcessors(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	s := newSleep(t, 2, futex.WithThreadPark())
	l := startSleeper(s, 1, func() {}, nothing)
	until(t, "S7", "the worker sleeps", func() bool { return s.Meter().Parks == 1 })
	l.stop(t, s, 1)
	holdsThreads := runtime.GOOS == "linux" || runtime.GOOS == "windows"
	if n := s.Meter().Syscalls; (n > 0) != holdsThreads {
		t.Errorf("S12: WithThreadPark: one of two workers on one processor was woken, and %d system calls were made; workers park in the kernel: %t", n, holdsThreads)
	}
	s = newSleep(t, 2)
	l = startSleeper(s, 1, func() {}, nothing)
	until(t, "S7", "the worker sleeps", func() bool { return s.Meter().Parks == 1 })
	l.stop(t, s, 1)
	if n := s.Meter().Syscalls; n > 0 {
		t.Errorf("S12: New: without WithThreadPark one of two workers on one processor was woken by %d system calls", n)
	}
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
		{"no jobs bits", "0 bits, must be 1 to 32", 1, []futex.Option{futex.WithJobsBits(0)}},
		{"too many jobs bits", "33 bits, must be 1 to 32", 1, []futex.Option{futex.WithJobsBits(33)}},
	} {
		if _, err := futex.New(c.workers, c.opts...); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("S12: New: %s: error %v, want one that says %q", c.name, err, c.want)
		}
	}
	for _, opts := range [][]futex.Option{{futex.WithGoroutinePark()}, nil} {
		if _, err := futex.New(9000, opts...); err != nil {
			t.Errorf("S12: New: 9000 workers without threads: %v", err)
		}
	}
	// A sleeper can hold a thread, and a program dies at 10,000.
	if _, err := futex.New(8000, futex.WithThreadPark()); err != nil {
		t.Errorf("S12: New: 8000 workers: %v", err)
	}
	_, err := futex.New(8001, futex.WithThreadPark())
	holdsThreads := runtime.GOOS == "linux" || runtime.GOOS == "windows"
	if refused := err != nil && strings.Contains(err.Error(), "must be 1 to 8000"); refused != holdsThreads {
		t.Errorf("S12: New: 8001 workers that may hold threads: %v", err)
	}
}

// If this fails, an option is lost beside another one.
func TestOptionsInAnyOrder(t *testing.T) {
	r := api.Rounds{Spin: 1, Yield: 2, Sleepy: 3}
	for name, opts := range map[string][]futex.Option{
		"rounds first": {futex.WithRounds(r), futex.WithJobsBits(2), futex.WithThreadPark(), futex.WithGoroutinePark()},
		"rounds last":  {futex.WithThreadPark(), futex.WithGoroutinePark(), futex.WithJobsBits(2), futex.WithRounds(r)},
	} {
		for _, workers := range []int{1, 70} {
			s := newSleep(t, workers, opts...)
			tickets, searches := map[uint64]bool{}, 0
			for range 8 {
				idle := s.StartLooking(0)
				for searches = 1; !s.NoWork(&idle); searches++ {
				}
				tickets[idle.Ticket] = true
				s.Found(&idle)
				s.Post(1, true)
			}
			if want := r.Spin + r.Yield + 1 + r.Sleepy; searches != want {
				t.Errorf("S12: WithRounds: %s: one of %d workers searches %d times with %+v, want %d", name, workers, searches, r, want)
			}
			if len(tickets) != 2 {
				t.Errorf("S12: WithJobsBits: %s: a counter of 2 bits gives out %d tickets, want 2", name, len(tickets))
			}
			l := startSleeper(s, 0, func() {}, nothing)
			until(t, "S7", "the worker sleeps", func() bool { return s.Meter().Parks == 1 })
			l.stop(t, s, 0)
			if n := s.Meter().Syscalls; n > 0 {
				t.Errorf("S12: WithGoroutinePark: %s, behind WithThreadPark: one of %d workers made %d system calls to sleep", name, workers, n)
			}
		}
	}
}
