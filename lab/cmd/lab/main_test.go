package main

import (
	"bytes"
	"context"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/lab/internal/planted"
)

// outcome is what a command line leads to.
type outcome struct {
	status         int
	stdout, stderr string
}

func do(t *testing.T, args ...string) outcome { return doContext(t.Context(), args...) }

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
		{"bench --impl sequential,rayon", "with --peers DIR also rayon, onetbb"},
		{"bench --quick --workload wake --impl goroutine", "none of the implementations asked for can run any of the workloads"},
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

// What fails is said below its check, and no later step begins.
func TestChecks(t *testing.T) {
	t.Setenv("GOWORK", "")
	for _, test := range []struct {
		command, file, content string
		want                   outcome
	}{
		{"docs", "README.md", "[api](api)\n", outcome{}},
		{"docs", "README.md", "[api](gone)\n", outcome{statusFailed, "README.md:1: link gone: there is no gone\n", "lab: 1 findings\n"}},
		{"release", "api/bad.go", "package api\n\nimport _ \"sync\"\n", outcome{statusFailed, "FAIL modules of the checkout\n\tapi/bad.go imports sync, ", "lab: 1 of 4 checks failed\n"}},
		{"types darwin", "api/api.go", "package api\n", outcome{statusFailed, "FAIL darwin\n\tunknown platform \"darwin\"", "lab: 1 of 1 checks failed\n"}},
		{"docs", "lab/go.work", "", outcome{statusFailed, "", "lab: not in a checkout of Rouse: there is no lab/go.work here or above\n"}},
		{"release", "lab/go.work", "", outcome{statusFailed, "", "lab: not in a checkout of Rouse: there is no lab/go.work here or above\n"}},
	} {
		files := map[string]string{
			"go.work":      "go 1.25.0\n\nuse ./api\n",
			"api/go.mod":   "module github.com/rouse-go/rouse/api\n\ngo 1.25.0\n",
			"api/api.go":   "package api\n",
			"lab/go.mod":   "module github.com/rouse-go/rouse/lab\n\ngo 1.25.0\n",
			"lab/go.work":  "go 1.25.0\n\nuse (\n\t.\n\t../api\n)\n",
			"SUPPORT.md":   "## Dependencies\n",
			"CHANGELOG.md": "## Unreleased\n\n* All.\n",
		}
		if files[test.file] = test.content; test.content == "" {
			delete(files, test.file)
		}
		t.Chdir(planted.Tree(t, files))
		got := do(t, strings.Fields(test.command)...)
		got.stdout = regexp.MustCompile(` +[0-9.]+s +`).ReplaceAllString(got.stdout, " ")
		if got.status != test.want.status || got.stderr != test.want.stderr || !strings.Contains(got.stdout, test.want.stdout) || strings.Contains(got.stdout, "zip") {
			t.Errorf("lab %s, with %s: got %+v, want %+v", test.command, test.file, got, test.want)
		}
		if test.content != "" {
			ctx, cancel := context.WithCancel(t.Context())
			cancel()
			if got, want := doContext(ctx, strings.Fields(test.command)...), (outcome{statusInterrupted, "", "lab: interrupted\n"}); got != want {
				t.Errorf("lab %s, interrupted: got %+v, want %+v", test.command, got, want)
			}
		}
	}
}
