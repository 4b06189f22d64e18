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
				if was, twice := all[m[1]]; twice {
					t.Errorf("rule %s is stated in %s and in %s: take a number that is free", m[1], was.dir, dir)
				}
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
	if _, err := os.Stat("../api"); err != nil {
		t.Skip("the rules are in other modules, which lie here in a checkout alone")
	}
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
	for _, missing := range misnamed(string(readme), suite, literals(t, ".", false)) {
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
				report("rule %s is %q in internal/harness/rules.go, and in %s it begins: %q", id, text, stated[id].dir, stated[id].text)
			}
			if !strings.Contains(readme, "\n| "+id+" |") {
				report(`rule %s has no row in "What is checked where" of README.md`, id)
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
			report("rule %s of internal/harness/rules.go is stated nowhere, or cited by no subtest", id)
		}
	}
	return missing
}

// misnamed returns which rules the table of calls in README.md leaves out, and which subtests that
// it names in the table of rules are none: no text of the suite has their name, or a part of it.
func misnamed(readme string, suite map[string]bool, literals []string) (missing []string) {
	called := map[string]bool{}
	span := regexp.MustCompile(`\b([A-Z])(\d+)(?: to [A-Z](\d+))?`)
	for _, row := range regexp.MustCompile("(?m)^\\| `Test.*\\| (.*) \\|$").FindAllStringSubmatch(readme, -1) {
		for _, m := range span.FindAllStringSubmatch(row[1], -1) {
			first, _ := strconv.Atoi(m[2])
			last, _ := strconv.Atoi(m[3])
			for n := first; n <= max(first, last); n++ {
				called[m[1]+strconv.Itoa(n)] = true
			}
		}
	}
	for _, id := range slices.Sorted(maps.Keys(suite)) {
		if strings.Contains("DILCS", id[:1]) && !called[id] {
			missing = append(missing, fmt.Sprintf("rule %s is in no row of the calls at the top of README.md", id))
		}
	}
	name := regexp.MustCompile("`([^`-][^`]*)`") // and no flag
	for _, row := range regexp.MustCompile(`(?m)^\| ([A-Z]\d+) \| (.*) \| .*\|$`).FindAllStringSubmatch(readme, -1) {
		for _, m := range name.FindAllStringSubmatch(row[2], -1) {
			for _, part := range strings.FieldsFunc(m[1], func(r rune) bool { return strings.ContainsRune("/=… ", r) }) {
				if strings.HasPrefix(part, "Test") || strings.HasPrefix(part, "With") {
					continue // a function of the suite
				}
				if !slices.ContainsFunc(literals, func(s string) bool { return strings.Contains(s, part) }) {
					missing = append(missing, fmt.Sprintf("rule %s has the subtest %s in README.md, and no text of the suite has %q", row[1], m[1], part))
				}
			}
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
	for _, text := range literals(t, dir, tests) {
		if m := citation.FindStringSubmatch(text); m != nil {
			ids[m[1]] = true
		}
	}
	return ids
}

// literals returns the strings in the sources of a folder: of its tests, or of the rest.
func literals(t *testing.T, dir string, tests bool) (all []string) {
	t.Helper()
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
			all = append(all, text)
		}
	}
	return all
}

// If this fails, a rule may lose its text, its row or its last check, and nobody is told.
func TestMissingRuleIsNoticed(t *testing.T) {
	all := map[string]statement{"L1": {"api", "One. Two."}, "S12": {"api", "Three."}, "P30": {"pool", "Four."}}
	const row = "\n| L1 |"
	for _, test := range []struct{ text, readme, suite, own, want string }{
		{"One.", row, "L1", "S12 P30", ""},
		{"One. Two.", row, "L1", "S12 P30", ""},
		{"One", row, "L1", "S12 P30", `rule L1 is "One" in internal/harness/rules.go, and in api it begins: "One. Two."`},
		{"Two.", row, "L1", "S12 P30", `rule L1 is "Two." in internal/harness/rules.go, and in api it begins: "One. Two."`},
		{"One.", "", "L1", "S12 P30", `rule L1 has no row in "What is checked where" of README.md`},
		{"One.", row, "", "L1 S12 P30", "rule L1 of internal/harness/rules.go is stated nowhere, or cited by no subtest"},
		{"", "", "", "S12 P30", "rule L1 is cited by no subtest, nor by a test of api"},
		{"One.", row, "L1", "S12", "rule P30 is cited by no subtest, nor by a test of pool"},
	} {
		rules, own := map[string]string{}, map[string]bool{}
		if test.text != "" {
			rules["L1"] = test.text
		}
		for _, id := range strings.Fields(test.own) {
			own[id] = true
		}
		dirs := map[string]map[string]bool{"api": own, "pool": own, "sleep/jec": own, "sleep/futex": own}
		got := unaccounted(all, rules, test.readme, map[string]bool{test.suite: true}, dirs)
		if strings.Join(got, "\n") != test.want {
			t.Errorf("%+v: missing is %q", test, got)
		}
	}
}

// If this fails, the tables of README.md may name what is gone, and nobody is told.
func TestMisnamedIsNoticed(t *testing.T) {
	suite, literals := map[string]bool{"D1": true, "S3": true, "S9": true, "P40": true}, []string{"Model", "Stress/mix="}
	readme := "| `TestDeque` | a deque | D1 |\n| `TestSleep` | a backend | S1 to S4 |\n" +
		"| D1 | `Model`, `Stress/mix=…` | `Nothing` |\n| S3 | `Modem` |  |\n"
	got := strings.Join(misnamed(readme, suite, literals), "\n")
	want := "rule S9 is in no row of the calls at the top of README.md\n" +
		"rule S3 has the subtest Modem in README.md, and no text of the suite has \"Modem\""
	if got != want {
		t.Errorf("misnamed is\n%s\nwant\n%s", got, want)
	}
}
