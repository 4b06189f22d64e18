package explore

import (
	"fmt"
	"os"
	"reflect"
	"testing"
	"time"

	"github.com/rouse-go/rouse/explore/drive"
	"github.com/rouse-go/rouse/explore/internal/pages"
)

// Test runs f under schedule after schedule, until one fails or no schedule is left that could make
// a difference. Schedules with no preemption come first, then those with one and with two, while that
// is quick, and then all of them, see [Unbounded]. Test fails t with the first schedule that fails.
// It stops after a minute, see [MaxTime], and then logs how far it has come.
//
// The command explore must rewrite the test and the code under test:
//
//	go tool explore test -run TestX ./pkg
//
// Otherwise Test skips.
//
// f must create everything that it and its goroutines use. The t of f belongs to one execution: it
// fails, logs, cleans up and ends that execution alone, and you see the log of the execution that
// fails. An execution ends when all of its goroutines have ended; it fails if one is blocked for good.
//
// With the flag -schedule of the command, Test runs only that schedule: the last line of a
// failure is the command that does it. With -html file, the command also writes each failure as
// a page for a browser: the second one is in file-2.
func Test(t *testing.T, f func(t *testing.T), opts ...Option) {
	t.Helper()
	if !available || !drive.IsRewritten() {
		t.Skip("its code was not rewritten, so nothing can be explored: run it with go tool explore test -run '^" + t.Name() + "$'")
	}
	test(t, f, opts...)
}

// The defaults of Test: for MaxTime, and for Rounds, at first and after that.
const (
	budget = time.Minute
	rounds = 2
	deeper = 8
)

func test(t testing.TB, f func(t *testing.T), opts ...Option) Report {
	t.Helper()
	ran(t, "")
	possible := new(possibilities)
	for _, what := range drive.Expected(t.Name(), reflect.ValueOf(f).Pointer()) {
		possible.all = append(possible.all, possibility{what: what})
	}
	all := []Option{Unbounded(), MaxTime(budget), func(c *config) {
		c.rounds, c.deeper = rounds, deeper
		c.test, c.body, c.possible = t, f, possible
	}}
	q, all, does := prepare(t, append(append(all, opts...), fromEnvironment()...))
	if !does {
		return Report{}
	}
	r := Explore(nil, all...)
	switch {
	case r.elsewhere(t):
	case r.Failure != nil:
		q.fail(t, r, true)
	case q.asked:
		t.Log("the schedule does not fail:", r)
	case possible.skipped == r.Schedules:
		t.Skipf("each of %d executions was skipped, the last one after:\n%s", r.Schedules, possible.why)
	default:
		possible.check(t, r)
		t.Log(r)
		switch {
		case r.Cut != "":
			ran(t, fmt.Sprintf("cut by %s after %d executions, %s", r.Cut, r.Schedules, r.known()))
		case len(r.Drawn) > 0 && r.UpTo != "":
			ran(t, "complete up to "+r.UpTo+", "+r.chance())
		case len(r.Drawn) > 0:
			ran(t, "complete, "+r.chance())
		case r.UpTo != "":
			ran(t, "complete up to "+r.UpTo)
		}
	}
	return r
}

// Choose returns a number from 0 to n-1, each in some execution. Call it in the function that you
// pass to [Test], or in what that calls; elsewhere it returns 0. n is 1 to 64.
func Choose(n int) int { return drive.Choose(n) }

// possibilities are what [Possible] was asked, and whether it held, and what else executions of
// a test leave behind.
type possibilities struct {
	all     []possibility
	skipped int    // executions
	why     string // the last one was skipped
	//lint:ignore U1000 it is used with the tag explore alone
	temp string // where they have their directories
}

type possibility struct {
	what string
	ok   bool
}

// Possible fails the test unless ok is true in some execution: it shows that a test reaches the case
// that it is about. Calls with the same what are about the same case. Possible is checked for each
// call of [Test] by itself.
//
// A call of Possible that no execution reaches also fails the test, if what is a constant and the
// call is in the function TestX, in a function literal there, or in a function or method of the same
// package that TestX refers to, directly or through others. A call in a literal, or in a function by
// name, that is passed to one call of Test does not count for the other calls of Test.
func Possible(t testing.TB, ok bool, what string) {
	if n, is := drive.TB(t).(interface{ possible(what string, ok bool) }); is {
		n.possible(what, ok)
	}
}

func (p *possibilities) check(t testing.TB, r Report) {
	t.Helper()
	cut := ""
	if r.Cut != "" {
		cut = ", which were cut short by " + r.Cut
	}
	for _, q := range p.all {
		if !q.ok {
			t.Errorf("in none of %d executions%s: %s", r.Schedules, cut, q.what)
		}
	}
}

// The environment variables of the command.
const (
	boundVariable  = "EXPLORE_BOUND"
	budgetVariable = "EXPLORE_BUDGET"
	roundsVariable = "EXPLORE_ROUNDS"
	pageVariable   = "EXPLORE_HTML" // a file for the failure as a page; see package pages
	ranVariable    = "EXPLORE_RAN"
	othersVariable = "EXPLORE_OTHERS" // modules that are used and not rewritten
)

func fromEnvironment() (all []Option) {
	var n int
	if _, err := fmt.Sscan(os.Getenv(boundVariable), &n); err == nil {
		all = append(all, Bound(n))
	}
	if _, err := fmt.Sscan(os.Getenv(roundsVariable), &n); err == nil {
		all = append(all, Rounds(n))
	}
	if d, err := time.ParseDuration(os.Getenv(budgetVariable)); err == nil {
		all = append(all, MaxTime(d))
	}
	return all
}

func writePage(t testing.TB, f *Failure) {
	t.Helper()
	name := os.Getenv(pageVariable)
	if name == "" {
		return
	}
	w, err := pages.Create(name)
	if err != nil {
		t.Error(err)
		return
	}
	t.Log("the failure as a page: " + w.Name())
	if err := f.WriteHTML(w); err != nil {
		t.Error(err)
	}
	if err := w.Close(); err != nil {
		t.Error(err)
	}
}

// ran tells the command that there is a test that explores, and what a user should know of it
// though it passes.
func ran(t testing.TB, what string) {
	name := os.Getenv(ranVariable)
	if name == "" {
		return
	}
	f, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := fmt.Fprintf(f, "%s\t%s\n", t.Name(), what); err != nil {
		t.Error(err)
	}
	if err := f.Close(); err != nil {
		t.Error(err)
	}
}
