package main

import (
	"bytes"
	"context"
	"maps"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/lab/internal/planted"
)

// outcome is what a command line leads to.
type outcome struct {
	status         int
	stdout, stderr string
}

func do(t *testing.T, args ...string) outcome {
	t.Helper()
	return doContext(t.Context(), args...)
}

func doContext(ctx context.Context, args ...string) outcome {
	var stdout, stderr bytes.Buffer
	status := lab(ctx, args, &stdout, &stderr)
	return outcome{status, stdout.String(), stderr.String()}
}

// A mistake gets one line on standard error that says what to do instead, and
// nothing on standard output.
func TestMistakes(t *testing.T) {
	for _, test := range []struct{ args, says string }{
		{"bench --workload fib,coffee", `unknown workload "coffee"; there are: fib, `},
		{"bench --impl coffee", `unknown implementation "coffee"; there are: sequential, goroutine, `},
		{"bench --workers 2,99999", "--workers is 99999, must be 1 to"},
		{"bench --workers many", `invalid argument "many"`},
		{"bench --time -1s", "--time is -1s"},
		{"bench --impl sequential,rayon", "with --peers DIR also rayon, onetbb"},
		{"bench --quick --workload submit --impl goroutine-cutoff", "none of the implementations asked for can run any of the workloads"},
		{"bench --peers bench_test.go", "--peers: "},
		{"bench --benchstat " + filepath.Join("no", "such", "place"), "no such"},
		{"predict --workload coffee", `unknown workload "coffee"; there are: fib, flat, `},
		{"predict --workers 65", "--workers is 65, must be 1 to 64"},
		{"predict --sleep coffee", `unknown sleep backend "coffee"; there are: jec, futex`},
		{"walk", `unknown command "walk"`},
		{"docs here", "here"},
		{"release --tag", "--tag needs a version"},
		{"mutants coffee", `no mutant whose name begins with "coffee"`},
	} {
		got := do(t, strings.Fields(test.args)...)
		if got.status != statusFailed || got.stdout != "" || strings.Count(got.stderr, "\n") != 1 || !strings.Contains(got.stderr, test.says) {
			t.Errorf("lab %s: status %d, stdout %q, stderr %q; want 1, nothing, and a line with %q",
				test.args, got.status, got.stdout, got.stderr, test.says)
		}
	}
}

// The checks need a workspace around them.
func TestNoWorkspace(t *testing.T) {
	t.Chdir(t.TempDir())
	t.Setenv("GOWORK", "")
	for _, command := range []string{"docs", "release"} {
		got := do(t, command)
		if got.status != statusFailed || !strings.Contains(got.stderr, "not in a checkout") {
			t.Errorf("%s: %+v", command, got)
		}
	}
}

// inWorkspace enters a workspace of the modules api and lab.
func inWorkspace(t *testing.T, more map[string]string) {
	t.Helper()
	files := map[string]string{
		"go.work":     "go 1.25.0\n\nuse ./api\n",
		"api/go.mod":  "module github.com/rouse-go/rouse/api\n\ngo 1.25.0\n",
		"api/api.go":  "package api\n",
		"lab/go.mod":  "module github.com/rouse-go/rouse/lab\n\ngo 1.25.0\n",
		"lab/go.work": "go 1.25.0\n\nuse (\n\t.\n\t../api\n)\n",
		"SUPPORT.md":  "## Dependencies\n",
	}
	maps.Copy(files, more)
	t.Chdir(planted.Tree(t, files))
	t.Setenv("GOWORK", "")
}

// What fails is said below its check, and no later step begins.
func TestRelease(t *testing.T) {
	inWorkspace(t, map[string]string{
		"api/bad.go":   "package api\n\nimport _ \"sync\"\n",
		"CHANGELOG.md": "## Unreleased\n\n* All.\n",
	})
	got := do(t, "release")
	if got.status != statusFailed || got.stderr != "lab: 1 of 4 checks failed; nothing was made\n" ||
		!strings.Contains(got.stdout, "modules of the checkout\n\t"+filepath.FromSlash("api/bad.go")+" imports sync\n") ||
		!strings.HasPrefix(got.stdout, "ok ") || strings.Contains(got.stdout, "zip") {
		t.Errorf("%+v", got)
	}
}

func TestDocs(t *testing.T) {
	inWorkspace(t, map[string]string{"README.md": "[api](api)\n"})
	if got := do(t, "docs"); got != (outcome{}) {
		t.Errorf("%+v", got)
	}
	inWorkspace(t, map[string]string{"README.md": "[api](gone)\n"})
	want := outcome{statusFailed, "README.md:1: link gone: there is no gone\n", "lab: 1 findings\n"}
	if got := do(t, "docs"); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestInterrupted(t *testing.T) {
	inWorkspace(t, nil)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, command := range []string{"docs", "release"} {
		want := outcome{statusInterrupted, "", "lab: interrupted\n"}
		if got := doContext(ctx, strings.Fields(command)...); got != want {
			t.Errorf("lab %s: got %+v, want %+v", command, got, want)
		}
	}
}
