package conformance_test

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/rouse-go/rouse/conformance/internal/harness"
)

// A rule that package api states, and that the suite does not know, is checked by nothing.
func TestEveryRuleOfAPIIsKnown(t *testing.T) {
	files, err := filepath.Glob("../api/*.go")
	if err != nil {
		t.Fatal(err)
	}
	stated := map[string]bool{}
	for _, name := range files {
		source, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(`(?m)^//\s+- ([A-Z]\d+)\. `).FindAllStringSubmatch(string(source), -1) {
			stated[m[1]] = true
			if harness.Rules[m[1]] == "" {
				t.Errorf("rule %s of package api is not in harness.Rules", m[1])
			}
		}
	}
	if len(stated) < 30 {
		t.Errorf("package api states only the rules %v", stated)
	}
}
