package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestBench(t *testing.T) {
	runs := filepath.Join(t.TempDir(), "runs.txt")
	if err := os.WriteFile(runs, []byte("the last ones\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	args := "bench --quick --workload fib,latency --impl sequential,goroutine,rouse --workers 2,1,2 --time 1ms --benchstat " + runs
	got := do(t, strings.Fields(args)...)
	if got.status != statusOK || got.stderr != "" {
		t.Fatalf("%+v", got)
	}
	for _, want := range []string{"\ngo -C lab run ./cmd/lab " + args + "\n", "\nfib: fib(27)", "\nlatency-idle: ", "\nlatency-busy: ", "\nsequential "} {
		if strings.Count(got.stdout, want) != 1 {
			t.Errorf("no %q, or two of them, in\n%s", want, got.stdout)
		}
	}
	if n := strings.Count(got.stdout, "\nrouse "); n != 6 {
		t.Errorf("%d rows of the pool, want one for each of 3 workloads and 2 numbers of workers:\n%s", n, got.stdout)
	}
	// What other commits have measured stays.
	text, err := os.ReadFile(runs)
	if err != nil || !strings.HasPrefix(string(text), "the last ones\n") || !strings.Contains(string(text), "BenchmarkFib/impl=rouse/workers=2 ") {
		t.Errorf("for benchstat: error %v, %s", err, text)
	}
}

// A name picks one thing or a family. A failure means that a user measures something else than what
// was asked for.
func TestNamed(t *testing.T) {
	for picked, want := range map[string]string{
		"": "fib fib-large fill-flat-64 fill-flat-256 fill-tree-64", "fib": "fib", // not its family, since it is there
		"fill-tree-64 fib": "fib fill-tree-64", "fill fill-flat": "fill-flat-64 fill-flat-256 fill-tree-64", "fill-flat": "fill-flat-64 fill-flat-256",
		"fill-": "", "large": "", "fill-flat-6": "",
	} {
		known := strings.Fields("fib fib-large fill-flat-64 fill-flat-256 fill-tree-64")
		got, err := named("workload", known, func(s string) string { return s }, strings.Fields(picked))
		if (err == nil) != (want != "") || strings.Join(got, " ") != want {
			t.Errorf("%q picks %q, error %v; want %q", picked, got, err, want)
		}
	}
}

// A peer that is not installed has a line that says so; what else there is is
// measured; the exit status tells.
func TestBenchMissingPeer(t *testing.T) {
	args := strings.Fields("bench --quick --workload queens --impl sequential,rayon --time 1ms --workers 2 --peers")
	got := do(t, append(args, t.TempDir())...)
	if got.status != statusFailed || !strings.Contains(got.stdout, "rayon, 2 workers: not installed") || !strings.Contains(got.stdout, "\nsequential ") ||
		!strings.Contains(got.stderr, "see the report") {
		t.Errorf("%+v", got)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if got := doContext(ctx, "bench", "--quick"); got.status != statusInterrupted {
		t.Errorf("interrupted: %+v", got)
	}
}
