package mutants

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/rouse-go/rouse/conformance/scenarios"
	"github.com/rouse-go/rouse/explore"
)

// A program is a test binary with mutants in it.
type program struct {
	path string
	dir  string // where it is run, and built
	mode Mode
}

// target is what is built for a mutant: the mode, and the folder of the package whose tests
// are run, from the root.
type target struct {
	mode Mode
	dir  string
}

func (m Mutant) target() target {
	place := m.Changes[0].File
	folder := place
	if path.Ext(place) == ".go" {
		folder = path.Dir(place)
	}
	switch {
	case m.Folder != "":
		return target{m.Mode, m.Folder}
	case m.Mode == Own || strings.HasSuffix(place, "_test.go"): // no other package has it
		return target{m.Mode, folder}
	case m.Mode == Suite:
		return target{Suite, "conformance"}
	}
	if top, _, _ := strings.Cut(m.Test, "/"); slices.Contains(ofPools, top) {
		return target{m.Mode, "lab/scenarios"}
	}
	return target{m.Mode, "conformance/scenarios"}
}

// ofPools are the tests that have the scenarios of pools and of what they alone need; the
// others have those of parts.
var ofPools = []string{"TestPool", "TestPoolWithoutLender", "TestPrograms", "TestOutside"}

func (t target) String() string { return string(t.mode) + " " + t.dir }

// Quickly are flags of go test for what is explored: that takes its time in package explore, so pools
// and loops, which are compiled anew for it, are so in a third of the time.
var Quickly = []string{"-tags=explore", "-gcflags=-l -N -dwarf=false", "-gcflags=github.com/rouse-go/rouse/p...=-l -N -dwarf=false"}

// build compiles the target in dir, with the given files in place of those of the checkout.
func (t target) build(ctx context.Context, root, dir string, files map[string]string) (program, error) {
	replace := make(map[string]string)
	for name, text := range files {
		file := filepath.Join(dir, strings.ReplaceAll(name, "/", "_"))
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			return program{}, err
		}
		replace[filepath.Join(root, filepath.FromSlash(name))] = file
	}
	overlay, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return program{}, err
	}
	overlayFile := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(overlayFile, overlay, 0o666); err != nil {
		return program{}, err
	}
	p := program{path: filepath.Join(dir, strings.ReplaceAll(t.String(), "/", "_")+".test"), dir: filepath.Join(root, filepath.FromSlash(t.dir)), mode: t.mode}
	p.path = strings.ReplaceAll(p.path, " ", "-")
	// Without symbols it is linked sooner, and without go vet it is built sooner.
	args := []string{"test", "-c", "-vet=off", "-ldflags=-s -w", "-overlay", overlayFile, "-o", p.path}
	if top, _, _ := strings.Cut(t.dir, "/"); t.mode == Own && top == "explore" {
		args = append(args, "-tags=explore")
	}
	if t.mode == Explored {
		args = append(args, Quickly...)
	}
	cmd := exec.CommandContext(ctx, "go", append(args, ".")...)
	cmd.Dir = p.dir
	if out, err := cmd.CombinedOutput(); err != nil {
		return program{}, fmt.Errorf("go %s: %w\n%s", strings.Join(args, " "), err, head(out))
	}
	return p, nil
}

// A run is one call of a program.
type run struct {
	mutant   int // or none, if it is 0
	tests    []string
	bound    int
	schedule string // to replay instead of a search, if not empty
	skip     string // a pattern of tests to leave out, if not empty
	hangs    bool   // until the time for all tests is over
}

// An outcome is what a run has shown.
type outcome struct {
	failed  bool
	output  string
	results map[string]scenarios.Result // of scenarios, by test
	cpu     time.Duration
}

// patience is how long a run may take by the clock of the wall. No verdict comes of it: a
// run that takes as long could not be judged. The tests have limits of their own.
const patience = 20 * time.Minute

// noEnd ends what a row says whose test has no end but that of the time for all tests.
const noEnd = ": no end of a test"

