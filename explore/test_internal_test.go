//go:build explore

package explore

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"
	"unsafe"

	"github.com/rouse-go/rouse/explore/drive"
	"github.com/rouse-go/rouse/explore/twin/lang"
	"github.com/rouse-go/rouse/explore/twin/sync"
	virtual "github.com/rouse-go/rouse/explore/twin/time"
)

// A recorder is a test that may fail, and tells how.
type recorder struct {
	testing.TB
	name           string
	failed, logged string
	skipped        string
}

func (r *recorder) Helper()      {}
func (r *recorder) Name() string { return r.name }
func (r *recorder) Error(args ...any) {
	r.failed += fmt.Sprintln(args...)
}
func (r *recorder) Errorf(format string, args ...any) { r.failed += fmt.Sprintf(format, args...) }
func (r *recorder) Skipf(format string, args ...any)  { r.skipped += fmt.Sprintf(format, args...) }
func (r *recorder) Log(args ...any)                   { r.logged += fmt.Sprintln(args...) }

// tested runs test, and returns what it has said.
func tested(f func(t *testing.T), opts ...Option) (Report, string) {
	rec := recorder{name: "TestRecorded"}
	r := test(&rec, f, opts...)
	return r, rec.failed
}

// inOf returns what rewritten code calls in place of t.
func inOf(t *testing.T) testing.TB { return drive.TB(t) }

// add is n++ of a variable that is shared and plain.
func add(n *int) {
	p := unsafe.Pointer(n)
	drive.Name(p, "n")
	drive.Access(p, unsafe.Sizeof(*n), false)
	drive.Access(p, unsafe.Sizeof(*n), true)
	*n++
}

// A failure would mean that a data race of rewritten code is not found, or is seen where
// something orders the accesses.
func TestDataRaces(t *testing.T) {
	var word, other uint32
	p, q := unsafe.Pointer(&word), unsafe.Pointer(&other)
	post := func(p unsafe.Pointer) { drive.Step(drive.OpStore, p); drive.Acquire(p); drive.Release(p) }
	see := func(p unsafe.Pointer) { drive.Step(drive.OpLoad, p); drive.Acquire(p) }
	for name, c := range map[string]struct {
		racy     bool
		one, two func(n *int)
	}{
		"plain":     {true, add, add},
		"unrelated": {true, func(n *int) { add(n); post(p) }, func(n *int) { see(q); add(n) }},
		// Only if the load comes first there is one.
		"sometimes": {true, func(n *int) { add(n); post(p) }, func(n *int) { see(p); add(n) }},
		"ordered": {false, func(n *int) { add(n); post(p); word = 1 }, func(n *int) {
			if see(p); word == 1 {
				add(n)
			}
		}},
		"atomics": {false, func(n *int) { drive.AccessInStep(unsafe.Pointer(n), 8, true, true) }, func(n *int) { drive.AccessInStep(unsafe.Pointer(n), 8, true, true) }},
		"mixed":   {true, func(n *int) { drive.AccessInStep(unsafe.Pointer(n), 8, true, true) }, func(n *int) { drive.Access(unsafe.Pointer(n), 8, false) }},
		"covered": {true, func(n *int) {
			drive.Access(unsafe.Pointer(n), 8, true)
			drive.AccessInStep(unsafe.Pointer(n), 8, true, true)
		},
			func(n *int) { drive.AccessInStep(unsafe.Pointer(n), 8, false, true) }},
		"reads":   {false, func(n *int) { drive.Access(unsafe.Pointer(n), 8, false) }, func(n *int) { drive.Access(unsafe.Pointer(n), 8, false) }},
		"bytes":   {false, func(n *int) { drive.Access(unsafe.Pointer(n), 1, true) }, func(n *int) { drive.Access(unsafe.Add(unsafe.Pointer(n), 1), 3, true) }},
		"overlap": {true, func(n *int) { drive.Access(unsafe.Add(unsafe.Pointer(n), 2), 2, true) }, func(n *int) { drive.Access(unsafe.Pointer(n), 8, false) }},
	} {
		r, failed := tested(func(*testing.T) {
			word = 0
			n := new(int)
			drive.Go(func() { drive.Step(drive.OpLoad, nil); c.one(n) })
			drive.Go(func() { drive.Step(drive.OpLoad, nil); c.two(n) })
		})
		if !c.racy {
			if failed != "" {
				t.Errorf("%s: %s", name, failed)
			}
			continue
		}
		if r.Failure == nil || r.Failure.Kind != Raced {
			t.Errorf("%s: no race was found: %v", name, r)
		} else if m := r.Failure.Message; strings.Count(m, "at test_internal_test.go:") != 2 || !strings.Contains(m, "nothing orders") {
			t.Errorf("%s: both places are to be shown: %s", name, m)
		}
	}
}

