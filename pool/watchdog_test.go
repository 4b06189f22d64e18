package pool_test

import (
	"context"
	"flag"
	"fmt"
	"os"
	"regexp"
	"runtime"
	"runtime/debug"
	"runtime/pprof"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// during calls f on a goroutine of its own and waits until f ends. If f does
// not end, the test fails: the failure cites the rule that this breaks, as
// package conformance numbers them, says what did not end, and shows where the
// goroutines are. Then the process ends, because nothing can end a goroutine
// that hangs, and what it holds up would make later tests hang as well.
//
// Calls nest, and the innermost one reports. Two at once must nest. f may call t.Fatal. Do not call
// during in a job: a worker belongs to the goroutine that runs the job.
func during(t testing.TB, rule, what string, f func()) {
	t.Helper()
	e := await(patience(), t.Name(), f)
	switch h, nested := e.panicked.(hang); {
	case nested:
		panic(h) // reported already
	case !e.ended:
		hung.Store(true)
		t.Errorf("%s: no end of: %s%s\n\n%s", rule, what, awaited(), stacks())
		// A panic makes package testing name the test and its parents, and
		// print what they have logged so far.
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
	t.Run(name, func(t *testing.T) { during(t, rule, what, func() { f(t) }) })
}

// patience is how long something may take before it counts as hung. What is
// waited for here takes a second at most, under the race detector some seconds.
// A longer -timeout makes it longer: that is how to run the tests on a slow
// machine.
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

// hang is what a test panics with that hangs.
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

// await calls f on a goroutine of its own, and waits at most about as long as
// limit says. While f calls await its time does not count.
func await(limit time.Duration, test string, f func()) ending {
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
		labelled(test, f)
		e.returned = true
	}()
	// Where the machine stands still for a while, as virtual ones do, a tick
	// comes late, but there are no more of them: that is not taken for a hang.
	const ticks = 10
	tick := time.NewTicker(limit / ticks)
	defer tick.Stop()
	for left := ticks; left > 0; left-- {
		select {
		case e := <-done:
			return e
		case <-tick.C:
			if level.Load() > mine {
				left = ticks
			}
		}
	}
	select {
	case e := <-done:
		return e // it was only now that this goroutine got a processor
	default:
		return ending{}
	}
}

// labelled calls f with the name of the test as a label of the goroutine, and
// of those that it starts, workers included. If one of them panics, the process
// dies, and no test is named but by this label (with Go 1.26 or later).
func labelled(test string, f func()) {
	pprof.Do(context.Background(), pprof.Labels("test", test), func(context.Context) { f() })
}

func init() {
	settings := os.Getenv("GODEBUG")
	if settings != "" {
		settings += ","
	}
	os.Setenv("GODEBUG", settings+"tracebacklabels=1")
}

// conditions are what calls of until wait for.
var conditions sync.Map // *string to nil

// until waits for a condition that another goroutine brings about, or a job.
// It is called within during, which reports it if that does not come.
func until(t testing.TB, what string, ok func() bool) {
	t.Helper()
	conditions.Store(&what, nil)
	defer conditions.Delete(&what)
	for !ok() {
		runtime.Gosched()
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

// allStacks returns the stacks of all goroutines.
func allStacks() string {
	buf := make([]byte, 1<<20)
	n := runtime.Stack(buf, true)
	for ; n == len(buf) && n < 1<<26; n = runtime.Stack(buf, true) {
		buf = make([]byte, 2*n)
	}
	return string(buf[:n])
}

// stacks returns where the goroutines are that matter: those of the test and of
// the pools. Goroutines that are at the same place are shown once, and of their
// calls only those of this repository.
func stacks() string {
	count, order := make(map[string]int), []string(nil)
	for g := range strings.SplitSeq(allStacks(), "\n\n") {
		if strings.Contains(g, "pool_test.allStacks(") || strings.Contains(g, "pool_test.await(") || strings.Contains(g, "testing.(*T).Run(") {
			continue // it reports, or waits for those that matter
		}
		if g = place(g); g != "" {
			if count[g]++; count[g] == 1 {
				order = append(order, g)
			}
		}
	}
	var s strings.Builder
	for _, g := range order {
		fmt.Fprintf(&s, "%d at %s\n", count[g], g)
	}
	return s.String()
}

var (
	state = regexp.MustCompile(`^goroutine \d+ (\[.*\]):`)
	frame = regexp.MustCompile(`(?m)^[^\s(]*/rouse/(\S+)\(.*\)\n\t.*/(\w+/\w+\.go:\d+)`)
	// minutes is for how long a goroutine has waited.
	minutes = regexp.MustCompile(`, \d+ minutes`)
)

// place says where a goroutine is whose stack is given, or "" if it is nowhere
// in this repository.
func place(stack string) string {
	head := state.FindStringSubmatch(stack)
	if head == nil {
		return ""
	}
	var s strings.Builder
	for _, f := range frame.FindAllStringSubmatch(stack, -1) {
		// The calls by which package pool spells a number say nothing here.
		if function, line := f[1], f[2]; !strings.HasPrefix(line, "pool/spell.go") && !strings.HasPrefix(line, "pool/watchdog_test.go") {
			fmt.Fprintf(&s, "\t%s  %s\n", function, line)
		}
	}
	if s.Len() == 0 {
		return ""
	}
	return minutes.ReplaceAllString(head[1], "") + "\n" + s.String()
}
