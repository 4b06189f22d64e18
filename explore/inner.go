//go:build explore

package explore

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
	"unsafe"

	"github.com/rouse-go/rouse/explore/drive"
	twincontext "github.com/rouse-go/rouse/explore/twin/context"
)

// An inner stands for the *testing.T of one execution. Rewritten code calls its methods in
// place of those of T, and gives it to other code where that takes an interface. Code that takes
// a *testing.T, and was not rewritten, has a zero T, which can fail, and can log to nowhere.
type inner struct {
	*testing.T
	e        *engine
	outer    testing.TB
	log      []string
	cleanups []func()
	helpers  []string // functions that lines are not those of
	cancel   func()   // of ctx
	ctx      context.Context
	temps    int // directories that TempDir has made
	skipped  bool
	failed   bool
	late     bool     // the execution has ended
	been     visits   // where its cleaning up has called Again
	over     bool     // the test has ended, in the execution
	parent   *inner   // of one that Run has made, or nil
	name     string   // of that
	runs     *thread  // its function, or nil
	at       *subtest // with -all
	parts    []*inner
}

// run is the execution of f in thread 0, with what it wants to be cleaned up.
func (n *inner) run(f func(t *testing.T)) {
	defer func() {
		if n.skipped && !n.e.aborting {
			n.clean()
			n.ends()
		}
	}()
	f(n.T)
	n.clean()
	n.ends()
}

// ends ends the test. That is a step if other threads may tell it something.
func (n *inner) ends() {
	if n.e.extra.Ends {
		drive.Step(drive.OpEnd, unsafe.Pointer(&n.over))
	}
	n.over = true
}

// tells is called before a thread logs to the test. In Go, it panics to log to a test that has ended
// with all that it is a part of. (So it does to fail a test that has ended, but that fails anyway.)
func (n *inner) tells(message string) {
	e := n.e
	if n.root().late {
		return
	}
	if t := e.enter(); t == n.runs || n.parent == nil && t == e.threads[0] {
		return
	}
	if !e.extra.Ends && e.config.strategy != replay {
		e.wanted.Ends, e.restart = true, true
	}
	var tests []unsafe.Pointer
	for p := n; p != nil; p = p.parent {
		tests = append(tests, unsafe.Pointer(&p.over))
	}
	drive.Steps(drive.OpTell, nil, tests, nil)
	if e.traced {
		e.Note("", drive.Text(message))
	}
	over := true
	for p := n; p != nil; p = p.parent {
		over = over && p.over
	}
	if over {
		drive.Fail("Log in goroutine after " + n.Name() + " has completed: " + message)
	}
}

// root returns the one of the whole test.
func (n *inner) root() *inner {
	for n.parent != nil {
		n = n.parent
	}
	return n
}

func (n *inner) write(line string) {
	n = n.root()
	n.log = append(n.log, line)
}

func (n *inner) clean() {
	if n.cancel != nil {
		n.cancel()
	}
	for clean := n.next(); clean != nil; clean = n.next() {
		clean()
	}
}

// next takes the function that Cleanup was given last.
func (n *inner) next() (clean func()) {
	if last := len(n.cleanups) - 1; last >= 0 {
		clean = n.cleanups[last]
		n.cleanups = n.cleanups[:last]
	}
	return clean
}

// finish cleans up what an execution has left that ended early.
func (n *inner) finish() {
	n.late = true
	if len(n.cleanups) > 0 {
		drive.Install(afterwards{n: n})
		if n.cancel != nil {
			n.apart(n.cancel)
		}
		for clean := n.next(); clean != nil; clean = n.next() {
			n.apart(clean)
		}
		drive.Install(twins{n.e})
	}
	if n.temps > 0 {
		if err := os.RemoveAll(n.e.config.possible.temp); err != nil {
			n.log = append(n.log, err.Error())
		}
	}
	if n.skipped && n.e.config.strategy != replay {
		p := n.e.config.possible
		p.skipped++
		p.why = strings.Join(n.log, "\n")
	}
}

// apart calls f in a goroutine, which ends where f would wait.
func (n *inner) apart(f func()) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer func() {
			if r := recover(); r != nil {
				n.log = append(n.log, "in a function given to Cleanup: panic: "+text(r))
			}
		}()
		f()
	}()
	<-done
}

