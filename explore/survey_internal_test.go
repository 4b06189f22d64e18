//go:build explore

package explore

import (
	"strings"
	"testing"
	"time"

	"github.com/rouse-go/rouse/explore/drive"
	"github.com/rouse-go/rouse/explore/twin/atomic"
	"github.com/rouse-go/rouse/explore/twin/lang"
	"github.com/rouse-go/rouse/explore/twin/sync"
	virtual "github.com/rouse-go/rouse/explore/twin/time"
)

// surveyed is tested with what the flag -all has besides.
func surveyed(f func(t *testing.T), opts ...Option) Report {
	all := func(c *config) { c.strategy, c.all = everything, true }
	r, _ := tested(f, append([]Option{all, MaxThreads(maxThreads)}, opts...)...)
	return r
}

func goMany(n int, f func()) {
	var wg sync.WaitGroup
	for range n {
		wg.Go(f)
	}
	wg.Wait()
}

// losing fails if one of many additions is lost.
func losing(t *testing.T) {
	var n atomic.Int32
	if goMany(70, func() { n.Store(n.Load() + 1) }); n.Load() != 70 {
		inOf(t).Error("fewer")
	}
}

// What -all expects of tests that were not written for it, and what it does not. Ok is nil where nothing
// may fail.
func TestSurvey(t *testing.T) {
	for name, c := range map[string]struct {
		f  func(t *testing.T)
		ok func(r Report) bool
	}{
		"a sleep lets others go first": {func(t *testing.T) {
			var done atomic.Bool
			lang.Go(func() { done.Store(true) })
			if virtual.Sleep(1); !done.Load() {
				inOf(t).Error("not done")
			}
		}, func(r Report) bool {
			return r.Failure == nil && r.Exhausted && r.UpTo == "" && strings.Contains(r.all.timing, "not done")
		}},
		"and those that poll": {func(t *testing.T) {
			var a, b atomic.Bool
			lang.Go(func() { lang.Gosched(); lang.Gosched(); lang.Gosched(); a.Store(true) })
			lang.Go(func() {
				for !a.Load() {
					lang.Gosched()
				}
				b.Store(true)
			})
			if virtual.Sleep(1); !b.Load() {
				inOf(t).Error("not done")
			}
		}, nil},
		"but not forever": {func(t *testing.T) {
			var done atomic.Bool
			lang.Go(func() { virtual.Sleep(1); done.Store(true) })
			goMany(2, func() { // each has its turn
				for !done.Load() {
					lang.Gosched()
				}
			})
		}, func(r Report) bool { return r.Failure == nil && !r.all.endless }},
		"of many, either": {func(t *testing.T) {
			var done atomic.Bool
			for range 70 {
				lang.Go(lang.Forever)
			}
			lang.Go(func() { virtual.Sleep(1); done.Store(true) })
			lang.Go(func() {
				for !done.Load() {
				}
			})
			for !done.Load() {
			}
		}, func(r Report) bool { return r.Failure == nil && r.all.many && !r.all.endless }},
		"a shorter time ends earlier": {func(t *testing.T) {
			lang.Go(func() { virtual.Sleep(virtual.Hour) })
			begun := virtual.Now()
			lang.Recv(virtual.After(virtual.Second), "")
			if d := virtual.Since(begun); d != virtual.Second {
				inOf(t).Error(d)
			}
		}, nil},
		"a goroutine is left": {func(t *testing.T) {
			lang.Go(func() { lang.Forever() })
		}, func(r Report) bool { return r.Failure == nil && r.Exhausted && r.all.left == 1 }},
		"and panics": {func(t *testing.T) {
			var done atomic.Bool
			lang.Go(func() {
				if done.Load() {
					lang.Go(func() { panic("left") })
				}
			})
			done.Store(true)
		}, func(r Report) bool { return r.Failure != nil && r.Failure.Kind == Panicked && !r.all.always }},
		"alone": {func(t *testing.T) {
			lang.T(t).Parallel()
		}, func(r Report) bool { return r.all.alone && r.Schedules == 1 }},
		"always": {func(t *testing.T) {
			lang.Go(func() { virtual.Now() })
			inOf(t).Error("always")
		}, func(r Report) bool { return r.all.always && r.Failure != nil }},
		"nearly always": {losing, func(r Report) bool {
			again := surveyed(losing, Replay(r.Failure.Schedule))
			return r.all.many && !r.all.always && again.Failure != nil && again.Failure.Kind == Asserted
		}},
		"too many": {func(t *testing.T) {
			goMany(manyThreads, func() { virtual.Sleep(1) })
		}, func(r Report) bool { return r.Failure != nil && r.Failure.Kind == TooManyThreads }},
		"many that sleep": {func(t *testing.T) {
			var n atomic.Int32
			for range 70 {
				lang.Go(func() {
					for range 4 { // more than go round freely
						lang.Gosched()
					}
					n.Add(1)
				})
			}
			if virtual.Sleep(1); n.Load() != 70 {
				inOf(t).Error("too early")
			}
		}, func(r Report) bool { return r.Failure == nil && r.all.many && !r.Exhausted }},
		"no end": {func(t *testing.T) {
			for lang.Go(lang.Forever); ; {
				lang.Gosched()
			}
		}, func(r Report) bool { return r.Failure == nil && r.all.endless }},
		"refused": {func(t *testing.T) {
			lang.Unseen("net.Dial", func() {})()
		}, func(r Report) bool { return r.Failure != nil && r.Failure.refused == "net.Dial" && r.Schedules == 1 }},
		"explores": {func(t *testing.T) {
			Explore(func(*Exec) {})
		}, func(r Report) bool { return r.Failure != nil && r.Failure.refused == "explore.Test" }},
	} {
		most := 2000
		switch name {
		case "but not forever", "of many, either", "many that sleep":
			most = 10
		case "no end": // each execution has half a million operations
			most = 3
		}
		r := surveyed(c.f, MaxSchedules(most), Hung(time.Hour))
		if ok := c.ok; ok == nil && r.Failure != nil || ok != nil && !ok(r) {
			t.Errorf("%s: %v %+v", name, r, r.all)
		}
	}
}

