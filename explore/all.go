//go:build explore

package explore

import (
	"fmt"
	"os"
	"runtime/debug"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rouse-go/rouse/explore/drive"
)

// The flag -all of the command has each test call exploreTest, and reads what that tells.

// The environment variables of the flag. The first one has the budget of a test; the second names a file
// with a line for each test that is not to be explored: its package, its name, and whether it is to run as
// it is; the third is what GOWORK was.
const (
	allVariable  = "EXPLORE_ALL"
	planVariable = "EXPLORE_PLAN"
	workVariable = "EXPLORE_GOWORK"
)

// budgets is how many budgets a test may take as it is.
const budgets = 4

func init() {
	if os.Getenv(allVariable) == "" {
		return
	}
	drive.All = exploreTest
	if work, is := os.LookupEnv(workVariable); is {
		os.Setenv("GOWORK", work) // for a test that runs the go command
	} else {
		os.Unsetenv("GOWORK")
	}
}

// enters reports whether the exploration is about a part, or about one of its parts.
func (b *subtest) enters(n *inner) bool {
	for _, p := range b.parts {
		if p.name == n.name {
			n.at = p
		}
	}
	if n.at == nil {
		n.at = &subtest{name: n.name}
		b.parts = append(b.parts, n.at)
	}
	if b.next == nil && !n.at.done {
		b.next = n.at
	}
	return b.next == n.at
}

// finish notes that the leaf was explored.
func (b *subtest) finish() {
	if b.next != nil {
		b.next.finish()
		b.next = nil
	}
	b.done = true
	for _, p := range b.parts {
		b.done = b.done && p.done
	}
}

// wholeCall is the number, in a schedule, of the exploration of a test with all its parts.
const wholeCall = 1000

func exploreTest(t *testing.T, f func(t *testing.T)) {
	t.Helper()
	budget, err := time.ParseDuration(os.Getenv(allVariable))
	if err != nil {
		t.Fatal(err)
	}
	guard := time.AfterFunc(budgets*budget+2*time.Second, func() {
		tell(t, "slow", fmt.Sprintf("takes more than %v", budgets*budget))
		os.Exit(2)
	})
	defer guard.Stop()
	switch plan()[t.Name()] {
	case "skip":
		t.SkipNow()
	case "":
		if why := explorePart(t, f, budget); why == "" {
			return
		} else if t.Attr("explore", "plain\t"+why); poisoned {
			os.Exit(2) // its threads may still run
		}
	}
	f(t)
}

// plan is what the plan says, by the names of tests: of a package with thousands of them each looks here.
var plan = sync.OnceValue(func() map[string]string {
	text, _ := os.ReadFile(os.Getenv(planVariable))
	info, _ := debug.ReadBuildInfo()
	says := make(map[string]string)
	for line := range strings.Lines(string(text)) {
		if f := strings.Fields(line); len(f) == 3 && f[0] == strings.TrimSuffix(info.Path, ".test") {
			says[f[1]] = f[2]
		}
	}
	return says
})

