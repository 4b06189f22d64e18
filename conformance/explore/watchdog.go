//go:build explore

package explore

import (
	"fmt"
	"runtime"
	"sync/atomic"
	"time"
)

// A watchdog notices that an execution does not end. Executions are too short
// to have a timer each.
type watchdog struct {
	patience time.Duration
	begun    atomic.Uint64 // executions
	hung     chan struct{}
	quit     chan struct{}
}

func newWatchdog(patience time.Duration) *watchdog {
	w := &watchdog{patience: patience, hung: make(chan struct{}, 1), quit: make(chan struct{})}
	go w.run()
	return w
}

func (w *watchdog) stop() { close(w.quit) }

// begin says that an execution begins.
func (w *watchdog) begin() { w.begun.Add(1) }

const ticks = 4

func (w *watchdog) run() {
	tick := time.NewTicker(w.patience / ticks)
	defer tick.Stop()
	last, same := uint64(0), 0
	for {
		select {
		case <-w.quit:
			return
		case <-tick.C:
		}
		if n := w.begun.Load(); n != last {
			last, same = n, 0
		} else if same++; same == ticks {
			w.hung <- struct{}{}
			return
		}
	}
}

// wait returns "" when the execution is done, or says why it will not be.
func (w *watchdog) wait(done <-chan struct{}) string {
	select {
	case <-done:
		return ""
	case <-w.hung:
		return fmt.Sprintf("no end after %v; channels, mutexes and timers that are not of package prim cannot be driven\n%s", w.patience, stacks())
	}
}

func stacks() string {
	buf := make([]byte, 1<<20)
	return string(buf[:runtime.Stack(buf, true)])
}
