package explore

import (
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// The environment variables that are about a replay.
const (
	// scheduleVariable has the schedule to replay: of the test's first exploration, or, as 2/…, of
	// another one.
	scheduleVariable = "ROUSE_SCHEDULE"
	// flagsVariable has the flags of the command explore that a replay needs, too.
	flagsVariable = "EXPLORE_FLAGS"
)

// A request is what a test is asked to replay, and how it asks for that.
type request struct {
	call
	// asked says that something is to be replayed, and wanted what, if it is of this exploration.
	asked  bool
	wanted *string
}

// requested is for a call that t has made.
func requested(c call, t testing.TB) request {
	r := request{call: call{t.Name(), max(c.n, 1)}}
	text := os.Getenv(scheduleVariable)
	r.asked = text != ""
	n, schedule, ok := strings.Cut(text, "/")
	if !ok {
		n, schedule = "1", text
	}
	if r.asked && n == strconv.Itoa(r.n) {
		r.wanted = &schedule
	}
	return r
}

// prepare counts a call that t makes with these options, and completes them: by which it is, and by
// what it is to replay. It reports whether there is something for it to do.
func prepare(t testing.TB, opts []Option) (q request, all []Option, does bool) {
	c := callOf(t)
	q = requested(c, t)
	all = append(slices.Clone(opts), c.option(), processesFromEnvironment)
	if q.wanted != nil {
		all = append(all, Replay(*q.wanted))
	}
	return q, all, !q.asked || q.wanted != nil
}

// fail fails t with the failure of a report.
func (r request) fail(t testing.TB, report Report, rewritten bool) {
	t.Helper()
	how := r.complete(report.Failure, rewritten)
	writePage(t, report.Failure)
	t.Errorf("%v%s", report, how)
}

// schedule is what the environment variable would have to be.
func (r request) schedule(f *Failure) string {
	if r.n > 1 || f.Schedule == "" {
		return strconv.Itoa(r.n) + "/" + f.Schedule
	}
	return f.Schedule
}

// complete gives a failure that has a schedule the line that replays it, of the command explore or
// of go test, and returns what to say of it.
func (r request) complete(f *Failure, rewritten bool) string {
	if len(f.Steps) == 0 {
		return ""
	}
	f.Replay = r.command(f, rewritten)
	return "\nTo replay it: " + f.Replay
}

func (r request) command(f *Failure, rewritten bool) string {
	where := ""
	if info, ok := debug.ReadBuildInfo(); ok && strings.HasSuffix(info.Path, ".test") {
		where = " " + strings.TrimSuffix(info.Path, ".test")
	}
	run := " -run " + quoted(r.pattern())
	if rewritten {
		// A line has the flags, another one, at the end, what the test itself gets.
		flags, args, _ := strings.Cut(os.Getenv(flagsVariable), "\n")
		if flags != "" {
			flags = " " + flags
		}
		if args != "" {
			args = " " + args
		}
		if f.rounds > rounds && !strings.Contains(flags, "-rounds") {
			flags += fmt.Sprintf(" -rounds %d", f.rounds)
		}
		return "go tool explore test" + flags + run + " -schedule " + quoted(r.schedule(f)) + where + args
	}
	set := scheduleVariable + "=" + quoted(r.schedule(f)) + " "
	if runtime.GOOS == "windows" {
		set = "$env:" + scheduleVariable + "=" + quoted(r.schedule(f)) + "; "
	}
	return set + "go test -tags explore" + run + where
}

// quoted is a word of a shell.
func quoted(s string) string {
	if runtime.GOOS == "windows" {
		return `"` + s + `"`
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
