//go:build explore

package explore

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/explore/drive"
	"github.com/rouse-go/rouse/explore/twin/atomic"
	"github.com/rouse-go/rouse/explore/twin/lang"
	"github.com/rouse-go/rouse/explore/twin/sync"
)

// runPart is t.Run in an execution.
func runPart(t testing.TB, name string, f func(t testing.TB)) bool {
	return t.(lang.Test).Run(name, func(in *testing.T) { f(inOf(in)) })
}

// A failure would mean that a part of a test is not called as package testing would call it, or not in
// the thread of its caller.
func TestParts(t *testing.T) {
	var told []string
	r, failed := tested(func(in *testing.T) {
		t := inOf(in)
		told = nil
		say := func(args ...any) { told = append(told, fmt.Sprint(args...)) }
		t.Cleanup(func() { say("end") })
		var goes sync.WaitGroup
		say(runPart(t, "a part", func(t testing.TB) {
			ctx := t.Context()
			t.Cleanup(func() { say("clean ", ctx.Err()) })
			goes.Go(func() { t.Log("late, but its test is not") })
			say(t.Name())
			runPart(t, "inner", func(t testing.TB) { say(t.Name()) })
		}))
		for range 3 {
			runPart(t, "a part", func(t testing.TB) { say(t.Name()) })
		}
		say(runPart(t, "", func(t testing.TB) {
			defer func() { say("skipped ", t.Skipped()) }()
			t.Skip("no more")
			say("not here")
		}), t.Skipped())
		goes.Wait()
	})
	want := "TestRecorded/a_part, TestRecorded/a_part/inner, clean context canceled, true, " +
		"TestRecorded/a_part#01, TestRecorded/a_part#02, TestRecorded/a_part#03, skipped true, true false, end"
	if got := strings.Join(told, ", "); failed != "" || got != want || r.Schedules < 2 {
		t.Errorf("%s\n%s\nwant %s\n%v", failed, got, want, r)
	}
}

// A failure would mean that what fails in a part of a test does not fail the test.
func TestPartsFail(t *testing.T) {
	cleaned := 0
	for name, c := range map[string]struct {
		f    func(t testing.TB)
		want string
	}{
		"error": {func(t testing.TB) { t.Error("wrong") }, "wrong"},
		"fatal": {func(t testing.TB) { t.Fatal("wrong") }, "wrong"},
		"panic": {func(t testing.TB) { panic("wrong") }, "panic: 0 test: wrong"},
		"blocked": {func(t testing.TB) {
			drive.Await(drive.OpBlock, nil, func() bool { return false })
		}, "deadlock"},
		"unseen": {func(t testing.TB) { t.(*inner).T.Fail() }, "not rewritten"},
	} {
		before := cleaned
		_, failed := tested(func(in *testing.T) {
			runPart(inOf(in), "part", func(t testing.TB) {
				t.Cleanup(func() { cleaned++ })
				c.f(t)
			})
		})
		if !strings.Contains(failed, c.want) || cleaned == before {
			t.Errorf("%s: cleaned up %d times: %s", name, cleaned-before, failed)
		}
	}
}

// A failure would mean that a goroutine is not caught that tells a test something after its end, or that
// a schedule in which it does so is not tried, or cannot be replayed.
func TestTellsLate(t *testing.T) {
	// It takes more preemptions than the bounds have that come before the reduction.
	late := func(tell func(t testing.TB)) func(in *testing.T) {
		return func(in *testing.T) {
			t := inOf(in)
			var a, b atomic.Int32
			ch := make(chan int, 1)
			lang.Go(func() {
				for i := range int32(3) {
					if b.Store(i); a.Load() != i+1 {
						lang.Close(ch, "")
						return
					}
				}
				send(ch, 1)
				tell(t)
			})
			for i := range int32(3) {
				if a.Store(i + 1); i < 2 && b.Load() != i+1 {
					return
				}
			}
			recv(ch)
		}
	}
	for want, tell := range map[string]func(t testing.TB){
		"Log in goroutine after TestRecorded has completed: one 1": func(t testing.TB) { t.Logf("one %d", 1) },
		"Log in goroutine after TestRecorded has completed: three": func(t testing.TB) { t.Output().Write([]byte("three\n")) },
	} {
		f := late(tell)
		r, failed := tested(f)
		if !strings.Contains(failed, want) || r.Failure.Kind != Panicked || !strings.HasPrefix(r.Failure.Schedule, "e ") {
			t.Errorf("want %s: %v", want, r)
			continue
		}
		if r, failed := tested(f, Replay(r.Failure.Schedule)); !strings.Contains(failed, want) {
			t.Errorf("the replay does not show %s: %v", want, r)
		}
	}
	if r, failed := tested(func(in *testing.T) {
		t := inOf(in)
		var goes sync.WaitGroup
		goes.Go(func() { t.Log("in time") })
		goes.Wait()
	}); failed != "" || !r.Exhausted {
		t.Errorf("it waits: %v", r)
	}
}