// Each subtest that has none is explored by itself.
func TestSubtests(t *testing.T) {
	root, ran := new(subtest), ""
	for range 3 {
		surveyed(func(t *testing.T) {
			for _, name := range []string{"a", "b"} {
				lang.T(t).Run(name, func(t *testing.T) {
					lang.T(t).Run("in", func(t *testing.T) { ran += name })
					lang.T(t).Run("too", func(t *testing.T) { ran += name + name })
				})
			}
		}, func(c *config) { c.parts = root })
		root.finish()
	}
	if ran != "aaab" || root.done {
		t.Errorf("%s ran", ran)
	}
}

// A goroutine that was given up stops where it would perform an operation.
func TestAbandoned(t *testing.T) {
	id, goes := make(chan string), make(chan bool)
	went := make(chan bool, 1)
	go func() {
		id <- self()
		<-goes
		drive.Step(drive.OpYield, nil)
		went <- true
	}()
	number := <-id
	drive.Abandon([]string{number})
	goes <- true
	for !strings.Contains(stacks(), "goroutine "+number+" [select (no cases)") {
		if len(went) > 0 {
			t.Fatal("it went on")
		}
	}
	drive.Abandon(nil)
}

// A failure would mean that a loop of many operations, or of many threads, of which not all orders can be run, is
// just cut.
func TestSoon(t *testing.T) {
	for name, times := range map[string][]int{"operations": {1, 1, 120}, "threads": {1, 1, 1, 1, 1, 1, 1}} {
		r, failed := tested(func(*testing.T) {
			var mu sync.Mutex
			sum := 0
			for _, n := range times {
				lang.Go(func() {
					for range n {
						mu.Lock()
						sum++
						mu.Unlock()
					}
				})
			}
		}, MaxSchedules(4000))
		if failed != "" || !r.Exhausted || !strings.HasPrefix(r.UpTo, "2 rounds of loops: ") {
			t.Errorf("%s: %v%s", name, r, failed)
		}
	}
}
