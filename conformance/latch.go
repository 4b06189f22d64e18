package conformance

import (
	"math/rand/v2"
	"reflect"
	"sync/atomic"
	"testing"

	"github.com/rouse-go/rouse/api"
	"github.com/rouse-go/rouse/conformance/internal/harness"
	"pgregory.net/rapid"
)

// TestLatch checks that the latches of newLatch keep the rules of
// [api.Latch]. Each subtest uses instances of its own. For a latch that
// counts, say [WithSets].
func TestLatch(t *testing.T, newLatch func() api.Latch, opts ...Option) {
	cfg := newConfig(opts)
	s := latchSuite{newLatch, cfg.sets}
	cfg.Subtest(t, "Model", "L2", s.model)
	cfg.Subtest(t, "OneWakePerSet", "L1", s.oneWakePerSet)
	cfg.Subtest(t, "ReuseAfterSet", "L3", s.reuseAfterSet)
	if cfg.sets > 1 {
		cfg.Subtest(t, "SetTooOften", "L5", s.setTooOften)
	}
}

type latchSuite struct {
	make func() api.Latch
	sets int
}

// set completes the latch. The result is that of the Set that did.
func (s latchSuite) set(l api.Latch) bool {
	for range s.sets - 1 {
		l.Set()
	}
	return l.Set()
}

// model compares random sequences of calls with the table of states in
// [api.Latch].
func (s latchSuite) model(r *run) {
	const (
		unset = iota
		sleepy
		sleeping
		isSet
	)
	names := []string{"unset", "sleepy", "sleeping", "set"}
	if l := s.make(); l.GetSleepy() { // chance may miss it
		r.Check(!s.set(l), "L1", "Set in state sleepy returned true")
	}
	rapid.Check(r.TB(), func(t *rapid.T) {
		l := s.make()
		state, sets := unset, 0
		// move makes a step that is allowed in one state, and in set.
		move := func(name string, call func() bool, from, to int) func(*rapid.T) {
			return func(t *rapid.T) {
				if state != from && state != isSet {
					if !harness.Panics(func() { call() }) {
						t.Fatalf("L4: %s in state %s does not panic", name, names[state])
					}
					l, state, sets = s.make(), unset, 0 // nothing is promised of the old one
					return
				}
				if ok := call(); ok != (state == from) {
					t.Fatalf("L2: %s in state %s is %t", name, names[state], ok)
				}
				if state == from {
					state = to
				}
			}
		}
		t.Repeat(map[string]func(*rapid.T){
			"GetSleepy":  move("GetSleepy", func() bool { return l.GetSleepy() }, unset, sleepy),
			"FallAsleep": move("FallAsleep", func() bool { return l.FallAsleep() }, sleepy, sleeping),
			"WakeUp": func(t *rapid.T) {
				l.WakeUp()
				if state != isSet {
					state = unset
				}
			},
			"Set": func(t *rapid.T) {
				if sets == s.sets {
					t.Skip()
				}
				sets++
				was := l.Set()
				if sets < s.sets {
					if was {
						t.Fatalf("L1: Set %d of %d returned true", sets, s.sets)
					}
					return
				}
				if was != (state == sleeping) {
					t.Fatalf("L1: Set in state %s returned %t", names[state], was)
				}
				state = isSet
			},
			"": func(t *rapid.T) {
				if l.Probe() != (state == isSet) {
					t.Fatalf("L2: Probe in state %s is %t", names[state], l.Probe())
				}
			},
		})
	})
}

func (s latchSuite) setTooOften(r *run) {
	l := s.make()
	s.set(l)
	r.Check(harness.Panics(func() { l.Set() }), "L5", "Set number %d of a latch that counts to %d does not panic", s.sets+1, s.sets)
}

// oneWakePerSet races a waiter that falls asleep and wakes up, over and over,
// with setters of the latch. If the waiter ended up sleeping, exactly one of
// them must have been told to wake it.
func (s latchSuite) oneWakePerSet(r *run) {
	for round := 0; r.More(round, 100); round++ {
		l := s.make()
		var wakes atomic.Int32
		slept, asleep := false, false
		fns := []func(){func() {
			for l.GetSleepy() {
				if !l.FallAsleep() {
					return
				}
				slept = true
				if rand.IntN(2) == 0 {
					asleep = true // and stays so: the Set to come must say it
					return
				}
				l.WakeUp()
			}
		}}
		for range s.sets {
			rng := harness.NewRNG()
			fns = append(fns, func() {
				harness.Pause(rng)
				if l.Set() {
					wakes.Add(1)
				}
			})
		}
		r.Together(fns...)
		r.Check(l.Probe(), "L2", "the latch is not set after %d calls of Set", s.sets)
		n := int(wakes.Load())
		switch {
		case asleep:
			r.Check(n == 1, "L1", "%d calls of Set returned true while the waiter was sleeping, want 1", n)
		case slept:
			r.Check(n <= 1, "L1", "%d calls of Set returned true, want at most 1", n)
		default:
			r.Check(n == 0, "L1", "%d calls of Set returned true although the waiter never slept", n)
		}
	}
}

// reuseAfterSet overwrites the latch with a new one as soon as Probe is true,
// as the frame of the next fork would. A setter that still touches it spoils
// the new one, or reads its own result from it; and the race detector sees it.
func (s latchSuite) reuseAfterSet(r *run) {
	old := reflect.ValueOf(s.make())
	if old.Kind() != reflect.Pointer || old.Elem().Kind() != reflect.Struct {
		r.T.Skip("the latch is not a pointer to a struct")
	}
	defer r.TwoProcs()()
	l := s.make()
	memory := reflect.ValueOf(l).Elem()
	var sets, wakes atomic.Int64 // of the setter, which runs ahead by at most one
	var turn atomic.Int64
	var over atomic.Bool
	setter := func() {
		for n := int64(1); ; n++ {
			for turn.Load() < n {
				if over.Load() || r.Aborted() {
					return
				}
				r.Yield()
			}
			for range s.sets - 1 {
				l.Set()
			}
			if l.Set() {
				wakes.Add(1)
			}
			sets.Store(n)
		}
	}
	waiter := func() {
		defer over.Store(true)
		slept := int64(0)
		for n := int64(1); r.More(int(n), 2000); n++ {
			sleep := n%4 != 0
			if sleep {
				// Asleep before the setter begins, so that its Set is to say so.
				l.GetSleepy()
				l.FallAsleep()
				slept++
			}
			turn.Store(n)
			for !l.Probe() {
				if r.Aborted() {
					return
				}
				r.Yield()
			}
			memory.Set(reflect.ValueOf(s.make()).Elem())
			for sets.Load() < n {
				if r.Aborted() {
					return
				}
				r.Yield()
			}
			if l.Probe() {
				r.Report("L3", "a latch made anew right after Probe was true became set by the Set before")
				return
			}
			if w := wakes.Load(); w != slept {
				r.Report("L3", "after %d sleeps with a latch reused as soon as Probe was true, %d calls of Set have returned true", slept, w)
				return
			}
		}
	}
	r.Together(setter, waiter)
}
