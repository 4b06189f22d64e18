package conformance_test

import (
	"fmt"
	"go/ast"
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

// checkedBy says which packages' own tests check a rule that is about these packages
// alone, or that needs what only they can do. The folders are those of the repository.
var checkedBy = map[string][]string{
	"D9":  {"deque"},
	"D10": {"deque"},
	"C7":  {"counters"},
	"C8":  {"counters", "sleep/jec"},
	"L6":  {"latch"},
	"L7":  {"latch"},
	"S12": {"api", "sleep/jec", "sleep/futex"},
	"P2":  {"pool"},
	"P3":  {"pool"},
	"P12": {"pool"},
	"P16": {"pool"},
	"P20": {"pool"},
	"P21": {"pool"},
	"P23": {"pool"},
	"P24": {"pool"},
	"P25": {"pool"},
	"P26": {"pool"},
	"P27": {"pool"},
	"P28": {"pool"},
	"P29": {"pool"},
	"P30": {"pool"},
	"P31": {"pool"},
	"F2":  {"par"},
	"F3":  {"par"},
	"F7":  {"par"},
	"F8":  {"par"},
}

// bySuite are the rules of checkedBy that subtests of the suite check, too.
var bySuite = []string{"F7"}

// Every rule has a row in the table of README.md, and is cited somewhere.
func TestEveryRuleIsAccountedFor(t *testing.T) {
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	suite, err := cited(".", false)
	if err != nil {
		t.Fatal(err)
	}
	own := map[string]map[string]bool{}
	for _, dirs := range checkedBy {
		for _, dir := range dirs {
			if own[dir], err = cited(filepath.Join("..", dir), true); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, err := range unaccounted(string(readme), suite, own) {
		t.Error(err)
	}
	for letter, of := range map[byte]string{'P': "pool", 'F': "par"} {
		doc, err := os.ReadFile("../" + of + "/doc.go")
		if err != nil {
			t.Fatal(err)
		}
		for _, id := range unstated(string(doc), letter) {
			t.Errorf("rule %s is not in the documentation of package %s", id, of)
		}
	}
}

// unstated returns the rules that begin with a letter and are not in a list of a
// documentation.
func unstated(doc string, letter byte) (missing []string) {
	for _, id := range slices.Sorted(maps.Keys(harness.Rules)) {
		if id[0] == letter && !strings.Contains(doc, "\n//   - "+id+". ") {
			missing = append(missing, id)
		}
	}
	return missing
}

// unaccounted returns what is missing, in order: rows of readme, and citations in the
// suite, or in the packages' own tests.
func unaccounted(readme string, suite map[string]bool, own map[string]map[string]bool) (missing []string) {
	for _, id := range slices.Sorted(maps.Keys(harness.Rules)) {
		if !strings.Contains(readme, "\n| "+id+" |") {
			missing = append(missing, fmt.Sprintf("rule %s has no row in README.md", id))
		}
		dirs := checkedBy[id]
		if !suite[id] && (len(dirs) == 0 || slices.Contains(bySuite, id)) {
			missing = append(missing, fmt.Sprintf("rule %s is cited by no subtest", id))
		}
		for _, dir := range dirs {
			if !own[dir][id] {
				missing = append(missing, fmt.Sprintf("rule %s is cited by no test of %s", id, dir))
			}
		}
	}
	for _, id := range slices.Sorted(maps.Keys(checkedBy)) {
		if harness.Rules[id] == "" {
			missing = append(missing, fmt.Sprintf("there is no rule %s", id))
		}
	}
	return missing
}

// citation matches a string that cites a rule: alone, or at the start of a message.
var citation = regexp.MustCompile(`^([A-Z][1-9][0-9]?)(?:: |, |$)`)

// cited returns the rules that strings in the sources of a folder cite: of its tests,
// or of the rest. A comment is no citation.
func cited(dir string, tests bool) (map[string]bool, error) {
	files, err := goFiles(dir)
	if err != nil {
		return nil, err
	}
	ids := map[string]bool{}
	for name, f := range files {
		if strings.HasSuffix(name, "_test.go") != tests {
			continue
		}
		for n := range ast.Preorder(f) {
			lit, ok := n.(*ast.BasicLit)
			if !ok || lit.Kind != token.STRING {
				continue
			}
			text, err := strconv.Unquote(lit.Value)
			if err != nil {
				return nil, err
			}
			if m := citation.FindStringSubmatch(text); m != nil {
				ids[m[1]] = true
			}
		}
	}
	return ids, nil
}

// If this fails, a rule may lose its row or its last check, and nobody is told.
func TestMissingRuleIsNoticed(t *testing.T) {
	readme, suite, own := "", map[string]bool{}, map[string]map[string]bool{}
	for id := range harness.Rules {
		readme += "\n| " + id + " |"
		suite[id] = true
	}
	for id, dirs := range checkedBy {
		suite[id] = slices.Contains(bySuite, id)
		for _, dir := range dirs {
			if own[dir] == nil {
				own[dir] = map[string]bool{}
			}
			own[dir][id] = true
		}
	}
	expect := func(want ...string) {
		t.Helper()
		if got := unaccounted(readme, suite, own); !slices.Equal(got, want) {
			t.Errorf("missing: %q, want %q", got, want)
		}
	}
	expect()
	own["latch"]["L6"] = false
	expect("rule L6 is cited by no test of latch")
	own["latch"]["L6"], own["sleep/jec"]["S12"] = true, false
	expect("rule S12 is cited by no test of sleep/jec")
	own["sleep/jec"]["S12"], suite["F7"] = true, false
	expect("rule F7 is cited by no subtest")
	suite["F7"], suite["L1"] = true, false
	expect("rule L1 is cited by no subtest")
	suite["L1"] = true
	readme = strings.Replace(readme, "\n| D10 |", "", 1)
	expect("rule D10 has no row in README.md")
	if len(unstated("", 'P')) < 31 || len(unstated("", 'F')) < 8 || slices.Contains(unstated("x\n//   - P7. A call", 'P'), "P7") {
		t.Error("a rule may be missing in the documentation of its package, and nobody is told")
	}
}