// tries gives up if what a thread does does not come in so many times, with a pause after each.
func tries(n int, pause func()) func(t *testing.T) {
	return func(t *testing.T) {
		var done uint32
		drive.Go(func() {
			for range 2 {
				drive.Step(drive.OpAdd, unsafe.Pointer(&done))
				done++
			}
		})
		for k := range n {
			if drive.Step(drive.OpLoad, unsafe.Pointer(&done)); done == 2 {
				return
			}
			if k < n-1 {
				pause()
			}
		}
		inOf(t).Errorf("gave up")
	}
}

// forever is tries without an end.
func forever(pause func()) func(t *testing.T) { return tries(1<<30, pause) }

// A failure would mean that a search is called complete though a thread was held up that could have
// gone on, and that no word is said of it; or that a loop of a few rounds is not searched to its end.
func TestUpTo(t *testing.T) {
	loops := map[string]struct {
		pause func()
		free  int // times with 2 rounds
	}{
		"gives way": {lang.Gosched, 3},
		"sleeps":    {func() { virtual.Sleep(1) }, 3},
		"waits":     {func() { lang.Recv(virtual.After(1), "") }, 3},
		"reads":     {func() {}, 8}, // five times 0, and three times 1
	}
	for name, loop := range loops {
		pause := loop.pause
		for n := 1; n <= 9; n++ {
			if r, failed := tested(tries(n, pause)); !strings.Contains(failed, "gave up") {
				t.Errorf("a loop that %s ends after %d times, and it is not found: %v", name, n, r)
			}
			r, failed := tested(tries(n, pause), Rounds(2))
			if found := strings.Contains(failed, "gave up"); found != (n <= loop.free) {
				t.Errorf("a loop that %s ends after %d times, with 2 rounds: %v, %s", name, n, r, failed)
			}
			if r.Failure == nil && (!r.Exhausted || !strings.HasPrefix(r.UpTo, "2 rounds of loops that wait: ")) {
				t.Errorf("a loop that %s is held up, and it says %v", name, r)
			}
		}
		r, failed := tested(forever(pause))
		if failed != "" || !r.Exhausted || !strings.Contains(r.UpTo, " rounds of loops that wait: ") {
			t.Errorf("a loop that %s, without an end: %v, %s", name, r, failed)
		}
		if r, failed := tested(forever(pause), Bound(0)); failed != "" || r.Exhausted && r.UpTo == "" {
			t.Errorf("a loop that %s, without an end, with a bound: %v, %s", name, r, failed)
		}
	}
	// What is held up only when nobody else is there to go on misses nothing.
	r, failed := tested(func(*testing.T) {
		for range 5 {
			lang.Gosched()
		}
		lang.Go(func() { lang.Gosched(); lang.Gosched() })
	})
	if failed != "" || !r.Exhausted || r.UpTo != "" {
		t.Errorf("nothing is held up: %v, %s", r, failed)
	}
}

// A failure would mean that a loop which waits for another thread, and does but read, is taken for one
// without an end.
func TestSpins(t *testing.T) {
	for name, free := range map[string]func(locked chan int) bool{
		"select": func(locked chan int) bool { return lang.Select(true, lang.OnRecv(locked, "")) == 0 },
		"len":    func(locked chan int) bool { return lang.Len(locked, "") > 0 },
	} {
		r, failed := tested(func(*testing.T) {
			locked := make(chan int, 1)
			lang.Go(func() { lang.Send(locked, "")(1) })
			for !free(locked) {
			}
		}, MaxSteps(100))
		if failed != "" || !r.Exhausted || !strings.Contains(r.UpTo, " rounds of loops that wait: ") {
			t.Errorf("%s: %v, %s", name, r, failed)
		}
	}
}

