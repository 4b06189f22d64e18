//go:build explore

package explore

import (
	"fmt"
	"runtime"
	"strings"
	"sync/atomic"
	"time"

	"github.com/rouse-go/rouse/api/pulse"
)

// A watchdog notices that an execution does not end: a thread has blocked where the
// explorer does not see it, or goes on without an operation. Operations themselves are
// counted. Executions are too short to have a timer each.
type watchdog struct {
	limit time.Duration // of processor time
	begun atomic.Uint64 // executions
	rests atomic.Bool   // there is no execution to watch
	hung  chan string
	quit  chan struct{}
	ended chan struct{}
}

func newWatchdog(limit time.Duration) *watchdog {
	w := &watchdog{limit: limit, hung: make(chan string, 1), quit: make(chan struct{}), ended: make(chan struct{})}
	go w.run()
	return w
}

// stop returns when the goroutine ends: the next exploration counts how many there are.
func (w *watchdog) stop() {
	close(w.quit)
	<-w.ended
}

// begin says that an execution begins.
func (w *watchdog) begin() { w.begun.Add(1) }

func (w *watchdog) run() {
	defer close(w.ended)
	tick := time.NewTimer(pulse.Beat)
	defer tick.Stop()
	for last := w.begun.Load(); ; last = w.begun.Load() {
		p := pulse.Pulse{Limit: w.limit}
		if why := w.watch(&p, tick, last); why != "" {
			w.hung <- why
			return
		}
		select {
		case <-w.quit:
			return
		default:
		}
	}
}

// watch returns why the execution of the given number counts as hung, or "" when the
// next one has begun or there is no more to watch.
func (w *watchdog) watch(p *pulse.Pulse, tick *time.Timer, execution uint64) (why string) {
	defer p.Start()()
	for w.begun.Load() == execution {
		tick.Reset(pulse.Beat)
		select {
		case <-w.quit:
			return ""
		case <-tick.C:
		}
		if w.rests.Load() {
			return ""
		}
		if why := p.Beat(1); why != "" && w.begun.Load() == execution {
			return why
		}
	}
	return ""
}

// wait returns "" when the execution is done, or says why it will not be: by what loops says of
// the stacks of all goroutines, if it finds something there.
func (w *watchdog) wait(done <-chan struct{}, loops func(stacks string) string) string {
	why := ""
	hide()
	select {
	case <-done:
	case why = <-w.hung:
	}
	unhide()
	if why == "" {
		return ""
	}
	all := stacks()
	because := heldUp(all)
	if because == "" {
		because = loops(all)
	}
	if because == "" {
		because = "the explorer cannot drive channels, mutexes and timers of code that is neither rewritten nor built on package prim"
	}
	return fmt.Sprintf("an execution does not end (%s); %s\n%s", why, because, all)
}

// heldUp says which goroutine waits for a lock of the standard library's own, if one does: a thread
// that has it takes a step, in what the library calls meanwhile.
func heldUp(stacks string) string {
	for _, g := range strings.Split(stacks, "\n\n") {
		head, _, _ := strings.Cut(g, "\n")
		if !strings.Contains(head, "[sync.Mutex.") && !strings.Contains(head, "[sync.RWMutex.") {
			continue
		}
		called := ""
		for _, f := range framesOf(g) {
			if inLibrary(f.File) {
				called = f.Function
				continue
			}
			if called == "" || strings.HasPrefix(called, "sync.") {
				break
			}
			return called + ", called at " + site{f.File, f.Line}.String() + ", waits for a lock of the standard library; " +
				"the thread that holds it is in code that the library has called, such as a Write or String method of yours: " +
				"this code must take no step, and locking a mutex is one"
		}
	}
	return ""
}

// loops says where the thread is whose turn it is, if it waits for nothing.
//
//go:norace
func (e *engine) loops(stacks string) string {
	t := e.current
	if t == nil {
		return ""
	}
	for _, g := range strings.Split(stacks, "\n\n") {
		head, _, _ := strings.Cut(g, "\n")
		if idOf(head) != t.goroutine || !strings.Contains(head, "[runnable") && !strings.Contains(head, "[running") {
			continue
		}
		for _, f := range framesOf(g) {
			if ours(f) || strings.HasPrefix(f.Function, "github.com/rouse-go/rouse/explore.") || inLibrary(f.File) {
				continue
			}
			return "thread " + t.label() + " is at " + site{f.File, f.Line}.String() + " and reaches no operation: " +
				"a loop does not end, or waits for code that is neither rewritten nor built on package prim"
		}
	}
	return ""
}

// stacks returns those of all goroutines, up to a megabyte.
func stacks() string {
	for n := 1 << 15; ; n *= 2 {
		buf := make([]byte, n)
		if k := runtime.Stack(buf, true); k < n || n == 1<<20 {
			return string(buf[:k])
		}
	}
}
