package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/rouse-go/rouse/explore/internal/rewrite"
)

// The flag -all explores each test. The tests run in processes of go test, and tell what they come to.
// Such a process may end early, because of a test that ends it, or of one that cannot go on: then there is
// another one, for the tests that are left, and the one that was under way runs as it is.

// testBudget is the time that a test is explored for, if there is no flag -budget.
const testBudget = 5 * time.Second

// An event is a line of go test -json.
type event struct {
	Action, Package, ImportPath, Test, Output, Key, Value string
}

// A result is of a test.
type result struct {
	kind, why string // all, cut, random, one, skip, FAIL, or plain if it was to run as it is, or slow
	outcome   string // pass, fail or skip
	output    strings.Builder
	plain     bool // it was planned so
	printed   bool
}

// A survey is a run with -all.
type survey struct {
	stdout  io.Writer
	several bool // packages
	failed  bool // one of them, in this run
	tests   map[string]*result
	order   []string
	outputs map[string]*strings.Builder // of packages
	reasons map[string]int
	counts  map[string]int
	unbuilt []string
	ended   int // tests
}

func (s *survey) of(e event) *result {
	name, _, _ := strings.Cut(e.Test, "/")
	key := e.Package + " " + name
	r := s.tests[key]
	if r == nil {
		r = new(result)
		s.tests[key] = r
		s.order = append(s.order, key)
	}
	return r
}

// take takes in a line of go test.
func (s *survey) take(line []byte) {
	var e event
	if json.Unmarshal(line, &e) != nil {
		return
	}
	name := e.Package
	if name == "" {
		name = e.ImportPath
	}
	if s.outputs[name] == nil {
		s.outputs[name] = new(strings.Builder)
	}
	switch {
	case e.Action == "build-fail":
		name, _, _ = strings.Cut(name, " ")
		s.unbuilt = append(s.unbuilt, strings.TrimSuffix(name, ".test"))
	case e.Test == "":
		s.failed = s.failed || e.Action == "fail"
		s.outputs[name].WriteString(e.Output)
	case !strings.HasPrefix(e.Test, "Test"): // an example, by -run
	case e.Action == "attr" && e.Key == "explore":
		r := s.of(e)
		kind, why, _ := strings.Cut(e.Value, "\t")
		r.kind = kind
		r.output.Reset()
		if kind == "slow" && r.why != "" { // and why it runs as it is
			why += "\t" + reason(r.why, ": ")
		}
		r.why = why
	case e.Action == "output":
		s.of(e).output.WriteString(e.Output)
	case slices.Contains([]string{"pass", "fail", "skip"}, e.Action) && !strings.Contains(e.Test, "/"):
		r := s.of(e)
		if r.plain {
			r.kind = "plain"
		}
		if r.kind == "plain" && !r.plain && e.Action == "fail" {
			break // perhaps because of what was explored before: once more, in another process
		}
		if r.kind != "" {
			r.outcome = e.Action
			s.print(e.Package, e.Test, r)
		}
	}
}

// print prints the line of a test, and its failure.
func (s *survey) print(pkg, name string, r *result) {
	if r.printed {
		return
	}
	r.printed = true
	if s.several {
		name = path.Base(pkg) + "." + name
	}
	word, text := map[string]string{"all": "all", "cut": "ok", "random": "ok", "FAIL": "FAIL"}[r.kind], r.why
	kind := r.kind
	switch {
	case kind == "plain" && r.outcome == "fail":
		word, text, kind = "FAIL", "as it is, not explored: "+reason(r.why, ": "), "FAIL"
	case kind == "plain":
		s.reasons[reason(r.why, "")]++
		word, text = "-", "not explored: "+reason(r.why, ": ")
	case word == "":
		word = "-"
	}
	s.counts[kind]++
	fmt.Fprintf(s.stdout, "%-5s %-30s %s\n", word, name, text)
	if word == "FAIL" {
		for line := range strings.Lines(r.output.String()) {
			if !strings.HasPrefix(line, "=== ") && !strings.HasPrefix(line, "--- ") {
				fmt.Fprint(s.stdout, line)
			}
		}
	}
}

// reason is why a test is not explored, and what that is about after a colon, if that is asked for.
func reason(why, colon string) string {
	why, about, ok := strings.Cut(why, "\t")
	if ok && colon != "" {
		why += colon + about
	}
	return why
}

// plan writes which tests are not to be explored any more, and reports whether others may be left: a
// process has failed, and had come to some of which nothing was known.
func (s *survey) plan(file string) (more bool) {
	ended := 0
	var b strings.Builder
	for key, r := range s.tests {
		pkg, name, _ := strings.Cut(key, " ")
		switch {
		case r.outcome != "":
			ended++
			fmt.Fprintln(&b, key, "skip")
		case r.plain || r.kind == "slow": // it ended the process as it is
			s.lost(pkg, r)
			if more, r.outcome = true, "fail"; r.kind == "slow" {
				r.outcome = "skip"
			}
			r.kind = "plain"
			s.print(pkg, name, r)
			fmt.Fprintln(&b, key, "skip")
		default:
			if r.kind != "plain" {
				s.lost(pkg, r)
			}
			r.plain, more = true, true
			r.kind = ""
			r.output.Reset()
			fmt.Fprintln(&b, key, "plain")
		}
	}
	more = more || s.failed && ended > s.ended
	s.failed, s.ended = false, ended
	return os.WriteFile(file, []byte(b.String()), 0o666) == nil && more
}