// A failure would mean that the command does not tell up to what a test is complete.
func TestUpToIsTold(t *testing.T) {
	file := filepath.Join(t.TempDir(), "ran")
	t.Setenv(ranVariable, file)
	tested(forever(lang.Gosched))
	text, err := os.ReadFile(file)
	if err != nil || !strings.Contains(string(text), "\tcomplete up to 8 rounds of loops that wait: test_internal_test.go:") {
		t.Errorf("%v: %s", err, text)
	}
}

// A failure would mean that a failure of a deeper search cannot be replayed.
func TestUpToIsReplayed(t *testing.T) {
	r, _ := tested(tries(7, func() { virtual.Sleep(1) }))
	f := r.Failure
	if f == nil || !strings.Contains(f.Replay, " -rounds 8 ") {
		t.Fatal(r)
	}
	t.Setenv(roundsVariable, "8")
	if r, failed := tested(tries(7, func() { virtual.Sleep(1) }), Replay(f.Schedule)); !strings.Contains(failed, "gave up") {
		t.Errorf("%v: %s", r, failed)
	}
}

// A failure would mean that the t of an execution does not do what it says.
func TestInnerT(t *testing.T) {
	cleaned := 0
	r, failed := tested(func(in *testing.T) {
		t := inOf(in)
		t.Cleanup(func() { cleaned++ })
		t.Log("nothing is wrong")
		if t.Name() != "TestRecorded" {
			t.Errorf("its name is %s", t.Name())
		}
	})
	if failed != "" || cleaned < r.Schedules {
		t.Errorf("%d of %d were cleaned up: %s", cleaned, r.Schedules, failed)
	}
	for name, c := range map[string]struct {
		f    func(t *testing.T)
		want []string
	}{
		"fatal":  {func(in *testing.T) { inOf(in).Log("by the way"); inOf(in).Fatalf("wrong %d", 1); panic("went on") }, []string{"wrong 1", "its log", "by the way", "-schedule "}},
		"unseen": {func(in *testing.T) { in.FailNow() }, []string{"not rewritten"}},
		"run":    {func(in *testing.T) { inOf(in).(interface{ Parallel() }).Parallel() }, []string{"t.Parallel cannot be called", "take turns"}},
		"panic":  {func(in *testing.T) { panic("here") }, []string{"panic", "here"}},
		"exit":   {func(in *testing.T) { runtime.Goexit() }, []string{"test executed panic(nil) or runtime.Goexit", "test_internal_test.go:", "-schedule "}},
		"outlives": {func(in *testing.T) {
			drive.Go(func() { drive.Await(drive.OpBlock, nil, func() bool { return false }) })
		}, []string{"deadlock", "block"}},
	} {
		_, failed := tested(c.f)
		for _, want := range c.want {
			if !strings.Contains(failed, want) {
				t.Errorf("%s: it does not say %q: %s", name, want, failed)
			}
		}
	}
	rec := recorder{name: "TestSkipped"}
	test(&rec, func(in *testing.T) { inOf(in).Skip("not this one") })
	if rec.failed != "" || !strings.Contains(rec.skipped, "not this one") {
		t.Errorf("executions that are skipped fail, or are not said to be: %s %s", rec.failed, rec.skipped)
	}
	rec = recorder{name: "TestSkipped"}
	test(&rec, func(in *testing.T) {
		if Choose(2) == 1 {
			inOf(in).SkipNow()
		}
	})
	if rec.failed+rec.skipped != "" || rec.logged == "" {
		t.Errorf("one of two executions is skipped: %s %s", rec.failed, rec.skipped)
	}
	if _, failed := tested(func(*testing.T) { drive.Go(func() { drive.Step(drive.OpLoad, nil); runtime.Goexit() }) }); failed != "" {
		t.Errorf("a goroutine that is not the test's may end itself: %s", failed)
	}
}

