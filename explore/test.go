package explore

import (
	"fmt"
	"os"
	"reflect"
	"testing"
	"time"

	"github.com/rouse-go/rouse/explore/drive"
)

// Test runs f under schedule after schedule, until one fails or there are no others that could
// differ: first with no preemption, then one, then two, for as long as that is quick, and then
// all of them, see [Unbounded]. It fails t with the first that fails. The budget is a minute,
// see [MaxTime]; what was cut short is told in the log.
//
// The code under test, and the test, must be rewritten: run it by
//
//	go tool explore test -run TestX ./pkg
//
// Otherwise Test skips. The t of f belongs to one execution: it fails, logs, cleans up and ends
// that execution alone; what was logged is shown of the one that fails. What f and its
// goroutines use must be made anew in each. An execution ends when all of its goroutines have
// ended; one that is blocked for good fails it.
//
// With the flag -schedule of the command it replays that schedule alone: the last line of a
// failure is the command that does. With -html file the failure is a page for a browser, too.
func Test(t *testing.T, f func(t *testing.T), opts ...Option) {
	t.Helper()
	if !available || !drive.IsRewritten() {
		t.Skip("its code was not rewritten, so nothing can be explored: run it by go tool explore test -run '^" + t.Name() + "$'")
	}
	test(t, f, opts...)
}

// What is the default for Test: of MaxTime, and of Rounds, at first and after that.
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
		case r.UpTo != "":
			ran(t, "complete up to "+r.UpTo)
		}
	}
	return r
}

// Choose returns a number from 0 to n-1, each in some execution. It is for f of [Test], and for
// what that calls; elsewhere it returns 0. n is 1 to 64.
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

// Possible fails the test that f of [Test] belongs to unless ok is true in some execution: it
// shows that a test reaches what it is about. Calls with the same what are about the same. A
// call that no execution comes to counts as one with false if what is a constant, and the call is
// in the function TestX of the test, a literal in it, or a function or method that is declared in
// the same package and that it refers to, itself or by others of these. It counts for each call of
// [Test] in TestX, in subtests, too, but not for one whose f is another literal, or another function
// by its name.
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
	pageVariable   = "EXPLORE_HTML" // a file for the failure, the last one, as a page
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
	w, err := os.Create(name)
	if err != nil {
		t.Error(err)
		return
	}
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
