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
	runs := filepath.Join(t.TempDir(), "runs.txt")
	got := do(t, "bench", "--quick", "--workload", "fib,queens", "--impl", "sequential,goroutine,rouse", "--workers", "2,1,2",
		"--repeat", "1", "--time", "1ms", "--benchstat", runs)
	if got.status != statusOK || got.stderr != "" {
		t.Fatalf("%+v", got)
	}
	for _, want := range []string{"fib: fib(27)", "queens: 9 queens", "sequential", "goroutine", "rouse"} {
		if !strings.Contains(got.stdout, want) {
			t.Errorf("no %q in\n%s", want, got.stdout)
		}
	}
	if text, err := os.ReadFile(runs); err != nil || !strings.Contains(string(text), "BenchmarkQueens/impl=rouse/workers=2 ") {
		t.Errorf("for benchstat: error %v, %s", err, text)
	}
	const command = "\ngo -C lab run ./cmd/lab bench --workload fib,queens --impl sequential,goroutine,rouse --workers 2,1,2 --repeat 1 --time 1ms --quick\n"
	if n := strings.Count(got.stdout, "\nrouse "); n != 4 || !strings.Contains(got.stdout, command) {
		t.Errorf("%d rows of the pool, want one for each number of workers, and the command:\n%s", n, got.stdout)
	}
}

// All loops of par are measured when par is asked for, and the sweep only when it is.
func TestBenchLoops(t *testing.T) {
	got := do(t, "bench", "--quick", "--workload", "par-small,sweep-10", "--impl", "sequential,par,lo", "--repeat", "1", "--time", "1ms", "--workers", "1,2")
	if got.status != statusOK {
		t.Fatalf("%+v", got)
	}
	for _, want := range []string{"\npar-small-1000: ", "\nsweep-10-10us-power: ", "\nthe sweep: "} {
		if !strings.Contains(got.stdout, want) {
			t.Errorf("no %q in\n%s", want, got.stdout)
		}
	}
	flags := benchFlags{repeat: 1, time: 1, quick: true}
	plan, err := flags.plan(impl.NewOutside(t.Context(), ""))
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range plan.Workloads {
		if w.Apart {
			t.Errorf("%s is measured and nobody has asked", w.Name)
		}
	}
}

// The profile is one that a build can be guided by: a gzipped protocol buffer.
func TestBenchProfile(t *testing.T) {
	profile := filepath.Join(t.TempDir(), "cpu.pgo")
	got := do(t, "bench", "--quick", "--workload", "queens", "--impl", "sequential", "--repeat", "1", "--time", "1ms", "--cpuprofile", profile)
	if got.status != statusOK {
		t.Fatalf("%+v", got)
	}
	if b, err := os.ReadFile(profile); err != nil || !strings.HasPrefix(string(b), "\x1f\x8b") {
		t.Errorf("the profile: error %v, begins with %q", err, b[:min(len(b), 4)])
	}
	if got := do(t, "bench", "--workload", "queens", "--cpuprofile", t.TempDir()); got.status == statusOK {
		t.Errorf("a profile was written to a directory: %+v", got)
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