// lost notes that the process has ended in a test of a package, and how.
func (s *survey) lost(pkg string, r *result) {
	if r.why == "" {
		r.why = "the process ended"
		for line := range strings.Lines(s.outputs[pkg].String()) {
			if strings.HasPrefix(line, "exit status") || strings.HasPrefix(line, "signal:") {
				r.why = "the process ended\t" + strings.TrimSpace(line)
			}
		}
	}
}

// run runs the tests of some packages, and takes in what they tell. If they tell nothing for long, it ends them.
func (s *survey) run(ctx context.Context, env []string, o options, packages []string, budget time.Duration) {
	o.packages = packages
	o.test = append([]string{"-json", "-timeout=0", "-run=^Test"}, o.test...)
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	out, in := io.Pipe()
	stalled := time.AfterFunc(time.Hour, cancel)
	defer stalled.Stop()
	done := make(chan struct{})
	go func() {
		defer close(done)
		for lines := bufio.NewReader(out); ; {
			line, err := lines.ReadBytes('\n')
			if err != nil {
				return
			}
			s.take(line)
			stalled.Reset(10*budget + time.Minute)
		}
	}()
	goTest(ctx, env, &o, in, io.Discard)
	in.Close()
	<-done
}

// all is test, for the flag -all.
func all(ctx context.Context, o *options, c rewrite.Config, stdout, stderr io.Writer) (int, error) {
	for _, f := range o.test {
		if f == "-json=true" {
			return 2, errors.New("-json is not with -all")
		}
	}
	budget := testBudget
	for _, v := range o.env {
		if text, ok := strings.CutPrefix(v, "EXPLORE_BUDGET="); ok {
			budget, _ = time.ParseDuration(text)
		}
	}
	if budget <= 0 {
		return 2, errors.New("with -all, -budget must be more than 0")
	}
	s := &survey{
		stdout: stdout, tests: map[string]*result{}, outputs: map[string]*strings.Builder{}, reasons: map[string]int{}, counts: map[string]int{},
	}
	c.All = true
	top, plan := c.Temp, filepath.Join(c.Temp, "plan")
	env := []string{"EXPLORE_ALL=" + budget.String(), "EXPLORE_PLAN=" + plan, "EXPLORE_FLAGS=" + words(o.again) + "\n" + words(o.args)}
	if work, is := os.LookupEnv("GOWORK"); is {
		env = append(env, "EXPLORE_GOWORK="+work)
	}
	if o.schedule != "" {
		env = append(env, "ROUSE_SCHEDULE="+o.schedule)
	}
	if o.page != "" {
		env = append(env, "EXPLORE_HTML="+o.page)
	}
	var res *rewrite.Result
	var there []string
	for _, name := range []string{"all", "own"} {
		c.Temp = filepath.Join(top, name)
		// What tests leave in the directory for temporary files goes with ours. No go.work is above it.
		temp := filepath.Join(top, "tmp")
		err := errors.Join(os.MkdirAll(c.Temp, 0o777), os.MkdirAll(temp, 0o777))
		if err != nil {
			return 1, err
		}
		if res, err = rewrite.Rewrite(c); errors.Is(err, rewrite.ErrBroken) {
			goTest(ctx, nil, o, stdout, stderr) // it says best what is wrong
			return 2, err
		} else if err != nil {
			return 1, err
		}
		if there == nil {
			there = files(res.Dirs)
		}
		p := *o
		p.build = append(slices.Clone(o.build), res.Flags...)
		s.several, s.unbuilt = len(res.Packages) > 1, nil
		with := slices.Concat(env, res.Env, []string{"TMPDIR=" + temp, "EXPLORE_OTHERS=" + strings.Join(res.Others, ", ")})
		for more := true; more && ctx.Err() == nil; more = s.plan(plan) {
			s.run(ctx, with, p, res.Packages, budget)
		}
		if c.Own = true; len(s.unbuilt) == 0 { // or it may be because of what others wrote
			break
		}
	}
	for _, p := range res.Broken {
		fmt.Fprintf(stdout, "-     %-30s not explored: the package does not build\n", p)
	}
	for _, p := range slices.Compact(s.unbuilt) {
		fmt.Fprintf(stdout, "-     %-30s not explored: it does not compile when it is rewritten\n%s", p, s.outputs[p])
	}
	for _, name := range files(res.Dirs) {
		if !slices.Contains(there, name) {
			fmt.Fprintf(stdout, "a test has left %s\n", name)
		}
	}
	s.sum()
	if s.counts["FAIL"] > 0 {
		return 1, nil
	} else if len(res.Broken) > 0 {
		return 2, nil
	}
	return 0, nil
}

// files lists what is in some directories.
func files(dirs []string) (names []string) {
	for _, dir := range dirs {
		all, _ := os.ReadDir(dir)
		for _, f := range all {
			names = append(names, filepath.Join(dir, f.Name()))
		}
	}
	return names
}

// sum prints how many tests there were of each kind.
func (s *survey) sum() {
	fmt.Fprintf(s.stdout, "%d tests: %d to the end, %d cut, %d at random, %d of one thread, %d failed, %d not explored\n", len(s.tests),
		s.counts["all"], s.counts["cut"], s.counts["random"], s.counts["one"], s.counts["FAIL"], s.counts["plain"]+s.counts["skip"])
	var all []string
	for why, n := range s.reasons {
		all = append(all, fmt.Sprintf("%d %s", n, why))
	}
	if slices.Sort(all); len(all) > 0 {
		fmt.Fprintf(s.stdout, "not explored: %s\n", strings.Join(all, ", "))
	}
}
