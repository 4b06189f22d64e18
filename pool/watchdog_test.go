package pool_test

import (
	"flag"
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
	"weak"

	"github.com/rouse-go/rouse/api/pulse"
	"github.com/rouse-go/rouse/api/testrule"
	"github.com/rouse-go/rouse/pool"
)

func TestMain(m *testing.M) { testrule.Main(m) }

// during calls f on a goroutine of its own and waits until f ends. If f does
// not end, the test fails: the failure cites the rule that this breaks, as
// package conformance numbers them, says what did not end, and what the jobs wait
// for. Then the process ends, because nothing can end a goroutine that hangs, and
// what it holds up would make later tests hang as well.
//
// f may call t.Fatal, and during: then the inner call reports, not the outer. Two
// goroutines must not call during at once. Nor may a job call it: a worker
// belongs to the goroutine that runs the job.
func during(t testing.TB, rule, what string, f func()) {
	t.Helper()
	e := await(patience(), f)
	switch h, nested := e.panicked.(hang); {
	case nested:
		panic(h) // reported already
	case !e.ended:
		hung.Store(true)
		t.Errorf("%s: no end of: %s%s\n\n%s", rule, what, awaited(), dumps())
		// A panic makes package testing name the test and its parents, and print what they have logged so
		// far. Then come all goroutines.
		panic(hang{t.Name(), rule, what})
	case e.panicked != nil:
		t.Fatalf("%s: panic: %v, while: %s\n\n%s", rule, e.panicked, what, e.stack)
	case !e.returned:
		runtime.Goexit() // f has called t.FailNow or t.SkipNow
	}
}

// subtest is t.Run with during.
func subtest(t *testing.T, name, rule, what string, f func(t *testing.T)) {
	t.Helper()
	t.Run(name, func(t *testing.T) {
		t.Helper()
		during(t, rule, what, func() { f(t) })
	})
}

// patience is how much processor time a test may use, without an end of what it waits for,
// before it counts as hung: what spins, or goes in a circle. What the tests wait for takes a
// second at most, a few under the race detector, and much more under emulation, where one
// raises -timeout anyway: patience is a thirtieth of it, or 20 s if that is more, and three
// times that under the race detector. In a synctest bubble it is of the bubble's time.
var patience = sync.OnceValue(func() time.Duration {
	d := 20 * time.Second
	if f := flag.Lookup("test.timeout"); f != nil {
		if timeout, err := time.ParseDuration(f.Value.String()); err == nil {
			d = max(d, timeout/30)
		}
	}
	if raceEnabled {
		d *= 3
	}
	return d
})

// raceEnabled says that the race detector makes everything slow.
var raceEnabled = func() bool {
	info, ok := debug.ReadBuildInfo()
	for i := 0; ok && i < len(info.Settings); i++ {
		if s := info.Settings[i]; s.Key == "-race" {
			return s.Value == "true"
		}
	}
	return false
}()

// hung says that a test hangs. Its cleanup would hang, too.
var hung atomic.Bool

// A hang is what a hanging test panics with.
type hang struct{ test, rule, what string }

func (h hang) Error() string {
	return fmt.Sprintf("%s hangs: %s: no end of: %s", h.test, h.rule, h.what)
}

// An ending is how a function ended, or that it did not.
type ending struct {
	ended, returned bool
	panicked        any
	stack           []byte // of the panic
}

// level is how many calls of await are under way, one within the other.
var level atomic.Int32

// await calls f on a goroutine of its own, and waits until it ends or hangs, as package pulse tells.
// Calls of await in f have pulses of their own.
func await(limit time.Duration, f func()) ending {
	mine := level.Add(1)
	defer level.Add(-1)
	done := make(chan ending, 1)
	go func() {
		e := ending{ended: true}
		defer func() {
			if e.panicked = recover(); e.panicked != nil {
				e.stack = debug.Stack()
			}
			done <- e
		}()
		f()
		e.returned = true
	}()
	p := pulse.Pulse{Limit: limit}
	defer p.Start()()
	for hung := ""; hung == ""; {
		select {
		case e := <-done:
			return e
		case <-time.After(pulse.Beat):
		}
		if level.Load() > mine {
			p.Again()
		} else {
			hung = p.Beat(1)
		}
	}
	select {
	case e := <-done:
		return e // it was only now that this goroutine got a processor
	default:
		return ending{}
	}
}

// It shows all goroutines where one panics: those of the tests say what the pool was for.
func init() { debug.SetTraceback("all") }

// conditions are what calls of until wait for.
var conditions sync.Map // *string to nil

// until waits for a condition that another goroutine brings about. Call it within
// during, in a job or not: during reports the condition if it does not come true.
func until(t testing.TB, what string, ok func() bool) {
	t.Helper()
	conditions.Store(&what, nil)
	defer conditions.Delete(&what)
	nap := time.Microsecond
	for i := 0; ; i++ {
		start := time.Now()
		if ok() {
			return
		}
		if i < 1000 && time.Since(start) < time.Millisecond/10 {
			runtime.Gosched()
			continue
		}
		// So that a wait in vain uses next to no processor time, and await can tell, also
		// if it takes some to ask.
		time.Sleep(max(nap, min(100*time.Since(start), time.Second/5)))
		nap = min(2*nap, 10*time.Millisecond)
	}
}

// awaited says what calls of until wait for.
func awaited() string {
	var s strings.Builder
	conditions.Range(func(what, _ any) bool {
		fmt.Fprintf(&s, "\nIt waits until %s.", *what.(*string))
		return true
	})
	return s.String()
}

// watched are the pools of newPool that are not closed. It keeps none alive: some
// tests want to see that nothing else does.
var watched sync.Map // weak.Pointer[pool.Pool] to nil

// dumps is what Dump says of all pools that are watched.
func dumps() string {
	var s strings.Builder
	watched.Range(func(p, _ any) bool {
		if p := p.(weak.Pointer[pool.Pool]).Value(); p != nil {
			p.Dump(&s)
			s.WriteByte('\n')
		}
		return true
	})
	return s.String()
}

// allStacks returns the stacks of all goroutines.
func allStacks() string {
	buf := make([]byte, 1<<20)
	n := runtime.Stack(buf, true)
	for ; n == len(buf) && n < 1<<26; n = runtime.Stack(buf, true) {
		buf = make([]byte, 2*n)
	}
	return string(buf[:n])
}