// A failure would mean that a method of a testing.T, a new one, perhaps, is the one of a test that
// nothing runs: give inner one, and lang.Test.
func TestInnerMethods(t *testing.T) {
	all := reflect.TypeFor[*testing.T]()
	for i := range all.NumMethod() {
		m := all.Method(i)
		own, ok := reflect.TypeFor[*inner]().MethodByName(m.Name)
		if !ok {
			t.Errorf("%s is missing", m.Name)
			continue
		}
		f := runtime.FuncForPC(own.Func.Pointer())
		if file, _ := f.FileLine(f.Entry()); file == "<autogenerated>" {
			t.Errorf("%s is that of the embedded T", m.Name)
		}
		if _, ok := reflect.TypeFor[lang.Test]().MethodByName(m.Name); !ok {
			t.Errorf("%s is not in lang.Test", m.Name)
		}
	}
}

// A failure would mean that an execution leaves something behind that it wanted to be cleaned up,
// or that cleaning up cannot use what other threads wait for.
func TestCleanup(t *testing.T) {
	var said string
	say := func(s string) func() { return func() { said += s } }
	dir, left := "", 0
	for name, c := range map[string]struct {
		f      func(in testing.TB)
		failed string
		said   string
	}{
		"order": {func(in testing.TB) {
			in.Cleanup(say("c"))
			in.Cleanup(func() { say("a")(); in.Cleanup(say("b")) })
		}, "", "abc"},
		"fatal":    {func(in testing.TB) { in.Cleanup(say("b")); in.Cleanup(say("a")); in.Fatal("bad") }, "bad", "ab"},
		"panic":    {func(in testing.TB) { in.Cleanup(say("a")); panic("bad") }, "panic", "a"},
		"deadlock": {func(in testing.TB) { in.Cleanup(say("a")); new(sync.Mutex).Lock(); lang.Forever() }, "deadlock", "a"},
		"skip":     {func(in testing.TB) { in.Cleanup(say("a")); in.SkipNow() }, "", "a"},
		"of a thread": {func(in testing.TB) {
			var wg sync.WaitGroup
			wg.Go(func() { in.Cleanup(say("a")) })
			wg.Wait()
		}, "", "a"},
		"fails in one": {func(in testing.TB) {
			in.Cleanup(say("b"))
			in.Cleanup(func() { say("a")(); in.Fatal("in a cleanup"); say("x")() })
		}, "in a cleanup", "ab"},
		"panics in one after a failure": {func(in testing.TB) {
			in.Cleanup(say("b"))
			in.Cleanup(func() { say("a")(); panic("in a cleanup") })
			in.FailNow()
		}, "panic: in a cleanup", "ab"},
		"would wait after a failure": {func(in testing.TB) {
			var mu sync.Mutex
			mu.Lock()
			in.Cleanup(say("b"))
			in.Cleanup(func() { say("a")(); mu.Lock(); say("x")() })
			in.Error("bad")
			in.FailNow()
		}, "bad", "ab"},
		"polls after a failure": {func(in testing.TB) {
			in.Cleanup(say("b"))
			in.Cleanup(func() {
				for say("a")(); ; {
					virtual.Sleep(1)
				}
			})
			in.Fatal("bad")
		}, "bad", "ab"},
		"ends a thread": {func(in testing.TB) {
			done := make(chan bool)
			lang.Go(func() { lang.Recv(done, "") })
			in.Cleanup(func() { say("a")(); lang.Close(done, "") })
		}, "", "a"},
		"after a failure, too": {func(in testing.TB) {
			done := make(chan bool)
			lang.Go(func() { lang.Recv(done, "") })
			in.Cleanup(func() { say("a")(); lang.Close(done, "") })
			in.Fatal("bad")
		}, "bad", "a"},
		"context": {func(in testing.TB) {
			ctx := in.Context()
			var wg sync.WaitGroup
			wg.Go(func() { lang.Recv(ctx.Done(), "") })
			in.Cleanup(func() { wg.Wait(); say(ctx.Err().Error())() })
		}, "", "context canceled"},
		"directories": {func(in testing.TB) {
			d := in.TempDir()
			if dir == "" {
				dir = d
			}
			if all, err := os.ReadDir(d); err != nil || len(all) > 0 || d != dir || in.TempDir() == d {
				left++
			}
			if err := os.WriteFile(filepath.Join(d, "x"), nil, 0o600); err != nil {
				in.Error(err)
			}
		}, "", ""},
	} {
		rec := recorder{TB: t, name: "TestRecorded"}
		r := test(&rec, func(in *testing.T) {
			said = ""
			c.f(inOf(in))
		})
		if said != c.said || rec.failed == "" != (c.failed == "") || !strings.Contains(rec.failed, c.failed) || left > 0 {
			t.Errorf("%s: in %d executions it has said %q, want %q, and failed with %q: %s", name, r.Schedules, said, c.said, c.failed, rec.failed)
		}
	}
	if _, err := os.Stat(dir); err == nil {
		t.Error("a directory of an execution is left")
	}
}

