package conformance

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Every rule has a row in the table of README.md, and is cited somewhere.
func TestEveryRuleIsAccountedFor(t *testing.T) {
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	var code strings.Builder
	for _, f := range files {
		if f == "rules.go" || strings.HasSuffix(f, "_test.go") {
			continue
		}
		b, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		code.Write(b)
	}
	for id := range rules {
		if !strings.Contains(string(readme), "\n| "+id+" |") {
			t.Errorf("rule %s has no row in README.md", id)
		}
		if !strings.Contains(code.String(), `"`+id+`"`) && !strings.Contains(code.String(), `"`+id+`: `) {
			t.Errorf("rule %s is cited by no subtest", id)
		}
	}
}
