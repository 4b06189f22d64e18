//go:build explore

package explore

import (
	"fmt"
	"os"
	"time"
)

// progressVariable names a file for the line that tells how far a test has come: go test keeps
// what tests print until they end, so the command shows the line.
const progressVariable = "EXPLORE_PROGRESS"

// A progress tells how far a test has come, if there is a terminal: in one line that changes.
// That of the zero value tells nothing.
type progress struct {
	name     string
	file     string
	terminal bool
	next     time.Duration
}

const progressEvery = time.Second / 2

func newProgress(name string) progress {
	p := progress{name: name, file: os.Getenv(progressVariable), next: progressEvery}
	if info, err := os.Stderr.Stat(); err == nil && p.file == "" {
		p.terminal = info.Mode()&os.ModeCharDevice != 0
	}
	return p
}

// tell is called after each schedule.
func (e *engine) tell(start time.Time) {
	p := &e.progress
	if p.file == "" && !p.terminal {
		return
	}
	passed := time.Since(start)
	if passed < p.next {
		return
	}
	p.next = passed + progressEvery
	line := p.line(&e.config, e.limit, e.report.Schedules, passed)
	if p.terminal {
		fmt.Fprintf(os.Stderr, "\r\x1b[K%s", line)
		return
	}
	os.WriteFile(p.file, []byte(line), 0o666) // if it cannot be told, the test goes on
}

func (p *progress) line(c *config, limit, executions int, passed time.Duration) string {
	of, phase := "", "all orders"
	if c.maxTime > 0 {
		of = fmt.Sprintf(" of %v", c.maxTime)
	}
	if c.strategy == bounded {
		phase = fmt.Sprintf("%d preemptions", limit)
	}
	return fmt.Sprintf("%s: %d executions in %v%s, %.0f/s, %s", p.name, executions, passed.Round(time.Second), of, float64(executions)/passed.Seconds(), phase)
}

func (p *progress) end() {
	if p.terminal {
		fmt.Fprint(os.Stderr, "\r\x1b[K")
	}
}