// A failure would mean that Possible does not tell what held in some execution from what held in
// none, or that a replay asks for it.
func TestPossible(t *testing.T) {
	f := func(in *testing.T) {
		k := Choose(3)
		Possible(in, k == 2, "two")
		Possible(in, k == 3, "three")
	}
	drive.Expect("TestReaches", "never reached")
	for _, want := range []string{"never reached", "in none of 3 executions: three"} {
		rec := recorder{name: "TestReaches/sub"}
		test(&rec, f)
		if failed := rec.failed; !strings.Contains(failed, want) || strings.Contains(failed, "two") {
			t.Errorf("it should say %q, and not two: %s", want, failed)
		}
	}
	t.Setenv(scheduleVariable, "?1")
	if _, failed := tested(f); failed != "" {
		t.Errorf("a replay: %s", failed)
	}
}

// A failure would mean that the page lacks something, is not escaped, or needs something else.
func TestPage(t *testing.T) {
	r, _ := tested(func(in *testing.T) {
		n := &named{name: "<n>"}
		drive.Go(func() { n.access(true) }) // is in the source code
		n.access(true)
		inOf(in).Errorf("a < b")
	})
	var b strings.Builder
	if err := r.Failure.WriteHTML(&b); err != nil {
		t.Fatal(err)
	}
	page := b.String()
	for _, want := range []string{"&lt;n&gt; is written by thread 1", "is in the source code", "-schedule", "0 test", "1 test_internal_test.go:", "✗ write", `data-key="1"`} {
		if !strings.Contains(page, want) {
			t.Errorf("it lacks %q:\n%s", want, page)
		}
	}
	if strings.Contains(page, "<n>") || strings.Contains(page, "ZgotmplZ") || strings.Contains(page, "http") {
		t.Errorf("it is not escaped, or needs something from elsewhere:\n%s", page)
	}
	// What happens before either access, or is one: the start of the thread, and each for itself.
	if n := strings.Count(page, `<td class="ab">A`) + strings.Count(page, `<td class="ab">B`); n != 3 || !strings.Contains(page, `<td class="ab">AB`) {
		t.Errorf("%d steps are before the accesses, want 3, and 1 before both:\n%s", n, page)
	}
}

// A failure would mean that an execution that ends otherwise each time is not noticed.
func TestLastStepsDiffer(t *testing.T) {
	runs := 0
	for name, last := range map[string]func(in testing.TB, p unsafe.Pointer){
		"steps": func(in testing.TB, p unsafe.Pointer) {
			for range runs {
				drive.Step(drive.OpAdd, p)
			}
		},
		"end": func(in testing.TB, p unsafe.Pointer) {
			if runs > 1 {
				in.Error("only now")
			}
		},
	} {
		runs = 0
		var word uint32
		r, _ := tested(func(in *testing.T) {
			runs++
			last(inOf(in), unsafe.Pointer(&word))
		})
		if r.Failure == nil || r.Failure.Kind != Nondeterministic {
			t.Errorf("%s: it is not noticed: %v", name, r)
		}
	}
}