// run runs tests. It returns an error if one of them did not run.
func (p program) run(ctx context.Context, r run) (o outcome, err error) {
	dir, err := os.MkdirTemp("", "rouse-mutant-")
	if err != nil {
		return o, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	report := filepath.Join(dir, "report.jsonl")
	var patterns []string
	for _, t := range r.tests {
		patterns = append(patterns, exactly(t))
	}
	patience := patience
	if r.hangs {
		patience = 5 * time.Second
	}
	args := []string{"-test.v", "-test.run=" + strings.Join(patterns, "|"), "-test.short", fmt.Sprint("-test.timeout=", patience)}
	if r.mutant != 0 {
		args = append(args, "-test.failfast")
	}
	if r.skip != "" {
		args = append(args, "-test.skip="+r.skip)
	}
	if p.mode == Suite {
		args = append(args, "-rapid.nofailfile") // or it would leave files among the sources
	}
	cmd := exec.CommandContext(ctx, p.path, args...)
	cmd.Dir = p.dir
	cmd.Env = append(os.Environ(), fmt.Sprintf("ROUSE_DEPTH=%d", r.bound), "ROUSE_REPORT="+report)
	if p.mode == Explored { // little is alive at a time
		cmd.Env = append(cmd.Env, "GOGC=400")
	}
	if r.mutant != 0 {
		cmd.Env = append(cmd.Env, fmt.Sprintf("%s=%d", Switch, r.mutant))
	}
	if r.schedule != "" {
		cmd.Env = append(cmd.Env, "ROUSE_SCHEDULE="+r.schedule)
	}
	out, exit := cmd.CombinedOutput()
	if ctx.Err() != nil {
		return o, ctx.Err()
	}
	o = outcome{failed: exit != nil, output: string(out)}
	if s := cmd.ProcessState; s != nil {
		o.cpu = s.UserTime() + s.SystemTime()
	}
	for _, t := range r.tests {
		if !ran(out, t) {
			return o, fmt.Errorf("there is no test %s, or it was skipped (%v):\n%s", t, exit, head(out))
		}
		if failfast := o.failed && r.mutant != 0; failfast {
			break
		}
	}
	if strings.Contains(o.output, "panic: test timed out") && !r.hangs {
		return o, fmt.Errorf("no end of %s in %v:\n%s", strings.Join(r.tests, ", "), patience, head(out))
	}
	if p.mode == Explored {
		results, err := ReadReport(report)
		if err != nil {
			return o, fmt.Errorf("%w\n%s", err, head(out))
		}
		o.results = ByTest(results)
	}
	return o, nil
}

// ran reports whether a test, or one within it, has begun, by the output of a verbose run, and
// was not skipped.
func ran(out []byte, test string) bool {
	begun := []byte("=== RUN   " + test)
	return !bytes.Contains(out, []byte("--- SKIP: "+test+" ")) &&
		(bytes.Contains(out, append(begun, '\n')) || bytes.Contains(out, append(begun, '/')))
}

// exactly returns the pattern for -test.run that matches one test.
func exactly(name string) string {
	parts := strings.Split(name, "/")
	for i, p := range parts {
		parts[i] = "^" + regexp.QuoteMeta(p) + "$"
	}
	return strings.Join(parts, "/")
}

// ReadReport reads what explorations have written to the file that ROUSE_REPORT names.
func ReadReport(name string) (all []scenarios.Result, err error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	for d := json.NewDecoder(f); ; {
		var r scenarios.Result
		if err := d.Decode(&r); err == io.EOF {
			return all, nil
		} else if err != nil {
			return nil, fmt.Errorf("what was explored: %w", err)
		}
		all = append(all, r)
	}
}

// ByTest returns the results by the full names of their tests.
func ByTest(results []scenarios.Result) map[string]scenarios.Result {
	all := make(map[string]scenarios.Result)
	for _, r := range results {
		all[r.Test] = r
	}
	return all
}

// ofTheCode reports whether a failure is the fault of the code under test.
func ofTheCode(k explore.Kind) bool {
	switch k {
	case explore.Deadlock, explore.Livelock, explore.Panicked, explore.Asserted:
		return true
	}
	return false
}

// head returns the first lines of a long output.
func head(out []byte) string {
	lines := strings.SplitAfterN(string(out), "\n", 30)
	return strings.Join(lines[:min(len(lines), 29)], "")
}