// An afterwards drives what cleans up after an execution that has failed or was skipped: no
// other thread is left. What would wait, or starts another thread, has come too late.
type afterwards struct {
	drive.None
	n *inner
}

func (a afterwards) Random() uint64                      { return a.n.e.random() }
func (afterwards) Go(func())                             {}
func (afterwards) Daemon(func())                         {}
func (a afterwards) Still(set bool) bool                 { return twins{a.n.e}.Still(set) }
func (afterwards) Rounds() int                           { return rounds }
func (a afterwards) OnEnd(f func())                      { a.n.e.onEnd = append(a.n.e.onEnd, f) }
func (a afterwards) TB(t testing.TB) testing.TB          { return twins{a.n.e}.TB(t) }
func (a afterwards) Again(value int64) (times, idle int) { return a.n.been.again(value, 0) }

// AwaitLast is what a loop comes to that waits for others.
func (afterwards) AwaitLast(drive.Op, unsafe.Pointer, func() bool) { runtime.Goexit() }

func (afterwards) Step(_ drive.Op, _ unsafe.Pointer, _ []unsafe.Pointer, ready func() bool) {
	if ready != nil && !ready() {
		runtime.Goexit()
	}
}

// end returns what is wrong with the execution, which has ended.
func (n *inner) end(f *Failure) *Failure {
	if f == nil && n.unseen() {
		f = &Failure{Kind: Asserted, Message: "code that was not rewritten failed the test, and its message is lost; -with its module shows it"}
	}
	if f != nil {
		f.Log = strings.Join(n.log, "\n")
	}
	return f
}

// place puts the line of the caller before what it says.
func (n *inner) place(message string) string {
	pcs := make([]uintptr, 24)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(3, pcs)])
	for {
		f, more := frames.Next()
		if more && (strings.Contains(f.Function, "explore.(*inner).") || slices.Contains(n.helpers, f.Function)) {
			continue
		}
		return fmt.Sprintf("%s:%d: %s", f.File[strings.LastIndexByte(f.File, '/')+1:], f.Line, message)
	}
}

// withoutTrace drops lines that are but a place in the explorer: testify lists the calls up to a function
// TestX, and the body of a test is none.
func withoutTrace(message string) string {
	if !strings.Contains(message, "Error Trace:") {
		return message
	}
	own := make(map[string]bool)
	pcs := make([]uintptr, 64)
	for frames, more := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs)]), true; more; {
		var f runtime.Frame
		if f, more = frames.Next(); strings.HasPrefix(f.File, ownFolder) || strings.HasPrefix(f.Function, "runtime.") {
			place := fmt.Sprintf("%s:%d", f.File, f.Line)
			own[place], own[filepath.Base(place)] = true, true // as old versions have it
		}
	}
	var b strings.Builder
	for line := range strings.Lines(message) {
		if !own[strings.TrimSpace(line)] {
			b.WriteString(line)
		}
	}
	return b.String()
}

// note adds to the log.
func (n *inner) note(message string) {
	line := n.place(message)
	n.tells(message)
	n.write(line)
}

// noteError is note, and fails the execution.
func (n *inner) noteError(message string) {
	message = n.place(withoutTrace(message))
	for p := n; p != nil; p = p.parent {
		p.failed = true
	}
	if n.root().late {
		n.write(message)
		return
	}
	n.e.enter()
	n.e.noteError(message)
}

// exit ends the execution.
func (n *inner) exit() {
	if n.root().late {
		runtime.Goexit()
	}
	n.e.abort()
}

func (n *inner) Log(args ...any) { n.note(trimmed(fmt.Sprintln(args...))) }

func (n *inner) Logf(format string, args ...any) { n.note(fmt.Sprintf(format, args...)) }

func (n *inner) Error(args ...any) { n.noteError(trimmed(fmt.Sprintln(args...))) }

func (n *inner) Errorf(format string, args ...any) { n.noteError(fmt.Sprintf(format, args...)) }

func (n *inner) Fatal(args ...any) {
	n.noteError(trimmed(fmt.Sprintln(args...)))
	n.exit()
}

func (n *inner) Fatalf(format string, args ...any) {
	n.noteError(fmt.Sprintf(format, args...))
	n.exit()
}

func (n *inner) Fail() { n.noteError("failed") }

