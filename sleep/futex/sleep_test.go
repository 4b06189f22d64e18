package futex_test

import (
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rouse-go/rouse/api"
	"github.com/rouse-go/rouse/api/prim"
	"github.com/rouse-go/rouse/api/testrule"
	"github.com/rouse-go/rouse/sleep/futex"
)

func TestMain(m *testing.M) { testrule.Main(m) }

// The rules S1 to S10 are checked by the conformance suite, with each way to block. Here are
// threads and options.

// latch is as much of one as a single waiter needs.
type latch struct{ set prim.Bool }

func (l *latch) Probe() bool      { return l.set.Load() }
func (l *latch) GetSleepy() bool  { return !l.set.Load() }
func (l *latch) FallAsleep() bool { return !l.set.Load() }
func (l *latch) WakeUp()          {}
func (l *latch) Set() bool        { l.set.Store(true); return true }

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

// rest has the workers from the first to the last fall asleep, one after the other. The
// function that it returns ends them.
func rest(t *testing.T, s *futex.Sleep, first, last int) (stop func()) {
	t.Helper()
	var end latch
	var running sync.WaitGroup
	parked := s.Meter().Parks
	for worker := first; worker <= last; worker++ {
		running.Go(func() {
			defer testrule.Name()
			idle := s.StartLooking(worker)
			for !end.Probe() {
				if s.NoWork(&idle) {
					s.Park(&idle, &end, func() bool { return false })
				}
			}
			s.Found(&idle)
		})
		parked++
		until(t, "S7", "the worker sleeps", func() bool { return s.Meter().Parks == parked })
	}
	return func() {
		end.Set()
		for worker := first; worker <= last; worker++ {
			s.Wake(worker)
		}
		if t.Failed() {
			return
		}
		ended := make(chan struct{})
		go func() {
			running.Wait()
			close(ended)
		}()
		until(t, "S3", "the workers end that were woken, and whose latch is set", func() bool {
			select {
			case <-ended:
				return true
			default:
				return false
			}
		})
	}
}

// holdsThreads says that sleepers can wait in the kernel here. Each that does makes a system
// call for that.
var holdsThreads = runtime.GOOS == "linux" || runtime.GOOS == "windows"

// inKernel returns how many of n can.
func inKernel(n uint64) uint64 {
	if holdsThreads {
		return n
	}
	return 0
}

// If this fails, a pool at rest keeps all processors from other goroutines until the
// Go runtime notices; or more workers than four wait for the runtime to start them.
func TestFourWorkersHoldNoThread(t *testing.T) {
	const workers = 80
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(workers))
	s := newSleep(t, workers, futex.WithRounds(api.Rounds{Sleepy: 1}))
	defer rest(t, s, 0, workers-1)()
	want := inKernel(workers - 4)
	until(t, "S12", fmt.Sprintf("%d of %d workers park in the kernel", want, workers), func() bool { return s.Meter().Syscalls == want })
}

// If this fails, a program with many pools holds a thread for each of their workers, and
// dies when there are 10,000; or sleepers that were woken still count.
func TestThreadsOfAllPools(t *testing.T) {
	const processors, pools = 4, 3
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(processors))
	want := inKernel(processors)
	for range 2 {
		calls := uint64(0)
		var stops []func()
		for range pools {
			s := newSleep(t, processors, futex.WithRounds(api.Rounds{Sleepy: 1}))
			before := calls
			stops = append(stops, rest(t, s, 0, processors-1))
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
	limited := futex.WithThreadLimit(2)
	want := inKernel(2)
	for range 2 { // each has its own two
		s := newSleep(t, 5, limited, futex.WithRounds(api.Rounds{Sleepy: 1}))
		defer rest(t, s, 0, 4)()
		until(t, "S12", fmt.Sprintf("%d of 5 workers wait in the kernel", want), func() bool { return s.Meter().Syscalls == want })
	}
}

// If this fails, WithThreadPark is no promise: where there are more workers than
// GOMAXPROCS the caller gets what the default is there.
func TestThreadParkBeyondProcessors(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	s := newSleep(t, 2, futex.WithThreadPark())
	rest(t, s, 1, 1)()
	if n := s.Meter().Syscalls; (n > 0) != holdsThreads {
		t.Errorf("S12: WithThreadPark: one of two workers on one processor was woken, and %d system calls were made; workers park in the kernel: %t", n, holdsThreads)
	}
	s = newSleep(t, 2)
	rest(t, s, 1, 1)()
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
		{"a nil option", "a nil option: leave it out", 1, []futex.Option{nil}},
		{"bad rounds", "Sleepy is 0, must be 1", 1, []futex.Option{futex.WithRounds(api.Rounds{})}},
		{"no jobs bits", "0 bits, must be 1 to 32", 1, []futex.Option{futex.WithJobsBits(0)}},
		{"too many jobs bits", "33 bits, must be 1 to 32", 1, []futex.Option{futex.WithJobsBits(33)}},
		{"a negative limit", "WithThreadLimit(-1)", 2, []futex.Option{futex.WithThreadLimit(-1)}},
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
			rest(t, s, 0, 0)()
			if n := s.Meter().Syscalls; n > 0 {
				t.Errorf("S12: WithGoroutinePark: %s, behind WithThreadPark: one of %d workers made %d system calls to sleep", name, workers, n)
			}
		}
	}
}
