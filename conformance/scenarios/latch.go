package scenarios

import (
	"testing"

	"github.com/rouse-go/rouse/api"
	"github.com/rouse-go/rouse/api/prim"
	"github.com/rouse-go/rouse/explore"
)

// TestLatch explores the scenarios of [Latch].
func TestLatch(t *testing.T, newLatch func() api.Latch, renew func(api.Latch), sets int) {
	Run(t, Latch(newLatch, renew, sets))
}

// Latch returns scenarios for the rules of [api.Latch]. renew makes a latch
// anew in the same memory, as its owner may once it is set; nil leaves that out.
// sets is the number of calls of Set that it takes, one unless the latch counts.
func Latch(newLatch func() api.Latch, renew func(api.Latch), sets int) []Scenario {
	s := latchScenario{newLatch, renew, sets}
	all := []Scenario{
		{Name: "set_at_every_point", Rule: "L1", Bound: Complete, Body: s.setAtEveryPoint},
		{Name: "set_while_waking_up", Rule: "L2", Bound: Complete, Body: s.setWhileWakingUp},
	}
	if renew != nil {
		all = append(all, Scenario{Name: "reuse_after_set", Rule: "L3", Bound: Complete, Body: s.reuseAfterSet})
	}
	return all
}

type latchScenario struct {
	make  func() api.Latch
	renew func(api.Latch)
	sets  int
}

// A sleeper is a place to block, with a permit that says what a wake is worth.
type sleeper struct {
	parker *prim.Parker
	wakes  prim.Int32
}

func newSleeper() *sleeper { return &sleeper{parker: prim.NewParker()} }

// startSetters starts as many threads as it takes to set the latch. The one
// that is told to wakes the sleeper.
func (s latchScenario) startSetters(x *explore.Exec, l api.Latch, to *sleeper) {
	for range s.sets {
		x.Go("setter", func() {
			if l.Set() {
				to.wakes.Add(1)
				to.parker.Unpark()
			}
		})
	}
}

// setAtEveryPoint has a waiter fall asleep for good as the latch is set: either
// it does not, or it is woken, once.
func (s latchScenario) setAtEveryPoint(x *explore.Exec) {
	l, me := s.make(), newSleeper()
	s.startSetters(x, l, me)
	slept := l.GetSleepy() && l.FallAsleep()
	if slept {
		me.parker.Park()
		l.WakeUp()
	}
	if !l.Probe() {
		x.Errorf("L2: awake, with slept=%t, and the latch is not set", slept)
	}
	if l.GetSleepy() {
		x.Errorf("L2: GetSleepy after the latch was set is true")
	}
	x.Wait()
	want := int32(0)
	if slept {
		want = 1
	}
	if n := me.wakes.Load(); n != want {
		x.Errorf("L1: %d calls of Set returned true, want %d", n, want)
	}
}

// setWhileWakingUp has the waiter fall asleep, and get up again for another
// reason, as the latch is set.
func (s latchScenario) setWhileWakingUp(x *explore.Exec) {
	l, me := s.make(), newSleeper()
	s.startSetters(x, l, me)
	slept := false
	if l.GetSleepy() {
		slept = l.FallAsleep()
		l.WakeUp()
	}
	again := l.GetSleepy() && l.FallAsleep()
	if again {
		me.parker.Park()
		l.WakeUp()
	}
	x.Wait()
	if !l.Probe() {
		x.Errorf("L2: the latch is not set in the end")
	}
	switch n := me.wakes.Load(); {
	case again && n != 1:
		x.Errorf("L1: %d calls of Set returned true while the waiter slept, want 1", n)
	case !slept && n != 0:
		x.Errorf("L1: %d calls of Set returned true, and the waiter never slept", n)
	case n > 1:
		x.Errorf("L1: %d calls of Set returned true", n)
	}
}

// reuseAfterSet makes the latch anew as soon as it is set, as a fork does that
// reuses a frame, and waits on it again.
func (s latchScenario) reuseAfterSet(x *explore.Exec) {
	l := s.make()
	sleepers := []*sleeper{newSleeper(), newSleeper()}
	slept := make([]int32, len(sleepers))
	for i, me := range sleepers {
		s.startSetters(x, l, me)
		if l.GetSleepy() && l.FallAsleep() {
			slept[i] = 1
			// Something else may rouse the waiter at any time: it looks at the latch.
			x.Go("other", me.parker.Unpark)
			for !l.Probe() {
				me.parker.Park()
			}
		} else if !l.Probe() {
			x.Fatalf("L2: falling asleep failed, and the latch is not set")
		}
		s.renew(l)
		if l.Probe() {
			x.Errorf("L3: the latch made anew is set")
		}
	}
	x.Wait()
	for i, me := range sleepers {
		if n := me.wakes.Load(); n != slept[i] {
			x.Errorf("L3: %d calls of Set returned true, want %d, with the latch made anew right after it was set", n, slept[i])
		}
	}
	if !l.GetSleepy() {
		x.Errorf("L3: the latch was touched after it was set")
	}
}
