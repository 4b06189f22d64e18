package jec_test

import (
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/rouse-go/rouse/api"
	"github.com/rouse-go/rouse/sleep/jec"
)

// The rules S1 to S10 are checked by the conformance suite.

// latch is one that is never set.
type latch struct{}

func (*latch) Probe() bool      { return false }
func (*latch) GetSleepy() bool  { return true }
func (*latch) FallAsleep() bool { return true }
func (*latch) WakeUp()          {}
func (*latch) Set() bool        { return false }

func newSleep(t *testing.T, workers int) *jec.Sleep {
	t.Helper()
	s, err := jec.New(workers)
	if err != nil {
		t.Fatalf("New: %d workers are refused: %v", workers, err)
	}
	return s
}

// patience is how long the tests wait for what does not come. Only a failure takes
// that long.
const patience = 20 * time.Second

// untilParked waits until so many have gone to sleep.
func untilParked(t *testing.T, s *jec.Sleep, n uint64) {
	t.Helper()
	for deadline := time.Now().Add(patience); s.Meter().Parks < n; runtime.Gosched() {
		if time.Now().After(deadline) {
			t.Fatalf("Sleep.Park: %d workers sleep that found no work, want %d", s.Meter().Parks, n)
		}
	}
}

// park has worker 0 look for work, and park when it is tired of that.
func park(s *jec.Sleep, l *latch) { parkAs(s, 0, l) }

func parkAs(s *jec.Sleep, worker int, l *latch) {
	idle := s.StartLooking(worker)
	for !s.NoWork(&idle) {
		continue
	}
	s.Park(&idle, l, func() bool { return false })
}

// If New lets one of these pass, the pool dies when a worker first sleeps.
func TestNewRefuses(t *testing.T) {
	for _, c := range []struct {
		name, want string
		workers    int
		opts       []jec.Option
	}{
		{"no workers", "0 workers, must be 1 to 65535", 0, nil},
		{"too many workers", "65536 workers, must be 1 to 65535", 65536, nil},
		{"no search after the announcement", "Sleepy is 0, must be 1", 1, []jec.Option{jec.WithRounds(api.Rounds{Yield: 3})}},
		{"no function for blockers", "WithBlocker without a function", 1, []jec.Option{jec.WithBlocker(nil)}},
		{"no blocker for one", "WithBlocker returned nil for worker 1", 2, []jec.Option{jec.WithBlocker(allButOne)}},
		{"negative rounds", "Yield is -1, must be 0", 1, []jec.Option{jec.WithRounds(api.Rounds{Yield: -1, Sleepy: 1})}},
	} {
		if _, err := jec.New(c.workers, c.opts...); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("New: %s: error %v, want one that says %q", c.name, err, c.want)
		}
	}
}

// allButOne has no Blocker for worker 1.
func allButOne(worker int) jec.Blocker {
	if worker == 1 {
		return nil
	}
	return semaphore(make(chan bool, 1))
}

type semaphore chan bool

func (s semaphore) Block() bool { return <-s }
func (s semaphore) Release()    { s <- true }

func TestMisusePanics(t *testing.T) {
	s := newSleep(t, 2)
	go park(s, new(latch)) // for good
	untilParked(t, s, 1)
	if _, ok := s.Borrow(); !ok {
		t.Fatal("S9: no seat to be had while one sleeps")
	}
	for want, f := range map[string]func(){
		"Sleep.Wake: jec: worker 2, have 2":               func() { s.Wake(2) },
		"Sleep.StartLooking: jec: worker -1, have 2":      func() { s.StartLooking(-1) },
		"S9: jec: a seat was given back that is not lent": func() { s.Return(1, func() bool { return false }) },
		"S9: jec: a worker parks at a seat that is lent":  func() { park(s, new(latch)) },
	} {
		promise, want, _ := strings.Cut(want, ": ")
		panicked := make(chan any, 1)
		go func() {
			defer func() { panicked <- recover() }()
			f()
		}()
		select {
		case got := <-panicked:
			if got != want {
				t.Errorf("%s: panic %v, want %q", promise, got, want)
			}
		case <-time.After(patience):
			t.Errorf("%s: it blocks, want the panic %q", promise, want)
		}
	}
}

// If this fails, a large pool takes as many wakes one after the other as it has
// workers until all are at work.
func TestFoundWakesTwo(t *testing.T) {
	const workers, busy = 16, 4
	s := newSleep(t, workers)
	for worker := busy; worker < workers; worker++ {
		go parkAs(s, worker, new(latch))
	}
	untilParked(t, s, workers-busy)
	idle := s.StartLooking(0)
	s.Found(&idle)
	if n := s.Meter().Wakes; n != 2 {
		t.Errorf("Sleep.Found: one of %d with work has found it, %d sleep: %d were woken, want 2", busy, workers-busy, n)
	}
	for worker := busy; worker < workers; worker++ {
		s.Wake(worker)
	}
}