func (n *inner) FailNow() {
	if !n.failed {
		n.Fail()
	}
	n.exit()
}

func (n *inner) Failed() bool { return n.failed || n.unseen() }

// unseen reports whether code that was not rewritten has failed the test, or a part of it.
func (n *inner) unseen() bool {
	return n.T.Failed() || slices.ContainsFunc(n.parts, (*inner).unseen)
}

func (n *inner) Skip(args ...any) {
	n.Log(args...)
	n.SkipNow()
}

func (n *inner) Skipf(format string, args ...any) {
	n.Logf(format, args...)
	n.SkipNow()
}

// SkipNow ends the thread. The others go on, for what they would still do decides which other
// executions there are; that they can then wait forever is no failure.
func (n *inner) SkipNow() {
	late := n.root().late
	if !late {
		n.e.enter()
	}
	n.skipped = true
	if n.parent != nil && !late && n.runs == n.e.current {
		panic(n) // for Run
	}
	runtime.Goexit()
}

func (n *inner) Skipped() bool { return n.skipped }

func (n *inner) Helper() {
	pcs := make([]uintptr, 1)
	f, _ := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs)]).Next()
	if !slices.Contains(n.helpers, f.Function) {
		n.helpers = append(n.helpers, f.Function)
	}
}

func (n *inner) Name() string {
	if n.parent != nil {
		return n.parent.Name() + "/" + n.name
	}
	return n.outer.Name()
}

// TempDir returns a directory that the execution has for itself, of a name that the next one
// gives again.
func (n *inner) TempDir() string {
	p := n.e.config.possible
	if p.temp == "" {
		p.temp = filepath.Join(n.outer.TempDir(), "explore")
	}
	r := n.root()
	r.temps++
	dir := filepath.Join(p.temp, fmt.Sprintf("%03d", r.temps))
	if err := os.MkdirAll(dir, 0o777); err != nil {
		n.Fatalf("TempDir: %v", err)
	}
	return dir
}

// ArtifactDir is the same in each execution: what the last one writes stays.
func (n *inner) ArtifactDir() string {
	if t, ok := n.outer.(interface{ ArtifactDir() string }); ok {
		return t.ArtifactDir()
	}
	return n.TempDir()
}

// Context is canceled before what is to be cleaned up.
func (n *inner) Context() context.Context {
	if n.ctx == nil {
		n.ctx, n.cancel = twincontext.WithCancel(twincontext.Background())
	}
	return n.ctx
}

// Output writes to the log.
func (n *inner) Output() io.Writer { return output{n} }

type output struct{ *inner }

func (o output) Write(p []byte) (int, error) {
	line := strings.TrimSuffix(string(p), "\n")
	o.tells(line)
	o.write(line)
	return len(p), nil
}

func (n *inner) Attr(key, value string) {
	n.write(fmt.Sprintf("attribute %s: %s", key, value))
}

// Cleanup has f called when the function of the test has returned, as a part of the execution;
// or after it, if it ends early.
func (n *inner) Cleanup(f func()) { n.cleanups = append(n.cleanups, f) }

func (n *inner) refuse(what, why string) {
	n.Fatalf("t.%s cannot be called in an execution: %s", what, why)
}

func (n *inner) Parallel() {
	if n.e.config.all {
		return
	}
	n.refuse("Parallel", "executions take turns; only goroutines of one execution run in parallel")
}

func (n *inner) Setenv(string, string) {
	n.refuse("Setenv", "the environment belongs to the process; set it before explore.Test")
}

func (n *inner) Chdir(string) {
	n.refuse("Chdir", "the directory belongs to the process; change it before explore.Test")
}

func (n *inner) Deadline() (time.Time, bool) { return time.Time{}, false }

func trimmed(s string) string { return strings.TrimSuffix(s, "\n") }

// possible notes that something may hold in some execution. It is used by each thread in turn,
// unseen by the race detector.
//
//go:norace
func (n *inner) possible(what string, ok bool) {
	n.e.enter()
	n.e.config.possible.note(what, ok)
}

//go:norace
func (p *possibilities) note(what string, ok bool) {
	for i := range p.all {
		if q := &p.all[i]; q.what == what {
			q.ok = q.ok || ok
			return
		}
	}
	p.all = append(p.all, possibility{what, ok})
}