// A failure would mean that an exploration passes though its executions differ behind the last
// decision, or that it does not show how.
func TestExecutionsDiffer(t *testing.T) {
	for name, differs := range map[string]func(run, before int) bool{
		"2": func(run, _ int) bool { return run%2 == 0 },
		"3": func(run, _ int) bool { return run%3 == 0 },
		"5": func(run, _ int) bool { return run%5 == 0 },
		"8": func(run, _ int) bool { return run%8 == 0 },
		// The last schedule is none of these.
		"some": func(run, before int) bool { return run%2 == 0 && before == 1 },
	} {
		run := 0
		r, _ := tested(func(in *testing.T) {
			var a, b uint32
			stored, before := false, 0
			run++
			drive.Go(func() {
				drive.Step(drive.OpStore, unsafe.Pointer(&a))
				stored = true
			})
			for range 3 {
				drive.Step(drive.OpLoad, unsafe.Pointer(&a))
				if !stored {
					before++
				}
			}
			if differs(run, before) {
				drive.Step(drive.OpStore, unsafe.Pointer(&b))
			}
		})
		f := r.Failure
		if f == nil || f.Kind != Nondeterministic || r.Exhausted ||
			!strings.Contains(f.Message, "by the same schedule:\n") || strings.Contains(f.Message, "once:\n\n") {
			t.Errorf("%s: it is not noticed, or not shown: %v", name, r)
		}
	}
}

// A failure would mean that a loop which a select ends is a livelock, as the select always takes another case.
func TestFair(t *testing.T) {
	for name, test := range map[string]func(*testing.T){
		"chooses": func(*testing.T) {
			values, done := make(chan bool, 1), make(chan bool)
			lang.Close(done, "")
			for ok := true; ok; ok = lang.Select(false, lang.OnRecv(values, ""), lang.OnRecv(done, "")) == 0 {
				lang.Send(values, "")(true)
			}
		},
		"meets": func(*testing.T) {
			values, done, ended := make(chan bool), make(chan bool), make(chan bool)
			lang.Go(func() {
				for lang.Select(false, lang.OnRecv(values, ""), lang.OnRecv(ended, "")) == 0 {
				}
			})
			lang.Go(func() { lang.Close(done, "") })
			for lang.Select(false, lang.OnSend(values, "")(true), lang.OnRecv(done, "")) == 0 {
			}
			lang.Close(ended, "")
		},
	} {
		if _, failed := tested(test, MaxSteps(1000), MaxSchedules(2000)); failed != "" {
			t.Errorf("%s: %.100s", name, failed)
		}
	}
}

// A failure would mean that what differs is not shown if none comes as far as the schedule.
func TestLaterExecutionsAreLonger(t *testing.T) {
	run := 0
	r, _ := tested(func(in *testing.T) {
		var a uint32
		adds := 16
		if run++; run == 3 {
			adds = 8
		} else if run > 3 {
			adds = 17 + run
		}
		done := make(chan bool)
		lang.Go(func() { drive.Step(drive.OpAdd, unsafe.Pointer(&a)); lang.Send(done, "")(true) })
		for range adds {
			drive.Step(drive.OpAdd, unsafe.Pointer(&a))
		}
		lang.Recv(done, "")
	}, Unbounded())
	if f := r.Failure; f == nil || !strings.Contains(f.Message, "by the same schedule:\n") {
		t.Errorf("it is not shown: %v", r)
	}
}

// A failure would mean that executions that are run once more are counted, or limited by nothing.
func TestComparedIsNotCounted(t *testing.T) {
	runs := 0
	r, _ := tested(func(in *testing.T) {
		runs++
		var a uint32
		drive.Go(func() { drive.Step(drive.OpStore, unsafe.Pointer(&a)) })
		drive.Step(drive.OpLoad, unsafe.Pointer(&a))
	})
	if r.Failure != nil || r.Schedules > 8 || runs <= r.Schedules+comparisons || runs > r.Schedules+2*comparisons {
		t.Errorf("%d executions: %v", runs, r)
	}
	runs = 0
	r, _ = tested(func(in *testing.T) {
		runs++
		var a uint32
		for range comparedSteps / 2 {
			drive.Step(drive.OpStore, unsafe.Pointer(&a))
		}
	}, MaxSteps(comparedSteps))
	if r.Failure != nil || r.Schedules != 1 || runs > 5 {
		t.Errorf("%d long executions: %v", runs, r)
	}
	runs = 0
	r, _ = tested(func(in *testing.T) {
		runs++
		var a uint32
		drive.Go(func() { drive.Step(drive.OpStore, unsafe.Pointer(&a)) })
		drive.Step(drive.OpLoad, unsafe.Pointer(&a))
	}, MaxTime(1))
	if r.Failure != nil || r.Schedules > 2 || runs != r.Schedules+2 {
		t.Errorf("%d executions in no time: %v", runs, r)
	}
}

