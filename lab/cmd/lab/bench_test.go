package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/lab/bench/impl"
)

func TestBench(t *testing.T) {
	runs, profile := filepath.Join(t.TempDir(), "runs.txt"), filepath.Join(t.TempDir(), "cpu.pgo")
	args := "bench --quick --workload fib,par-small,sweep-10 --impl sequential,goroutine,rouse,par --workers 2,1,2 --repeat 1 --time 1ms --benchstat " +
		runs + " --cpuprofile " + profile
	got := do(t, strings.Fields(args)...)
	if got.status != statusOK || got.stderr != "" {
		t.Fatalf("%+v", got)
	}
	for _, want := range []string{"\ngo -C lab run ./cmd/lab " + args + "\n", "\nfib: fib(27)", "\npar-small-1000: ", "\nsequential ", "\nthe sweep: "} {
		if !strings.Contains(got.stdout, want) {
			t.Errorf("no %q in\n%s", want, got.stdout)
		}
	}
	if n := strings.Count(got.stdout, "\nrouse "); n != 2 {
		t.Errorf("%d rows of the pool, want one for each number of workers:\n%s", n, got.stdout)
	}
	if text, err := os.ReadFile(runs); err != nil || !strings.Contains(string(text), "BenchmarkFib/impl=rouse/workers=2 ") {
		t.Errorf("for benchstat: error %v, %s", err, text)
	}
	// A build can be guided by it: it is a gzipped protocol buffer.
	if b, err := os.ReadFile(profile); err != nil || !strings.HasPrefix(string(b), "\x1f\x8b") {
		t.Errorf("the profile: error %v, begins with %q", err, b[:min(len(b), 4)])
	}
}

// The sweep is only measured when it is asked for.
func TestBenchApart(t *testing.T) {
	flags := benchFlags{repeat: 1, time: 1, quick: true}
	plan, err := flags.plan(impl.NewOutside(t.Context(), ""))
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range plan.Workloads {
		if w.Apart {
			t.Errorf("%s is measured, and was not asked for", w.Name)
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
