package explore

import (
	"os"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// An exploration can be shared among processes. That which the test runs in leads: it starts the
// others, of the same program, and tells them by an environment variable which exploration they
// take part in. The one that leads is in lead.go, the others are in member.go.

const processesVariable = "EXPLORE_PROCESSES"

// aloneFirst is how many schedules of a search one process runs before it starts others.
const aloneFirst = 5000

// A call is one of Test or Check, as other processes know it.
type call struct {
	test string
	n    int // of the calls of that test, from 1; 0 if others cannot know it
}

var (
	calling sync.Mutex
	calls   = make(map[*testing.T]int)
)

// callOf says which call of the test this is.
func callOf(tb testing.TB) call {
	t, ok := tb.(*testing.T)
	if !ok {
		return call{}
	}
	calling.Lock()
	defer calling.Unlock()
	if calls[t] == 0 {
		t.Cleanup(func() {
			calling.Lock()
			defer calling.Unlock()
			delete(calls, t)
		})
	}
	calls[t]++
	return call{t.Name(), calls[t]}
}

func (c call) option() Option { return func(config *config) { config.call = c } }

// String is the value of the variable.
func (c call) String() string { return strconv.Itoa(c.n) + " " + c.test }

// pattern is for -test.run: it matches the test alone. It has no double quotes, for those of Windows's
// shells cannot have any.
func (c call) pattern() string {
	parts := strings.Split(c.test, "/")
	for i, p := range parts {
		parts[i] = "^" + strings.ReplaceAll(regexp.QuoteMeta(p), `"`, `\x22`) + "$"
	}
	return strings.Join(parts, "/")
}

func processesFromEnvironment(c *config) {
	if text := os.Getenv(processesVariable); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil {
			n = -1 // which is no option
		}
		c.processes = n
	}
}

// A part is what a process has in an exploration that is shared.
type part uint8

const (
	whole  part = iota
	took        // it took part, for another process
	absent      // it is to take part in another exploration
)

// elsewhere reports whether another process reports the result. The test ends if this one has
// done what it is here for.
func (r Report) elsewhere(t testing.TB) bool {
	if r.part == took {
		t.SkipNow()
	}
	return r.part != whole
}
