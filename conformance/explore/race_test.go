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
	list, err := exec.Command(binary, "-test.list", ".").Output()
	if err != nil {
		t.Fatal(err)
	}
	names := strings.Fields(string(list))
	if len(names) < 10 {
		t.Fatalf("the tests are %v", names)
	}
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			out, err := exec.Command(binary, "-test.run", "^"+name+"$").CombinedOutput()
			reported := strings.Contains(string(out), "DATA RACE")
			if racy := strings.HasPrefix(name, "TestRacy"); racy != reported || racy != (err != nil) {
				t.Errorf("reported a race: %v; error: %v\n%s", reported, err, out)
			}
			if reported && !strings.Contains(string(out), "races_test.go") {
				t.Errorf("the race is not the program's:\n%s", out)
			}
		})
	}
}
