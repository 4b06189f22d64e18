package conformance_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/conformance/internal/harness"
)

// statedIn are the folders in whose documentation rules stand.
var statedIn = []string{"api", "counters", "deque", "latch", "par", "pool"}

// checkedBy says whose own tests check a rule of api, or one that the suite cites, too. Any
// other rule that the suite does not cite is checked by the package that states it.
var checkedBy = map[string][]string{
	"D9":  {"deque"},
	"C8":  {"counters", "sleep/jec"},
	"S12": {"api", "sleep/jec", "sleep/futex"},
	"P2":  {"pool"},
	"P11": {"pool"},
	"P3":  {"pool"},
	"P25": {"pool"},
}

// A statement is a rule, and where it is stated.
type statement struct{ dir, text string }

// stated returns all rules, as their documentation has them.
func stated(t *testing.T) map[string]statement {
	// In the documentation of a package, or on a page of rules.
	rule := regexp.MustCompile(`(?m)^(?://\s+- ([A-Z]\d+)\. (.*(?:\n//     .*)*)|- ([A-Z]\d+): (.*(?:\n  .*)*))`)
	link, space := regexp.MustCompile("\\[([*\\w./]+)\\]|`([*\\w./]+)`"), regexp.MustCompile(`\n(?://)?\s+`)
	all := map[string]statement{}
	for _, dir := range statedIn {
		names, err := filepath.Glob(filepath.Join("..", dir, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		pages, _ := filepath.Glob(filepath.Join("..", dir, "RULES.md")) // the pattern is one
		names = append(names, pages...)
		for _, name := range names {
			source, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range rule.FindAllStringSubmatch(string(source), -1) {
				id, text := m[1]+m[3], m[2]+m[4]
				if was, twice := all[id]; twice {
					t.Errorf("rule %s is stated in %s and in %s: take a number that is free", id, was.dir, dir)
				}
				all[id] = statement{dir, link.ReplaceAllString(space.ReplaceAllString(text, " "), "$1$2")}
			}
		}
	}
	if len(all) < 80 {
		t.Fatalf("only the rules %v are found", slices.Sorted(maps.Keys(all)))
	}
	return all
}

// Every rule is cited by the suite, which has its text, or by the tests of the package that it
// is about.
func TestEveryRuleIsAccountedFor(t *testing.T) {
	if _, err := os.Stat("../api"); err != nil {
		t.Skip("the rules are in other modules, which lie here in a checkout alone")
	}
	tests := map[string]map[string]bool{}
	for _, dir := range append([]string{"sleep/jec", "sleep/futex"}, statedIn...) {
		tests[dir] = cited(t, filepath.Join("..", dir), true)
	}
	for _, missing := range unaccounted(stated(t), harness.Rules, cited(t, ".", false), tests) {
		t.Error(missing)
	}
}

// unaccounted returns what is missing, in order. suite are the rules that the suite cites, and
// tests those that the tests of each folder do.
func unaccounted(stated map[string]statement, rules map[string]string, suite map[string]bool, tests map[string]map[string]bool) (missing []string) {
	report := func(format string, args ...any) { missing = append(missing, fmt.Sprintf(format, args...)) }
	for _, id := range slices.Sorted(maps.Keys(stated)) {
		dirs := checkedBy[id]
		if suite[id] {
			if text := rules[id]; text == "" || !strings.HasPrefix(stated[id].text+" ", text+" ") {
				report("rule %s is %q in internal/harness/rules.go, and in %s it begins: %q", id, text, stated[id].dir, stated[id].text)
			}
		} else if len(dirs) == 0 {
			dirs = []string{stated[id].dir}
		}
		for _, dir := range dirs {
			if !tests[dir][id] {
				report("rule %s is cited by no subtest, nor by a test of %s", id, dir)
			}
		}
	}
	for _, id := range slices.Sorted(maps.Keys(rules)) {
		if stated[id].text == "" || !suite[id] {
			report("rule %s of internal/harness/rules.go is stated nowhere, or cited by no subtest", id)
		}
	}
	return missing
}

// citation matches a string that cites a rule: alone, or at the start of a message.
var citation = regexp.MustCompile(`^([A-Z][1-9][0-9]?)(?:: |, |$)`)

// cited returns the rules that strings in the sources of a folder cite: of its tests,
// or of the rest. A comment is no citation.
func cited(t *testing.T, dir string, tests bool) map[string]bool {
	t.Helper()
	ids := map[string]bool{}
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") != tests {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for n := range ast.Preorder(f) {
			lit, ok := n.(*ast.BasicLit)
			if !ok || lit.Kind != token.STRING {
				continue
			}
			text, err := strconv.Unquote(lit.Value)
			if err != nil {
				t.Fatal(err)
			}
			if m := citation.FindStringSubmatch(text); m != nil {
				ids[m[1]] = true
			}
		}
	}
	return ids
}

// If this fails, a rule may lose its text or its last check, and nobody is told.
func TestMissingRuleIsNoticed(t *testing.T) {
	all := map[string]statement{"L1": {"api", "One. Two."}, "S12": {"api", "Three."}, "P30": {"pool", "Four."}}
	for _, test := range []struct{ text, suite, tests, want string }{
		{"One.", "L1", "S12 P30", ""},
		{"One. Two.", "L1", "S12 P30", ""},
		{"One", "L1", "S12 P30", `rule L1 is "One" in internal/harness/rules.go, and in api it begins: "One. Two."`},
		{"Two.", "L1", "S12 P30", `rule L1 is "Two." in internal/harness/rules.go, and in api it begins: "One. Two."`},
		{"One.", "", "L1 S12 P30", "rule L1 of internal/harness/rules.go is stated nowhere, or cited by no subtest"},
		{"", "", "S12 P30", "rule L1 is cited by no subtest, nor by a test of api"},
		{"One.", "L1", "S12", "rule P30 is cited by no subtest, nor by a test of pool"},
	} {
		rules, cited := map[string]string{}, map[string]bool{}
		if test.text != "" {
			rules["L1"] = test.text
		}
		for _, id := range strings.Fields(test.tests) {
			cited[id] = true
		}
		tests := map[string]map[string]bool{"api": cited, "pool": cited, "sleep/jec": cited, "sleep/futex": cited}
		got := unaccounted(all, rules, map[string]bool{test.suite: true}, tests)
		if strings.Join(got, "\n") != test.want {
			t.Errorf("%+v: missing is %q", test, got)
		}
	}
}
