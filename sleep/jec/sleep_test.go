package jec_test

import (
	"strings"
	"testing"
	"testing/synctest"

	"github.com/rouse-go/rouse/api"
	"github.com/rouse-go/rouse/api/testrule"
	"github.com/rouse-go/rouse/sleep/jec"
)

func TestMain(m *testing.M) { testrule.Main(m) }

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
		t.Fatalf("S12: New: %d workers are refused: %v", workers, err)
	}
	return s
}

func nothing() bool { return false }

// park has a worker look for work in vain, and park when it is tired of that.
func park(s *jec.Sleep, worker int) (awake bool) {
	idle := s.StartLooking(worker)
	for !s.NoWork(&idle) {
	}
	return s.Park(&idle, new(latch), nothing)
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
		{"a nil option", "a nil option: leave it out", 1, []jec.Option{nil}},
		{"no search after the announcement", "Sleepy is 0, must be 1", 1, []jec.Option{jec.WithRounds(api.Rounds{Yield: 3})}},
		{"no function for blockers", "WithBlocker without a function", 1, []jec.Option{jec.WithBlocker(nil)}},
		{"no blocker for one", "WithBlocker returned nil for worker 1", 2, []jec.Option{jec.WithBlocker(allButOne)}},
		{"no jobs bits", "0 bits, must be 1 to 32", 1, []jec.Option{jec.WithJobsBits(0)}},
		{"too many jobs bits", "33 bits, must be 1 to 32", 1, []jec.Option{jec.WithJobsBits(33)}},
		{"negative rounds", "Yield is -1, must be 0", 1, []jec.Option{jec.WithRounds(api.Rounds{Yield: -1, Sleepy: 1})}},
	} {
		if _, err := jec.New(c.workers, c.opts...); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("S12: New: %s: error %v, want one that says %q", c.name, err, c.want)
		}
	}
}

// allButOne has no Blocker for worker 1.
func allButOne(worker int) jec.Blocker {
	if worker == 1 {
		return nil
	}
	return counted{}
}

func TestMisusePanics(t *testing.T) {
	testrule.Bubble(t, func(t *testing.T) {
		s := newSleep(t, 2)
		go park(s, 0)
		synctest.Wait()
		if _, ok := s.Borrow(); !ok {
			t.Fatal("S9: no seat to be had while one sleeps")
		}
		for want, f := range map[string]func(){
			"S12: jec: worker 2, have 2":                      func() { s.Wake(2) },
			"S12: jec: worker -1, have 2":                     func() { s.StartLooking(-1) },
			"S9: jec: a seat was given back that is not lent": func() { s.Return(1, nothing) },
			"S9: jec: a worker parks at a seat that is lent":  func() { park(s, 0) },
		} {
			promise, want, _ := strings.Cut(want, ": ")
			var got any = "none: it blocks"
			go func() {
				defer func() { got = recover() }()
				f()
			}()
			synctest.Wait()
			if got != want {
				t.Errorf("%s: panic %v, want %q", promise, got, want)
			}
		}
		s.Return(0, nothing)
		s.Wake(0)
	})
}

// If this fails, a large pool takes as many wakes one after the other as it has
// workers until all are at work.
func TestFoundWakesTwo(t *testing.T) {
	testrule.Bubble(t, func(t *testing.T) {
		const workers, busy = 16, 4
		s := newSleep(t, workers)
		for worker := busy; worker < workers; worker++ {
			go park(s, worker)
		}
		synctest.Wait()
		idle := s.StartLooking(0)
		s.Found(&idle)
		if n := s.Meter().Wakes; n != 2 {
			t.Errorf("C8: Sleep.Found: one of %d with work has found it, %d sleep: %d were woken, want 2", busy, workers-busy, n)
		}
		for worker := busy; worker < workers; worker++ {
			s.Wake(worker)
		}
	})
}

// searches returns how many searches a worker makes that finds nothing, and the
// number of those before it announces its sleep. It does not park.
func searches(s *jec.Sleep, worker int, lingers bool) (all, before int) {
	idle := s.StartLooking(worker)
	idle.Lingers = lingers
	defer s.Found(&idle)
	const untouched = 1 << 40
	idle.Ticket = untouched
	for all = 1; !s.NoWork(&idle); all++ {
		if idle.Ticket == untouched {
			before = all
		}
	}
	return all, before
}

