//go:build explore

package explore

import (
	"fmt"
	"os"
	"time"
)

// A progress tells how far a test has come: on a terminal in one line that changes, elsewhere
// once in a while in a line of its own. That of the zero value tells nothing.
type progress struct {
	name     string
	terminal bool
	every    time.Duration
	next     time.Duration
}

func newProgress(name string) progress {
	if info, err := os.Stderr.Stat(); err == nil && info.Mode()&os.ModeCharDevice != 0 {
		return progress{name: name, terminal: true, every: time.Second / 2, next: time.Second / 2}
	}
	return progress{name: name, every: 10 * time.Second, next: 10 * time.Second}
}

// tell is called once in a while.
func (p *progress) tell(executions int, start time.Time) {
	if p.every == 0 {
		return
	}
	passed := time.Since(start)
	if passed < p.next {
		return
	}
	p.next = passed + p.every
	line := fmt.Sprintf("%s: %d executions in %v, %.0f/s", p.name, executions, passed.Round(time.Second/10), float64(executions)/passed.Seconds())
	if p.terminal {
		fmt.Fprintf(os.Stderr, "\r\x1b[K%s", line)
	} else {
		fmt.Fprintln(os.Stderr, line)
	}
}

func (p *progress) end() {
	if p.terminal {
		fmt.Fprint(os.Stderr, "\r\x1b[K")
	}
}
