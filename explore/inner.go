//go:build explore

package explore

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"
)

// An inner stands for the *testing.T of one execution. Rewritten code calls its methods in
// place of those of T. Code that was not rewritten calls those of a zero T, which can fail, and
// can log to nowhere.
type inner struct {
	*testing.T
	e        *engine
	outer    testing.TB
	log      []string
	cleanups []func()
	skipped  bool
	failed   bool
}

// run is the execution of f in thread 0.
func (n *inner) run(f func(t *testing.T)) {
	f(n.T)
	for len(n.cleanups) > 0 {
		last := len(n.cleanups) - 1
		clean := n.cleanups[last]
		n.cleanups = n.cleanups[:last]
		clean()
	}
}

// end returns what is wrong with the execution, which has ended.
func (n *inner) end(f *Failure) *Failure {
	if f == nil && n.T.Failed() {
		f = &Failure{Kind: Asserted, Message: "code that was not rewritten has failed the test"}
	}
	if f != nil {
		f.Log = strings.Join(n.log, "\n")
	}
	return f
}

// note adds to the log, with the line of the caller's caller.
func (n *inner) note(message string) {
	if _, file, line, ok := runtime.Caller(2); ok {
		message = fmt.Sprintf("%s:%d: %s", file[strings.LastIndexByte(file, '/')+1:], line, message)
	}
	n.log = append(n.log, message)
}

// noteError is note, and fails the execution.
func (n *inner) noteError(message string) {
	n.failed = true
	n.e.enter()
	n.e.noteError(message)
}

func (n *inner) Log(args ...any) { n.note(trimmed(fmt.Sprintln(args...))) }

func (n *inner) Logf(format string, args ...any) { n.note(fmt.Sprintf(format, args...)) }

func (n *inner) Error(args ...any) { n.noteError(trimmed(fmt.Sprintln(args...))) }

func (n *inner) Errorf(format string, args ...any) { n.noteError(fmt.Sprintf(format, args...)) }

func (n *inner) Fatal(args ...any) {
	n.noteError(trimmed(fmt.Sprintln(args...)))
	n.e.abort()
}

func (n *inner) Fatalf(format string, args ...any) {
	n.noteError(fmt.Sprintf(format, args...))
	n.e.abort()
}

func (n *inner) Fail() { n.noteError("failed") }

func (n *inner) FailNow() {
	if !n.failed {
		n.Fail()
	}
	n.e.abort()
}

func (n *inner) Failed() bool { return n.failed || n.T.Failed() }

func (n *inner) Skip(args ...any) {
	n.Log(args...)
	n.SkipNow()
}

func (n *inner) Skipf(format string, args ...any) {
	n.Logf(format, args...)
	n.SkipNow()
}

// SkipNow ends the execution, and says nothing of the others.
func (n *inner) SkipNow() {
	n.skipped = true
	n.e.abort()
}

func (n *inner) Skipped() bool { return n.skipped }

func (n *inner) Helper() {}

func (n *inner) Name() string { return n.outer.Name() }

func (n *inner) TempDir() string { return n.outer.TempDir() }

func (n *inner) Context() context.Context { return context.Background() }

// Cleanup has f called when the function of the test has returned. An execution that fails ends
// where it is, and calls none.
func (n *inner) Cleanup(f func()) { n.cleanups = append(n.cleanups, f) }

func (n *inner) refuse(what, why string) {
	n.Fatalf("t.%s cannot be called in an execution: %s", what, why)
}

func (n *inner) Run(string, func(t *testing.T)) bool {
	n.refuse("Run", "call explore.Test in each subtest instead")
	return false
}

func (n *inner) Parallel() {
	n.refuse("Parallel", "executions take turns; goroutines of one are what runs in parallel")
}

func (n *inner) Setenv(string, string) {
	n.refuse("Setenv", "the environment is the process's; set it before explore.Test")
}

func (n *inner) Chdir(string) {
	n.refuse("Chdir", "the directory is the process's; change it before explore.Test")
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
