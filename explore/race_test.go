package explore_test

import (
	"os/exec"
	"strings"
	"testing"
)

// The race detector sees the program as it was written, not the order in which
// the explorer runs it: it reports each racy program in testdata/races, and none
// of those that synchronize.
func TestRaceDetector(t *testing.T) {
	needsTag(t)
	if testing.Short() {
		t.Skip("builds a program with -race")
	}
	binary := t.TempDir() + "/races"
	build := exec.Command("go", "test", "-c", "-race", "-tags", "explore", "-o", binary, "./testdata/races")
	if out, err := build.CombinedOutput(); err != nil {
		if strings.Contains(string(out), "-race requires cgo") || strings.Contains(string(out), "-race is not supported") {
			t.Skipf("%s", out)
		}
		t.Fatalf("%v\n%s", err, out)
	}
	out, _ := exec.Command(binary, "-test.v").CombinedOutput()
	programs := 0
	for _, ran := range strings.Split(string(out), "=== RUN   ") {
		name, said, _ := strings.Cut(ran, "\n")
		if !strings.Contains(name, "/") {
			continue
		}
		programs++
		reported, failed := strings.Contains(said, "DATA RACE"), strings.Contains(string(out), "--- FAIL: "+name+" ")
		if racy := strings.HasPrefix(name, "TestRacy/"); racy != reported || racy != failed {
			t.Errorf("%s: reported a race: %v; failed: %v\n%s", name, reported, failed, said)
		}
		if reported && !strings.Contains(said, "races_test.go") {
			t.Errorf("the race is not the program's:\n%s", said)
		}
	}
	if programs != 13 {
		t.Errorf("of 13 programs %d were run:\n%s", programs, out)
	}
}
