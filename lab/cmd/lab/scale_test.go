package main

import (
	"strings"
	"testing"

	"github.com/rouse-go/rouse/lab/scale/measure"
)

func TestScale(t *testing.T) {
	got := do(t, "scale", "--quick", "--workload", "fib,scope", "--workers", "2,1,2", "--repeat", "1")
	if got.status != statusOK || got.stderr != "" {
		t.Fatalf("%+v", got)
	}
	for _, want := range []string{
		"\ngo -C lab run ./cmd/lab scale --quick --workload fib,scope --workers 2,1,2 --repeat 1\n",
		"\nfib ", "\nscope ", "fib(20)", "Leaves that sleep 2ms",
	} {
		if !strings.Contains(got.stdout, want) {
			t.Errorf("no %q in\n%s", want, got.stdout)
		}
	}
	if strings.Contains(got.stdout, "queens") {
		t.Errorf("more than was asked for:\n%s", got.stdout)
	}
}

// What is printed as JSON is a file that can be sent in: it says where it is
// from, and how to measure the same again.
func TestScaleJSON(t *testing.T) {
	const args = "scale --quick --json --workload queens --workers 1 --repeat 1 --sleep futex"
	got := do(t, strings.Fields(args)...)
	f, err := measure.Read(strings.NewReader(got.stdout))
	if err != nil || len(f.Rows) != 1 || f.Machine.OS == "" || f.Sleep != "futex" || f.Command != "go -C lab run ./cmd/lab "+args {
		t.Errorf("%+v, error %v, file %+v", got, err, f)
	}
}
