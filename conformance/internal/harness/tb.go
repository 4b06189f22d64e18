package harness

import (
	"fmt"
	"regexp"
	"runtime"
	"testing"
)

// TB is r for a library that wants a testing.TB: package rapid. Rapid recovers a panic of the
// part under test, and its reports begin with words of its own. Here they begin with the rule
// that they cite, or with the one at stake.
func (r *Run) TB() testing.TB { return tb{r.T, r} }

type tb struct {
	*testing.T
	r *Run
}

var citation = regexp.MustCompile(`\b([A-Z][0-9]+): `)

func (b tb) Error(args ...any) {
	b.T.Helper()
	text, rule := fmt.Sprint(args...), b.r.claim.Load().rule
	if m := citation.FindStringSubmatch(text); m != nil {
		rule = m[1]
	}
	b.r.Report(rule, "%s", text)
}

func (b tb) Errorf(f string, a ...any) { b.T.Helper(); b.Error(fmt.Sprintf(f, a...)) }
func (b tb) Fatal(args ...any)         { b.T.Helper(); b.Error(args...); runtime.Goexit() }
func (b tb) Fatalf(f string, a ...any) { b.T.Helper(); b.Error(fmt.Sprintf(f, a...)); runtime.Goexit() }
func (b tb) FailNow()                  { b.Fatal("it fails") }
