package conform

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"

	"github.com/rouse-go/rouse/lab/modules"
)

// A Step is one call of go test.
type Step struct {
	// Name says what is done, in a word or two.
	Name string
	Args []string
	Env  []string
}

// Steps returns what there is to run: the suite on every combination,
// and the scenarios. Full explores as deep as is feasible in an hour
// or so, instead of a few minutes. The mutants of what ships are judged by package mutants.
func Steps(full bool) []Step {
	depth, timeout := "ROUSE_DEPTH=quick", "-timeout=45m"
	if full {
		depth, timeout = "ROUSE_DEPTH=full", "-timeout=6h"
	}
	return []Step{
		{"the suite", []string{timeout, modules.Prefix + "conformance"}, nil},
		{"scenarios", []string{timeout, "-tags=explore", modules.Prefix + "conformance/scenarios"}, []string{depth}},
	}
}

// Run runs the step in the directory dir and returns its tests. ended is
// called with each test that has ended. The error says what has gone wrong
// besides tests that failed.
func (s Step) Run(ctx context.Context, dir string, ended func(*Test)) ([]*Test, error) {
	cmd := exec.CommandContext(ctx, "go", append([]string{"test", "-json", "-count=1"}, s.Args...)...)
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
	tests, other, err := readEvents(out, ended)
	exit := cmd.Wait()
	if ctx.Err() != nil {
		return tests, ctx.Err()
	}
	if err != nil {
		return tests, err
	}
	var failed *exec.ExitError
	switch {
	case exit == nil && len(tests) > 0:
		return tests, nil
	case errors.As(exit, &failed) && anyFailed(tests):
		return tests, nil // the tables say it
	}
	return tests, fmt.Errorf("%s: go test %s: %v\n%s%s", s.Name, strings.Join(s.Args, " "), exit, other, stderr.String())
}

func anyFailed(tests []*Test) bool {
	for _, t := range tests {
		if t.Result != "pass" && t.Result != "skip" {
			return true
		}
	}
	return false
}
