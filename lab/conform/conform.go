// Package conform explores every scenario and says how far each was explored.
//
// Each scenario adds its result to the file that ROUSE_REPORT names. It must be
// complete or say why it has a bound: a bound that nobody has argued for fails.
package conform

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"text/tabwriter"
	"time"

	"github.com/rouse-go/rouse/conformance/scenarios"
	"github.com/rouse-go/rouse/lab/modules"
	"github.com/rouse-go/rouse/lab/mutants"
)

// Explore runs all scenarios in the workspace at dir and returns their results. The error has the output
// of each that failed. Full explores as deep as is feasible in an hour or so, and not in a few minutes.
//
// An exploration keeps one processor busy, and go test runs the tests of several packages beside each
// other. If one of these has explored nothing, [Deep] misses what the mutants name.
func Explore(ctx context.Context, dir string, full bool) ([]scenarios.Result, error) {
	depth, timeout := "ROUSE_DEPTH=quick", "-timeout=45m"
	if full {
		depth, timeout = "ROUSE_DEPTH=full", "-timeout=6h"
	}
	args := append([]string{"test", "-vet=off", "-count=1", timeout}, mutants.Quickly...)
	for _, pkg := range []string{"lab/scenarios", "conformance/scenarios", "conformance/own"} {
		args = append(args, modules.Prefix+pkg)
	}
	cmd := exec.CommandContext(ctx, "go", args...)
	// Little is alive at a time, and much of it is short-lived.
	cmd.Dir, cmd.Env = dir, append(os.Environ(), depth, "GOGC=400")
	// The go command passes an interrupt on to what it runs.
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = 5 * time.Second
	results, err := explore(cmd)
	return results, cmp.Or(ctx.Err(), err)
}

// explore runs a command that explores. The error has the output of each test that failed, and names the
// scenarios that have a bound and do not say why.
func explore(cmd *exec.Cmd) (results []scenarios.Result, err error) {
	report, err := os.CreateTemp("", "rouse-report-")
	if err != nil {
		return nil, err
	}
	defer os.Remove(report.Name())
	if err := report.Close(); err != nil {
		return nil, err
	}
	cmd.Env = append(cmd.Environ(), "ROUSE_REPORT="+report.Name())
	var wrong []error
	if out, err := cmd.CombinedOutput(); err != nil {
		wrong = append(wrong, fmt.Errorf("go test: %w\n%s", err, out))
	}
	results, err = mutants.ReadReport(report.Name())
	if err != nil {
		return nil, err
	}
	for _, r := range results {
		if !r.Exhausted && r.Why == "" && r.Failure == nil {
			wrong = append(wrong, fmt.Errorf("%s: it is neither complete, nor does it say why it has a bound", r.Test))
		}
	}
	if len(results) == 0 {
		wrong = append(wrong, errors.New("nothing was explored"))
	}
	return results, errors.Join(wrong...)
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
	explored := mutants.ByTest(results)
	var wrong []error
	for _, m := range all {
		if m.Mode != mutants.Explored {
			continue
		}
		r, found := explored[m.Test]
		short := !r.Exhausted && r.Bound < m.Bound
		why := ""
		switch {
		case !found:
			why = "was not explored"
		case short && m.Shallow == "":
			why = fmt.Sprintf("is explored with up to %d preemptions, and it needs %d", r.Bound, m.Bound)
		case !short && m.Shallow != "":
			why = "is explored as deep as it needs; its row says why not"
		default:
			continue
		}
		wrong = append(wrong, fmt.Errorf("mutant %s: %s %s", m.Name, m.Test, why))
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
			if r.UpTo != "" {
				how += " up to " + r.UpTo
			}
		}
		fmt.Fprintf(w, "%s\t%s\t%d\t%d\t%d\t%.1f\t%d\t%s\n", r.Test, r.Rule, r.Orders, r.Schedules, r.Steps, r.Seconds, r.Random, how)
	}
	fmt.Fprintf(w, "%d scenarios, %d of them complete.\n", len(results), complete)
	return w.Flush()
}
