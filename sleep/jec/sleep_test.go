package jec_test

import (
	"runtime"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/api"
	"github.com/rouse-go/rouse/sleep/jec"
)

// The rules S1 to S9 are checked by the conformance suite.

// latch is one that is never set.
type latch struct{}

func (*latch) Probe() bool      { return false }
func (*latch) GetSleepy() bool  { return true }
func (*latch) FallAsleep() bool { return true }
func (*latch) WakeUp()          {}
func (*latch) Set() bool        { return false }

// park has worker 0 look for work, and park when it is tired of that.
func park(s *jec.Sleep, l *latch) {
	idle := s.StartLooking(0)
	for !s.NoWork(&idle) {
		continue
	}
	s.Park(&idle, l, func() bool { return false })
}

func TestNewRefuses(t *testing.T) {
	for _, c := range []struct {
		name, want string
		workers    int
		opts       []jec.Option
	}{
		{"no workers", "0 workers, must be 1 to 65535", 0, nil},
		{"too many workers", "65536 workers, must be 1 to 65535", 65536, nil},
		{"no search after the announcement", "Sleepy is 0, must be 1", 1, []jec.Option{jec.WithRounds(api.Rounds{Yield: 3})}},
		{"negative rounds", "Yield is -1, must be 0", 1, []jec.Option{jec.WithRounds(api.Rounds{Yield: -1, Sleepy: 1})}},
	} {
		if _, err := jec.New(c.workers, c.opts...); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want one that says %q", c.name, err, c.want)
		}
	}
}

func TestMisusePanics(t *testing.T) {
	s, err := jec.New(2)
	if err != nil {
		t.Fatal(err)
	}
	for want, f := range map[string]func(){
		"jec: worker 2, have 2":                       func() { s.Wake(2) },
		"jec: worker -1, have 2":                      func() { s.StartLooking(-1) },
		"jec: a seat was given back that is not lent": func() { s.Return(1, func() bool { return false }) },
		"jec: a worker parks at a seat that is lent": func() {
			go park(s, new(latch)) // for good
			for parked := uint64(0); parked == 0; parked = s.Meter().Parks {
				runtime.Gosched()
			}
			if _, ok := s.Borrow(); !ok {
				t.Fatal("no seat to be had while one sleeps")
			}
			park(s, new(latch))
		},
	} {
		func() {
			defer func() {
				if got := recover(); got != want {
					t.Errorf("panic %v, want %q", got, want)
				}
			}()
			f()
		}()
	}
}
