//go:build explore

package explore

import (
	"reflect"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rouse-go/rouse/api/pulse"
	"github.com/rouse-go/rouse/explore/drive"
)

// strangers notices goroutines that are not threads.
type strangers struct {
	before int             // how many goroutines there were before the first thread
	known  map[string]bool // their ids
}

func (s *strangers) init() {
	for range 10 { // lets those that are ending end: there is one processor
		runtime.Gosched()
	}
	s.before = runtime.NumGoroutine()
	s.known = make(map[string]bool)
	for _, g := range strings.Split(stacks(), "\n\n") {
		s.known[idOf(g)] = true
	}
}

// check returns a failure if there are goroutines, after an execution, that are
// neither threads nor were there before. Their number tells, but for the first time:
// one that was there before may have ended.
func (s *strangers) check(e *engine) *Failure {
	mine := e.goroutines + e.leaked
	s.before = min(s.before, runtime.NumGoroutine()-mine)
	if e.report.Schedules > 1 && runtime.NumGoroutine() <= s.before+mine {
		return nil
	}
	// A thread that has exited, or something that was on its way out, may
	// need a moment.
	for look, number := 0, 0; ; look++ {
		if now := runtime.NumGoroutine(); now != number || look >= 1000 {
			number = now
			unknown := s.unknown()
			if unknown == "" {
				return nil
			} else if look == 1000+pulse.StillBeats {
				return &Failure{Kind: Foreign, Message: unknown}
			}
		}
		if runtime.Gosched(); look >= 1000 {
			time.Sleep(pulse.Beat)
		}
	}
}

// proceed lets goroutines that are no threads come to an operation, which is then the failure: all
// threads may be blocked because they wait for one.
//
//go:norace
func (s *strangers) proceed(e *engine) {
	for look := 0; look < 1000 && e.failure == nil && runtime.NumGoroutine() > s.before+e.goroutines+e.leaked; look++ {
		runtime.Gosched()
	}
}

// unknown returns the stacks of goroutines that are not threads, were not there before, and are not
// the runtime's, as that of finalizers is.
func (s *strangers) unknown() string {
	var all []string
	for _, g := range strings.Split(stacks(), "\n\n") {
		if !s.known[idOf(g)] && !strings.Contains(g, "explore.(*thread).serve") && !strings.Contains(g, "\ncreated by runtime.") {
			all = append(all, g)
		}
	}
	return strings.Join(all, "\n\n")
}

// idOf returns the number of the goroutine that a stack is of.
func idOf(stack string) string {
	f := strings.Fields(stack)
	if len(f) < 2 {
		return ""
	}
	return f[1]
}

// framesOf returns the calls of a stack, the innermost first. The last one is where the goroutine
// was started.
func framesOf(stack string) (all []runtime.Frame) {
	lines := strings.Split(stack, "\n")
	for i, line := range lines[1:] {
		if at, ok := strings.CutPrefix(line, "\t"); ok {
			at, _, _ = strings.Cut(at, " +0x")
			colon, called := max(0, strings.LastIndexByte(at, ':')), lines[i]
			number, _ := strconv.Atoi(strings.TrimPrefix(at[colon:], ":"))
			if strings.HasSuffix(called, ")") {
				called = called[:max(0, strings.LastIndexByte(called, '('))]
			}
			all = append(all, runtime.Frame{Function: called, File: at[:colon], Line: number})
		}
	}
	return all
}

// self returns the number of the calling goroutine.
func self() string {
	var buf [32]byte
	return idOf(string(buf[:runtime.Stack(buf[:], false)]))
}

// identify notes which goroutine the thread has.
//
//go:norace
func (t *thread) identify() {
	t.goroutine = self()
	hide()
	serving.Store(t.goroutine, t.e)
	unhide()
}

// isCaller reports whether the calling goroutine is the thread's. It costs a
// microsecond.
//
//go:norace
func (t *thread) isCaller() bool { return t.goroutine == self() }

// library is the folder of the standard library, as it is in stacks, or "" if they have none.
var library = func() string {
	f := runtime.FuncForPC(reflect.ValueOf(strings.Cut).Pointer())
	file, _ := f.FileLine(f.Entry())
	return strings.TrimSuffix(file, "strings/strings.go")
}()

// inLibrary reports whether a file is of the standard library.
func inLibrary(file string) bool { return library != "" && strings.HasPrefix(file, library) }

// foreign says what has started the goroutine of the first of the stacks, and what to do.
func (e *engine) foreign(stacks string) string {
	first, _, _ := strings.Cut(stacks, "\n\n")
	_, creation, _ := strings.Cut(first, "\ncreated by ")
	name, at, _ := strings.Cut(creation, "\n\t")
	name, _, _ = strings.Cut(name, " in goroutine ")
	what := "start it with prim.Go or Exec.Go"
	switch {
	case inLibrary(at):
		what = "the standard library is not rewritten: use something instead that starts no goroutine"
	case e.config.test != nil:
		what = "its package was not rewritten: name its module with the flag -with"
	}
	return "a goroutine that the explorer does not see, started by " + name + ": " + what + "\n" + stacks
}

// outside says which goroutines of the program could go on if there were no exploration, by where
// they begin: a thread may have waited for one, or one may have taken what the first execution sent.
func outside() string {
	var all []string
	for _, f := range drive.Outsiders() {
		if p := whereIs(f); p.line > 0 {
			all = append(all, p.String())
		}
	}
	if all == nil {
		return ""
	}
	slices.Sort(all)
	return "\n\tgoroutines that were started before the exploration wait for its end: " + strings.Join(slices.Compact(all), ", ")
}

// withoutOurs returns a stack without the explorer's own frames.
func withoutOurs(stack string) string {
	var b strings.Builder
	lines := strings.SplitAfter(stack, "\n")
	for i := 0; i < len(lines); i++ {
		if i+1 < len(lines) && strings.HasPrefix(lines[i+1], "\t") && ours(runtime.Frame{Function: lines[i], File: lines[i+1]}) {
			i++
			continue
		}
		b.WriteString(lines[i])
	}
	return b.String()
}

// intruder ends a goroutine that is not the thread whose turn it is.
//
//go:norace
func (e *engine) intruder() {
	if e.closing { // a coroutine ends
		runtime.Goexit()
	}
	buf := make([]byte, 1<<14)
	e.fail(Foreign, string(buf[:runtime.Stack(buf, false)]))
	runtime.Goexit()
}
