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
	"P3":  {"pool"},
	"P25": {"pool"},
}

// A statement is a rule, and where it is stated.
type statement struct{ dir, text string }

// stated returns all rules, as their documentation has them.
func stated(t *testing.T) map[string]statement {
	rule := regexp.MustCompile(`(?m)^//\s+- ([A-Z]\d+)\. (.*(?:\n//     .*)*)`)
	link, space := regexp.MustCompile(`\[([*\w./]+)\]`), regexp.MustCompile(`\n//\s+`)
	all := map[string]statement{}
	for _, dir := range statedIn {
		names, err := filepath.Glob(filepath.Join("..", dir, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			source, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range rule.FindAllStringSubmatch(string(source), -1) {
				all[m[1]] = statement{dir, link.ReplaceAllString(space.ReplaceAllString(m[2], " "), "$1")}
			}
		}
	}
	if len(all) < 80 {
		t.Fatalf("only the rules %v are found", slices.Sorted(maps.Keys(all)))
	}
	return all
}

// Every rule is cited by the suite, which has its text and a row in README.md, or by the
// tests of the package that it is about.
func TestEveryRuleIsAccountedFor(t *testing.T) {
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	suite := cited(t, ".", false)
	own := map[string]map[string]bool{"sleep/jec": cited(t, "../sleep/jec", true), "sleep/futex": cited(t, "../sleep/futex", true)}
	for _, dir := range statedIn {
		own[dir] = cited(t, filepath.Join("..", dir), true)
	}
	for _, missing := range unaccounted(stated(t), harness.Rules, string(readme), suite, own) {
		t.Error(missing)
	}
}

// unaccounted returns what is missing, in order.
func unaccounted(stated map[string]statement, rules map[string]string, readme string, suite map[string]bool, own map[string]map[string]bool) (missing []string) {
	report := func(format string, args ...any) { missing = append(missing, fmt.Sprintf(format, args...)) }
	for _, id := range slices.Sorted(maps.Keys(stated)) {
		dirs := checkedBy[id]
		if suite[id] {
			if text := rules[id]; text == "" || !strings.HasPrefix(stated[id].text+" ", text+" ") {
				report("rule %s is %q in harness.Rules, and in %s it begins: %q", id, text, stated[id].dir, stated[id].text)
			}
			if !strings.Contains(readme, "\n| "+id+" |") {
				report("rule %s has no row in README.md", id)
			}
		} else if len(dirs) == 0 {
			dirs = []string{stated[id].dir}
		}
		for _, dir := range dirs {
			if !own[dir][id] {
				report("rule %s is cited by no subtest, nor by a test of %s", id, dir)
			}
		}
	}
	for _, id := range slices.Sorted(maps.Keys(rules)) {
		if stated[id].text == "" || !suite[id] {
			report("rule %s of harness.Rules is stated nowhere, or cited by no subtest", id)
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
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	ids := map[string]bool{}
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

// If this fails, a rule may lose its text, its row or its last check, and nobody is told.
func TestMissingRuleIsNoticed(t *testing.T) {
	all := map[string]statement{"L1": {"api", "One. Two."}, "S12": {"api", "Three."}, "P30": {"pool", "Four."}}
	for _, test := range []struct {
		rules, readme string
		suite, own    string
		want          string
	}{
		{"One.", "\n| L1 |", "L1", "S12 P30", ""},
		{"One. Two.", "\n| L1 |", "L1", "S12 P30", ""},
		{"One", "\n| L1 |", "L1", "S12 P30", `rule L1 is "One" in harness.Rules, and in api it begins: "One. Two."`},
		{"Two.", "\n| L1 |", "L1", "S12 P30", `rule L1 is "Two." in harness.Rules, and in api it begins: "One. Two."`},
		{"One.", "", "L1", "S12 P30", "rule L1 has no row in README.md"},
		{"One.", "\n| L1 |", "", "L1 S12 P30", "rule L1 of harness.Rules is stated nowhere, or cited by no subtest"},
		{"", "", "", "S12 P30", "rule L1 is cited by no subtest, nor by a test of api"},
		{"One.", "\n| L1 |", "L1", "S12", "rule P30 is cited by no subtest, nor by a test of pool"},
	} {
		rules, suite, own := map[string]string{}, map[string]bool{test.suite: true}, map[string]bool{}
		if test.rules != "" {
			rules["L1"] = test.rules
		}
		for _, id := range strings.Fields(test.own) {
			own[id] = true
		}
		dirs := map[string]map[string]bool{"api": own, "pool": own, "sleep/jec": own, "sleep/futex": own}
		got := strings.Join(unaccounted(all, rules, test.readme, suite, dirs), "\n")
		if got != test.want {
			t.Errorf("%+v: missing is %q", test, got)
		}
	}
}
