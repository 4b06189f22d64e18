//go:build explore

package explore

import (
	"fmt"
	"runtime"
	"sync/atomic"
	"time"

	"github.com/rouse-go/rouse/explore/pulse"
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
}

func newWatchdog(limit time.Duration) *watchdog {
	w := &watchdog{limit: limit, hung: make(chan string, 1), quit: make(chan struct{})}
	go w.run()
	return w
}

func (w *watchdog) stop() { close(w.quit) }

// begin says that an execution begins.
func (w *watchdog) begin() { w.begun.Add(1) }

func (w *watchdog) run() {
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

// wait returns "" when the execution is done, or says why it will not be.
func (w *watchdog) wait(done <-chan struct{}) string {
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
	return fmt.Sprintf("no end of an execution (%s); channels, mutexes and timers of code that is neither rewritten nor built on package prim cannot be driven\n%s", why, stacks())
}

func stacks() string {
	buf := make([]byte, 1<<20)
	return string(buf[:runtime.Stack(buf, true)])
}