// A failure would mean that of a failure that comes now and then only the message is shown.
func TestFailsNowAndThen(t *testing.T) {
	for period := 2; period <= 8; period++ {
		runs := 0
		r, _ := tested(func(in *testing.T) {
			var a uint32
			runs++
			drive.Go(func() { drive.Step(drive.OpStore, unsafe.Pointer(&a)) })
			drive.Step(drive.OpLoad, unsafe.Pointer(&a))
			if runs%period == 0 {
				inOf(in).Error("now")
			}
		})
		f := r.Failure
		if f == nil || f.Kind != Nondeterministic || strings.Count(r.String(), "Store") < 2 || strings.Count(r.String(), "by the same schedule:\n") != 1 {
			t.Errorf("one in %d: it is not shown twice: %v", period, r)
		}
	}
	runs := 0
	r, _ := tested(func(in *testing.T) {
		if runs++; runs == 1 {
			inOf(in).Error("now")
		}
	})
	if f := r.Failure; f == nil || f.Kind != Nondeterministic || strings.Contains(f.Message, "by the same schedule:") {
		t.Errorf("what is shown was not seen: %v", r)
	}
}

// A failure would mean that what a test prints is lost, or is there for each execution.
func TestOutput(t *testing.T) {
	prints := func(fails bool, opts ...Option) (lines int) {
		file, err := os.Create(filepath.Join(t.TempDir(), "out"))
		if err != nil {
			t.Fatal(err)
		}
		before := os.Stdout
		os.Stdout = file
		tested(func(in *testing.T) {
			var mu sync.Mutex
			n := 0
			lang.Go(func() { mu.Lock(); n++; mu.Unlock() })
			mu.Lock()
			fmt.Println("here")
			if n == 1 && fails {
				inOf(in).Errorf("failed")
			}
			mu.Unlock()
		}, opts...)
		os.Stdout = before
		text, err := os.ReadFile(file.Name())
		if err != nil || file.Close() != nil {
			t.Error(err)
		}
		return strings.Count(string(text), "here\n")
	}
	first := 0
	if testing.Verbose() {
		first = 1
	}
	if n := prints(false); n != first {
		t.Errorf("a test that passes prints %d lines, want %d", n, first)
	}
	if n := prints(true); n != first+1 {
		t.Errorf("a test that fails prints %d lines, want %d", n, first+1)
	}
	if n := prints(true, Replay("1:2")); n != 1 {
		t.Errorf("a replay prints %d lines, want 1", n)
	}
}

// A failure would mean that of a livelock more is shown than what is repeated.
func TestCycleIsShown(t *testing.T) {
	var word uint32
	p := unsafe.Pointer(&word)
	r, _ := tested(func(in *testing.T) {
		drive.Go(func() {
			drive.Step(drive.OpStore, p)
			for {
				drive.Step(drive.OpLoad, p)
				drive.Step(drive.OpAdd, p)
			}
		})
	}, MaxSteps(500))
	if r.Failure == nil || r.Failure.Kind != Livelock || len(r.Failure.Steps) > 10 || !strings.Contains(r.Failure.Trace, "2 operations, is repeated") {
		t.Errorf("want a cycle of two operations: %v", r)
	}
}

// A failure would mean that a long loop hides what comes after it, or that it is called a livelock though it
// ends, or a search exhausted that has tried no more than its beginning.
func TestLongLoopEnds(t *testing.T) {
	body := func(waits bool) func(*testing.T) {
		return func(*testing.T) {
			var mu sync.Mutex
			cond := sync.NewCond(&mu)
			lang.Go(func() {
				mu.Lock()
				if waits {
					cond.Wait()
				}
				mu.Unlock()
			})
			for range 400 {
				cond.Signal()
			}
		}
	}
	r, _ := tested(body(true), MaxSteps(100))
	if f := r.Failure; f == nil || f.Kind != Deadlock || f.Preemptions != 0 || !strings.Contains(f.Replay, " -rounds 10000 ") {
		t.Fatal(r)
	}
	if again, _ := tested(body(true), MaxSteps(100), Rounds(10_000), Replay(r.Failure.Schedule)); again.Failure == nil || again.Failure.Trace != r.Failure.Trace {
		t.Error(again)
	}
	r, _ = tested(body(false), MaxSteps(100))
	if want := "MaxSteps(100) (an execution has 403 operations)"; r.Failure != nil || r.Exhausted || r.Cut != want {
		t.Error(r)
	}
}