// If this fails, a worker searches for longer, or shorter, than it was told to.
func TestRoundsAreFollowed(t *testing.T) {
	for _, workers := range []int{1, 3, 70} {
		for _, r := range []api.Rounds{{Sleepy: 1}, {Spin: 2, Yield: 3, Sleepy: 4}, {Yield: 5, Sleepy: 2}, {Linger: 6, Spin: 1, Sleepy: 1}} {
			for name, opts := range map[string][]jec.Option{
				"first": {jec.WithRounds(r), jec.WithJobsBits(8), jec.WithoutGoroutines()},
				"last":  {jec.WithoutGoroutines(), jec.WithJobsBits(8), jec.WithRounds(r)},
			} {
				s, err := jec.New(workers, opts...)
				if err != nil {
					t.Fatalf("S12: New: %+v are refused: %v", r, err)
				}
				for lingers, want := range map[bool]int{false: r.Spin + r.Yield, true: r.Linger + r.Spin + r.Yield} {
					if all, before := searches(s, workers-1, lingers); all != want+1+r.Sleepy || before != want {
						t.Errorf("S12: WithRounds, %s of the options, %d workers: with %+v a worker (lingers: %t) searches %d times before it announces its sleep, and %d times in all, want %d and %d",
							name, workers, r, lingers, before, all, want, want+1+r.Sleepy)
					}
				}
			}
		}
		s, d := newSleep(t, workers), api.DefaultRounds(workers)
		if all, _ := searches(s, 0, false); all != d.Spin+d.Yield+1+d.Sleepy {
			t.Errorf("S12: New: without WithRounds one of %d workers searches %d times, want %d: DefaultRounds is %+v", workers, all, d.Spin+d.Yield+1+d.Sleepy, d)
		}
	}
}

// If this fails, a test that asks for a narrow counter does not see it wrap.
func TestOptionsOfJobsBits(t *testing.T) {
	for _, bits := range []int{1, 2, 8} {
		s, err := jec.New(1, jec.WithJobsBits(bits), jec.WithRounds(api.Rounds{Sleepy: 1}))
		if err != nil {
			t.Fatalf("S12: New: WithJobsBits(%d) is refused: %v", bits, err)
		}
		seen := map[uint64]bool{}
		for range 1 << bits {
			idle := s.StartLooking(0)
			for !s.NoWork(&idle) {
			}
			seen[idle.Ticket] = true
			s.Found(&idle)
			s.Post(1, true)
		}
		if want := 1 << (bits - 1); len(seen) != want {
			t.Errorf("S12: WithJobsBits(%d): %d tickets are given out, want %d: each even number", bits, len(seen), want)
		}
	}
}

// counted is a Blocker that counts, and does not block.
type counted struct{ blocks, releases *int }

func (c counted) Block() bool { *c.blocks++; return true }
func (c counted) Release()    { *c.releases++ }

// If this fails, a sleeper reads what belongs to the borrower of its seat, which looks for
// work with the same Idle: it takes back another sleeper, which is not woken any more.
func TestParkLeavesIdleToBorrower(t *testing.T) {
	var blocks, releases int
	s, err := jec.New(2, jec.WithBlocker(func(int) jec.Blocker { return counted{&blocks, &releases} }))
	if err != nil {
		t.Fatalf("S12: New: it is refused: %v", err)
	}
	park(s, 1)
	idle := s.StartLooking(0)
	for !s.NoWork(&idle) {
	}
	s.Park(&idle, new(latch), func() bool {
		if w, ok := s.Borrow(); !ok || w != 0 {
			t.Errorf("S9: Sleep.Borrow: seat %d, %t, want that of worker 0, which sleeps", w, ok)
		}
		idle.Worker = 1
		return true
	})
	if blocks != 2 || releases != 1 {
		t.Errorf("S9: Sleep.Park: a worker saw work, and its seat was borrowed: %d have blocked, and %d others were woken, want 2 and 1", blocks, releases)
	}
}

// If this fails, which of two options holds depends on their order, or a pool is told
// that its workers have no goroutine when they have one.
func TestOptionsOfBlockers(t *testing.T) {
	var blocks, releases int
	var made []int
	blocker := jec.WithBlocker(func(worker int) jec.Blocker {
		made = append(made, worker)
		return counted{&blocks, &releases}
	})
	atOnce := jec.WithRounds(api.Rounds{Sleepy: 1})
	for name, opts := range map[string][]jec.Option{
		"WithBlocker first": {blocker, jec.WithoutGoroutines(), atOnce},
		"WithBlocker last":  {atOnce, jec.WithoutGoroutines(), blocker},
	} {
		for _, started := range []bool{false, true} {
			blocks, releases, made = 0, 0, nil
			s, err := jec.New(2, opts...)
			if err != nil {
				t.Fatalf("S12: New: %s: it is refused: %v", name, err)
			}
			if len(made) != 2 || made[0] != 0 || made[1] != 1 {
				t.Errorf("S12: WithBlocker: it was asked for those of the workers %v, want 0 and 1", made)
			}
			var starts []int
			if started && !s.StartBy(func(worker int) { starts = append(starts, worker) }) {
				t.Errorf("S12: WithoutGoroutines: %s: StartBy returns false", name)
			}
			awake := park(s, 1)
			if awake == started || (blocks == 1) == started {
				t.Errorf("S12: WithoutGoroutines: %s, StartBy called: %t: Park returns %t, and the Blocker of WithBlocker has blocked %d times", name, started, awake, blocks)
			}
			if s.Wake(1); started && (len(starts) != 1 || starts[0] != 1 || releases > 0) {
				t.Errorf("S12: WithoutGoroutines: %s: a wake of worker 1 has started the workers %v, and released %d", name, starts, releases)
			}
		}
	}
	if newSleep(t, 1).StartBy(func(int) { t.Error("S12: a worker is started without WithoutGoroutines") }) {
		t.Error("S12: without WithoutGoroutines StartBy returns true")
	}
}