// explorePart explores all parts of a test, and returns why the test is to run as it is, or "".
func explorePart(t *testing.T, f func(t *testing.T), budget time.Duration) (why string) {
	t.Helper()
	root, all := new(subtest), new(Report)
	end := time.Now().Add(budget)
	whole := strings.HasPrefix(os.Getenv(scheduleVariable), fmt.Sprint(wholeCall, "/"))
	parts := 0
	for !root.done && time.Until(end) > budget/100 {
		left := time.Until(end)
		if parts > 0 || len(root.parts) > 0 {
			left /= 4
		}
		possible := new(possibilities)
		if whole {
			calling.Lock()
			calls[t] = wholeCall - 1
			calling.Unlock()
		}
		q, opts, does := prepare(t, []Option{MaxTime(left), MaxThreads(maxThreads), Hung(budgets * budget), Rounds(rounds), func(c *config) {
			c.strategy, c.all, c.test, c.body, c.possible = everything, true, t, f, possible
			if !whole {
				c.parts = root
			}
		}})
		if !does { // but there may be parts to be found
			opts = append(opts, MaxSchedules(1))
		}
		opts = append(opts, func(c *config) { c.processes = 1 })
		r := Explore(nil, opts...)
		r.Exhausted = r.Exhausted || r.Cut == "" && len(r.Drawn) > 0
		parts++
		root.finish()
		root.done = root.done || whole
		switch f := r.Failure; {
		case !does:
			continue
		case r.all.endless:
			return "no execution has ended in time, or within 500,000 operations"
		case f == nil && q.asked:
			t.Log("the schedule does not fail:", r)
			tell(t, "cut", "the schedule does not fail")
			return ""
		case f == nil && possible.skipped == r.Schedules && len(root.parts) == 0:
			tell(t, "skip", "skips itself")
			t.Skip(possible.why)
		case f == nil:
		case f.refused != "":
			return f.refused
		case !f.isFault():
			why, _, _ := strings.Cut(f.Message, "\n")
			if _, because, ok := strings.Cut(why, "); "); ok && f.Kind == Stuck {
				why = because
			}
			return string(f.Kind) + "\t" + why
		case r.all.always && len(root.parts) > 0 && !whole:
			whole, root.done, all, parts = true, false, new(Report), 0
			continue // it needs what the parts before it do
		case r.all.always:
			return "fails in each schedule\t" + strings.SplitN(f.Message, "\n", 2)[0]
		default:
			tell(t, "FAIL", string(f.Kind))
			q.fail(t, r, true)
			return ""
		}
		all.add(r, parts == 1)
	}
	if !root.done {
		all.Exhausted, all.Cut = false, "the budget"
	}
	kind, text := all.verdict()
	tell(t, kind, text)
	return ""
}

// add adds the report of another part.
func (r *Report) add(o Report, first bool) {
	s, p := &r.all, o.all
	r.Schedules += o.Schedules
	r.Orders += o.Orders
	r.Exhausted = o.Exhausted && (first || r.Exhausted)
	s.alone = p.alone && (first || s.alone)
	s.random += p.random
	s.left = max(s.left, p.left)
	s.many, s.timed, s.unseen = s.many || p.many, s.timed || p.timed, s.unseen || p.unseen
	if p.alone {
		r.Exhausted = first || r.Exhausted
	}
	for _, text := range []struct{ to, from *string }{{&r.Cut, &o.Cut}, {&r.UpTo, &o.UpTo}, {&s.timing, &p.timing}, {&s.why, &p.why}} {
		if *text.to == "" {
			*text.to = *text.from
		}
	}
	if len(o.Drawn) > 0 {
		r.Drawn = o.Drawn
	}
}

// verdict says how far an exploration has come that has found no failure.
func (r *Report) verdict() (kind, text string) {
	s := r.all
	switch {
	case s.alone:
		return "one", "one thread: nothing to explore"
	case r.Exhausted:
		kind, text = "all", plural(r.Schedules, "schedule")
		if r.UpTo != "" {
			text += ", up to " + r.UpTo
		}
	case s.many:
		kind, text = "random", plural(s.random, "schedule")+" at random: more than 64 threads"
	case r.Orders > 0:
		kind, text = "cut", fmt.Sprintf("%d at random, cut after %s", s.random, plural(r.Orders, "order"))
	default:
		kind, text = "random", plural(s.random, "schedule")+" at random"
	}
	if s.why != "" {
		text += " (" + s.why + ")"
	}
	if len(r.Drawn) > 0 {
		text += ", " + r.chance()
	}
	if s.timed {
		text += " (time: only when all wait)"
	}
	if s.unseen {
		text += "; nothing is seen of some goroutine"
	}
	if s.left > 0 {
		text += "; leaves " + plural(s.left, "goroutine")
	}
	if s.timing != "" {
		text += "; depends on timing: " + s.timing
	}
	return kind, text
}

// tell tells the command.
func tell(t *testing.T, kind, text string) {
	t.Attr("explore", kind+"\t"+strings.ReplaceAll(text, "\n", " "))
}