// A failure would mean that what happens early in a long execution is found late: a search goes back to its
// last decision first.
func TestEarlyInALongExecution(t *testing.T) {
	r, _ := tested(func(t *testing.T) {
		var n, tail int32
		step := func(p *int32) { drive.Step(drive.OpAdd, unsafe.Pointer(p)) }
		add := func() {
			step(&n)
			m := n
			step(&n)
			n = m + 1
			for range 1000 {
				step(&tail)
			}
		}
		done := false
		lang.Go(func() { add(); done = true })
		add()
		drive.Await(drive.OpBlock, nil, func() bool { return done })
		if n != 2 {
			inOf(t).Error("lost")
		}
	}, MaxSchedules(300), Rounds(2)) // without a search with shorter loops
	if r.Failure == nil {
		t.Error(r)
	}
}

// A failure would mean that a user is not told that a test was cut short, or how far it is.
func TestCutAndProgress(t *testing.T) {
	ran, progress := filepath.Join(t.TempDir(), "ran"), filepath.Join(t.TempDir(), "progress")
	t.Setenv(ranVariable, ran)
	t.Setenv(progressVariable, progress)
	f := func(*testing.T) { Choose(3) }
	for _, o := range []Option{Unbounded(), Bound(0)} {
		tested(f, o, MaxSchedules(2))
	}
	tested(f)
	text, err := os.ReadFile(ran)
	want := "TestRecorded\t\nTestRecorded\tcut by MaxSchedules(2) after 2 executions, "
	if err != nil || string(text) != want+"there may be more orders\n"+want+"not even all without a preemption were run\nTestRecorded\t\n" {
		t.Errorf("%v, it was told %q", err, text)
	}
	e := &engine{progress: newProgress("TestX"), limit: 1}
	e.config.maxTime = time.Minute
	e.report.Schedules = 100
	e.tell(time.Now())
	if text, err := os.ReadFile(progress); err == nil {
		t.Errorf("too early it was told %q", text)
	}
	e.tell(time.Now().Add(-time.Second))
	if text, err := os.ReadFile(progress); err != nil || !strings.HasPrefix(string(text), "TestX: 100 executions in ") || !strings.HasSuffix(string(text), "1 preemptions") {
		t.Errorf("%v, it was told %q", err, text)
	}
	if r := (Report{Sizes: []int{1, 5, 7}}); !strings.Contains(r.known(), "at most 1 preemption were run, and 7 with at most 2") {
		t.Error(r.known())
	}
}

// A failure would mean that what comes after an execution that was skipped is not tried: the
// execution that fails has eleven preemptions.
func TestSkippedExecutions(t *testing.T) {
	r, said := tested(func(t *testing.T) {
		var word int32
		p := unsafe.Pointer(&word)
		drive.Go(func() {
			for range 6 {
				drive.Step(drive.OpAdd, p)
				atomic.AddInt32(&word, 1)
			}
			drive.Await(drive.OpBlock, nil, func() bool { return false })
		})
		for i := range 6 {
			if drive.Step(drive.OpLoad, p); atomic.LoadInt32(&word) != int32(i) {
				inOf(t).SkipNow()
			}
		}
		inOf(t).Fatal("reached")
	})
	if r.Failure == nil || !strings.Contains(said, "reached") {
		t.Errorf("%v: %s", r, said)
	}
}

// A failure would mean that bad input hangs, or that nothing is said of it.
func TestBadInput(t *testing.T) {
	for want, f := range map[string]func(){
		"take turns":        func() { Explore(func(*Exec) {}) },
		"Choose(n): n must": func() { Choose(0) },
	} {
		if r, said := tested(func(*testing.T) { f() }); r.Failure == nil || !strings.Contains(said, want) {
			t.Errorf("%q: %v: %s", want, r, said)
		}
	}
	if r := Explore(func(*Exec) {}, nil); r.Failure == nil || r.Failure.Kind != BadOption {
		t.Errorf("a nil option: %v", r)
	}
}
