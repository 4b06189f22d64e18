// Package conform explores every scenario and says how far each was explored.
//
// A scenario tells its result by the attribute "explored" of its test, in JSON
// (testing.T.Attr), so the output of go test -json has all of them. Each must be
// complete or say why it has a bound: a bound that nobody has argued for fails.
package conform

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"text/tabwriter"

	"golang.org/x/sync/errgroup"

	"github.com/rouse-go/rouse/conformance/scenarios"
	"github.com/rouse-go/rouse/lab/modules"
	"github.com/rouse-go/rouse/lab/mutants"
)

// A step is one call of go test, for one package.
type step struct{ pkg, which string }

// half is a pattern of tests that take half of the time of the scenarios of pools. An exploration
// keeps one processor busy, so each half is a process of its own, beside the other.
const half = "^TestPool$/^sleep=futex$"

var steps = []step{
	{modules.Prefix + "lab/scenarios", "-run=" + half},
	{modules.Prefix + "lab/scenarios", "-skip=" + half},
	{modules.Prefix + "conformance/scenarios", "-run=."},
	{modules.Prefix + "conformance/own", "-run=^TestEverySchedule$"},
}

// Explore runs all scenarios in the workspace at dir and returns their results. The error has the output
// of each that failed. Full explores as deep as is feasible in an hour or so, and not in a few minutes.
func Explore(ctx context.Context, dir string, full bool) ([]scenarios.Result, error) {
	depth, timeout := "ROUSE_DEPTH=quick", "-timeout=45m"
	if full {
		depth, timeout = "ROUSE_DEPTH=full", "-timeout=6h"
	}
	run := func(ctx context.Context, args ...string) *exec.Cmd {
		cmd := exec.CommandContext(ctx, "go", append([]string{"test", "-vet=off", "-tags=explore", timeout}, args...)...)
		// Little is alive at a time, and much of it is short-lived.
		cmd.Dir, cmd.Env = dir, append(os.Environ(), depth, "GOGC=400")
		return cmd
	}
	// Two steps of one package would both compile it: what is being compiled is not in the build cache.
	build := []string{"-run=-"}
	for _, s := range steps {
		build = append(build, s.pkg)
	}
	if out, err := run(ctx, build...).CombinedOutput(); err != nil {
		return nil, errors.Join(ctx.Err(), fmt.Errorf("go test: %w\n%s", err, out))
	}
	results := make([][]scenarios.Result, len(steps))
	failed := make([]error, len(steps))
	g, ctx := errgroup.WithContext(ctx)
	for i, s := range steps {
		g.Go(func() error {
			results[i], failed[i] = s.explore(run(ctx, "-json", "-count=1", s.which, s.pkg))
			return ctx.Err()
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	return slices.Concat(results...), errors.Join(failed...)
}

// explore runs the command of a step.
func (s step) explore(cmd *exec.Cmd) ([]scenarios.Result, error) {
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	results, err := read(out)
	// A package that does not compile, or whose process dies, fails without a test that does.
	if ended := cmd.Wait(); err == nil {
		err = ended
	}
	if err == nil && len(results) == 0 {
		err = errors.New("nothing was explored")
	}
	if err != nil {
		err = fmt.Errorf("%s: %w\n%s", s.pkg, err, &stderr)
	}
	return results, err
}

// read reads the output of go test -json. The error has the output of each test that failed,
// and names the scenarios that have a bound and do not say why.
func read(in io.Reader) (results []scenarios.Result, err error) {
	output := map[string]string{} // by test; that of the package, and of the compiler, by ""
	var failed []string
	for d := json.NewDecoder(in); ; {
		var e struct{ Action, Test, Output, Key, Value string } // see go doc test2json
		if err := d.Decode(&e); err == io.EOF {
			break
		} else if err != nil {
			return nil, fmt.Errorf("the output of go test -json: %w", err)
		}
		switch {
		case e.Action == "output" || e.Action == "build-output":
			output[e.Test] += e.Output
		case e.Action == "attr" && e.Key == "explored":
			var r scenarios.Result
			if err := json.Unmarshal([]byte(e.Value), &r); err != nil {
				return nil, fmt.Errorf("%s: %w", e.Test, err)
			}
			if !r.Exhausted && r.Why == "" && r.Failure == nil {
				failed = append(failed, e.Test+": it is neither complete, nor does it say why it has a bound")
			}
			results = append(results, r)
		case e.Action == "fail":
			failed = append(failed, e.Test+" failed:\n"+output[e.Test])
		}
	}
	if len(failed) > 0 {
		err = errors.New(strings.Join(failed, "\n"))
	}
	return results, err
}

// Sizes returns, for each scenario by the full name of its test, how many schedules there are with so
// many preemptions, from 0; nothing if all were run at once.
func Sizes(results []scenarios.Result) map[string][]int {
	sizes := map[string][]int{}
	for _, r := range results {
		sizes[r.Test] = r.Sizes
	}
	return sizes
}

// Deep returns an error that names each mutant that needs more preemptions than the scenario which must
// notice it was explored with: the same fault in other words would pass. Those whose row says why may
// do so, and no others.
func Deep(results []scenarios.Result, all []mutants.Mutant) error {
	bounds := map[string]int{}
	for _, r := range results {
		bounds[r.Test] = r.Bound
		if r.Exhausted {
			bounds[r.Test] = scenarios.Complete
		}
	}
	var wrong []error
	for _, m := range all {
		if m.Mode != mutants.Explored || m.Harmless != "" {
			continue
		}
		bound, found := bounds[m.Test]
		switch short := bound < m.Bound; {
		case !found:
			wrong = append(wrong, fmt.Errorf("mutant %s: %s was not explored", m.Name, m.Test))
		case short && m.Shallow == "":
			wrong = append(wrong, fmt.Errorf("mutant %s: it needs %d preemptions, and %s is explored with up to %d", m.Name, m.Bound, m.Test, bound))
		case !short && m.Shallow != "":
			wrong = append(wrong, fmt.Errorf("mutant %s: %s is explored as deep as it needs; its row says why not", m.Name, m.Test))
		}
	}
	return errors.Join(wrong...)
}

// WriteTable writes a line for each scenario.
func WriteTable(out io.Writer, results []scenarios.Result) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "scenario\trule\torders\tschedules\tsteps\ts\trandom\texplored")
	complete := 0
	for _, r := range results {
		how := fmt.Sprintf("bounded to %d: %s", r.Bound, r.Why)
		if r.Exhausted {
			how = "complete"
			complete++
		}
		if r.Exhausted && r.UpTo != "" {
			how += " up to " + r.UpTo
		}
		fmt.Fprintf(w, "%s\t%s\t%d\t%d\t%d\t%.1f\t%d\t%s\n", r.Test, r.Rule, r.Orders, r.Schedules, r.Steps, r.Seconds, r.Random, how)
	}
	fmt.Fprintf(w, "%d scenarios, %d of them complete.\n", len(results), complete)
	return w.Flush()
}
