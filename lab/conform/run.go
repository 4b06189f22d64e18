package conform

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"slices"

	"github.com/rouse-go/rouse/lab/modules"
)

// A Step is one call of go test, for one package.
type Step struct {
	// Name says what is done, in a word or two.
	Name    string
	Package string
	Tags    string // of the build
	Args    []string
	Env     []string
	// Plain says that go test of the package, without anything else, runs these tests as
	// well: so they may come from a record.
	Plain bool
}

// half is a pattern of tests that take half of the time of the scenarios of pools. An exploration
// keeps one processor busy, so each half is a process of its own, beside the other.
const half = "^TestPool$/^sleep=jec$"

// Steps returns what there is to run, one group after another, the steps of a group at the
// same time: the suite on every combination, the own tests of the pool, and the scenarios. Full
// explores as deep as is feasible in an hour or so, and not in a few minutes. Package mutants
// judges the mutants.
func Steps(full bool) [][]Step {
	depth, timeout := "ROUSE_DEPTH=quick", "-timeout=45m"
	if full {
		depth, timeout = "ROUSE_DEPTH=full", "-timeout=6h"
	}
	scenarios := func(name, pkg, which string) Step {
		return Step{
			Name: name, Package: modules.Prefix + pkg,
			// Little is alive at a time, and much of it is short-lived.
			Tags: "explore", Args: []string{timeout, which}, Env: []string{depth, "GOGC=400"},
		}
	}
	return [][]Step{
		{{Name: "the suite", Package: modules.Prefix + "conformance", Args: []string{timeout}, Plain: true}},
		{{Name: "the pool's own tests", Package: modules.Prefix + "pool", Args: []string{timeout}, Plain: true}},
		{
			scenarios("one half of the scenarios of pools", "lab/scenarios", "-run="+half),
			scenarios("the other half", "lab/scenarios", "-skip="+half),
			scenarios("the scenarios of parts", "conformance/scenarios", "-run=."),
			scenarios("the small pool", "conformance/own", "-run=^TestEverySchedule$"),
		},
	}
}

// args returns those of the go command, which vets nothing: that is done elsewhere.
func (s Step) args() []string {
	return append(append([]string{"test", "-json", "-count=1", "-vet=off", "-tags=" + s.Tags}, s.Args...), s.Package)
}

// Build compiles what the steps need that run at the same time. Each would do that by itself, and
// those of one package twice: what is being compiled is not in the build cache.
func Build(ctx context.Context, dir string, group []Step) error {
	for i, s := range group {
		if slices.ContainsFunc(group[:i], func(built Step) bool { return built.Package == s.Package && built.Tags == s.Tags }) {
			continue
		}
		cmd := exec.CommandContext(ctx, "go", "test", "-c", "-o", os.DevNull, "-vet=off", "-tags="+s.Tags, s.Package)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			return fmt.Errorf("%s: %s: %w\n%s", s.Name, cmd, err, out)
		}
	}
	return nil
}

// Run runs the step in the directory dir and returns its tests. ended is
// called with each test that has ended. The error says what has gone wrong
// besides tests that failed.
func (s Step) Run(ctx context.Context, dir string, ended func(*Test)) ([]*Test, error) {
	cmd := exec.CommandContext(ctx, "go", s.args()...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), s.Env...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	r, err := read(out, ended)
	_ = cmd.Wait() // the record says how it has ended
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		return nil, err
	}
	r.name = "what " + cmd.String() + " has printed"
	r.other += stderr.String()
	return r.Tests(s)
}
