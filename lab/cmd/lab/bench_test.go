package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What is asked for is measured, whatever else is missing, until it is interrupted. A peer that is not installed has a line that says so,
// and the exit status tells. What other commits have measured stays in the file for benchstat.
func TestBench(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "runs.txt")
	if err := os.WriteFile(file, []byte("the last ones\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	args := "bench --quick --workload fib,latency-* --impl sequential,rayon,rouse --workers 2,1,2 --time 1ms --peers " + dir + " --benchstat " + file
	got := do(t, strings.Fields(args)...)
	if got.status != statusFailed || !strings.Contains(got.stderr, "2 rows could not be measured") {
		t.Errorf("status %d, %q", got.status, got.stderr)
	}
	for want, n := range map[string]int{
		"\ngo -C lab run ./cmd/lab " + args + "\n": 1, "\nfib: fib(27)": 1, "\nlatency-idle: ": 1, "\nlatency-busy: ": 1, "\nsequential ": 1,
		"\nrouse ": 6, "\nrayon, 2 workers: ": 1, "no such file": 2, "goal": 0,
	} {
		if strings.Count(got.stdout, want) != n {
			t.Errorf("want %d %q in\n%s", n, want, got.stdout)
		}
	}
	text, err := os.ReadFile(file)
	if err != nil || !strings.HasPrefix(string(text), "the last ones\n") || !strings.Contains(string(text), "Benchmark/fib/impl=rouse/workers=2 ") {
		t.Errorf("for benchstat: error %v, %s", err, text)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if got := doContext(ctx, "bench", "--quick"); got.status != statusInterrupted {
		t.Errorf("interrupted: %+v", got)
	}
}
