package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestBench(t *testing.T) {
	runs, profile := filepath.Join(t.TempDir(), "runs.txt"), filepath.Join(t.TempDir(), "cpu.pgo")
	args := "bench --quick --workload fib,par-find --impl sequential,goroutine,rouse --workers 2,1,2 --repeat 1 --time 1ms --benchstat " +
		runs + " --cpuprofile " + profile
	got := do(t, strings.Fields(args)...)
	if got.status != statusOK || got.stderr != "" {
		t.Fatalf("%+v", got)
	}
	for _, want := range []string{"\ngo -C lab run ./cmd/lab " + args + "\n", "\nfib: fib(27)", "\npar-find-start: ", "\npar-find-none: ", "\nsequential "} {
		if !strings.Contains(got.stdout, want) {
			t.Errorf("no %q in\n%s", want, got.stdout)
		}
	}
	if n := strings.Count(got.stdout, "\nrouse "); n != 6 {
		t.Errorf("%d rows of the pool, want one for each of 3 workloads and 2 numbers of workers:\n%s", n, got.stdout)
	}
	if text, err := os.ReadFile(runs); err != nil || !strings.Contains(string(text), "BenchmarkFib/impl=rouse/workers=2 ") {
		t.Errorf("for benchstat: error %v, %s", err, text)
	}
	// A build can be guided by it: it is a gzipped protocol buffer.
	if b, err := os.ReadFile(profile); err != nil || !strings.HasPrefix(string(b), "\x1f\x8b") {
		t.Errorf("the profile: error %v, begins with %q", err, b[:min(len(b), 4)])
	}
}

// A name picks one thing or a family. A failure means that a user measures something else than what
// was asked for.
func TestNamed(t *testing.T) {
	for picked, want := range map[string]string{
		"": "fib fib-large fill-flat-64 fill-flat-256 fill-tree-64", "fib": "fib", // not its family, since it is there
		"fill-tree-64 fib": "fib fill-tree-64", "fill": "fill-flat-64 fill-flat-256 fill-tree-64", "fill-flat": "fill-flat-64 fill-flat-256",
		"fill-": "", "large": "", "fill-flat-6": "",
	} {
		known := strings.Fields("fib fib-large fill-flat-64 fill-flat-256 fill-tree-64")
		got, err := named("workload", known, func(s string) string { return s }, strings.Fields(picked))
		if (err == nil) != (want != "") || strings.Join(got, " ") != want {
			t.Errorf("%q picks %q, error %v; want %q", picked, got, err, want)
		}
	}
}

// A file that was there stays until there is a new one.
func TestBenchKeepsFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "runs.txt")
	if err := os.WriteFile(file, []byte("the last one"), 0o666); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if got := doContext(ctx, "bench", "--quick", "--benchstat", file); got.status != statusInterrupted {
		t.Errorf("%+v", got)
	}
	if text, err := os.ReadFile(file); err != nil || string(text) != "the last one" {
		t.Errorf("the file is %q, error %v", text, err)
	}
}

// A peer that is not installed has a row that says so; what else there is is
// measured; the exit status tells.
func TestBenchMissingPeer(t *testing.T) {
	got := do(t, "bench", "--quick", "--workload", "queens", "--impl", "sequential,rayon", "--repeat", "1", "--time", "1ms", "--workers", "2", "--peers", t.TempDir())
	if got.status != statusFailed || !strings.Contains(got.stdout, "rayon, 2 workers: not installed") || !strings.Contains(got.stdout, "\nsequential ") ||
		!strings.Contains(got.stderr, "see the report") {
		t.Errorf("%+v", got)
	}
}
