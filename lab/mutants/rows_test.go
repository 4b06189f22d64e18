package mutants

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"
)

// TestRows checks that the rows are whole, that what they change is still there, and that they
// fit into one program.
func TestRows(t *testing.T) {
	all := Mutants()
	names := make(map[string]bool)
	for _, m := range all {
		if names[m.Name] {
			t.Errorf("%s: there are two of that name", m.Name)
		}
		names[m.Name] = true
		if m.Test == "" || len(m.Changes) == 0 || m.Says == "" {
			t.Errorf("%s: a row needs changes, a test that they fail, and what that says", m.Name)
		}
		if _, err := schemata("../..", []Mutant{m}); err != nil {
			t.Error(err)
		}
	}
	for name := range stored() {
		if !names[name] {
			t.Errorf("schedules.txt has %s, which is no mutant", name)
		}
	}
}

// unbroken are the rules of backends that no row breaks yet.
var unbroken = []string{"C6", "D4", "D5", "D6", "D9", "I6", "S5"}

// A rule of a backend that no mutant breaks may have a check that cannot fail.
func TestEveryRuleOfABackendIsBroken(t *testing.T) {
	files, err := filepath.Glob("../../api/*.go")
	if err != nil {
		t.Fatal(err)
	}
	var rules []string
	for _, name := range files {
		source, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(`(?m)^//\s+- ([DILCS]\d+)\. `).FindAllStringSubmatch(string(source), -1) {
			rules = append(rules, m[1])
		}
	}
	if len(rules) < 30 {
		t.Fatalf("package api has only the rules %v", rules)
	}
	for _, rule := range rules {
		says := regexp.MustCompile(`\b` + rule + `\b`)
		broken := slices.ContainsFunc(Mutants(), func(m Mutant) bool { return says.MatchString(m.Says) })
		if broken == slices.Contains(unbroken, rule) {
			t.Errorf("%s: a mutant breaks it: %t; add a row to lab/mutants/rows_*.go, or correct the list of those without", rule, broken)
		}
	}
}
