package par_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// The places where each function of par is to be found: what is missing if it is not, and how it looks
// there.
var placesOfFunctions = []struct{ missing, files, looks string }{
	{"an example: a call of par.%s in par/example_*test.go", "example_*test.go", `\bpar\.%s\b`},
	{"a test of what it does: a call of par.%s in par/*_test.go, outside the table of table_test.go", "*_test.go", `\bpar\.%s\b`},
	{"a row of the table in par/README.md: `par.%s`", "README.md", "(?m)^\\|.*`par\\.%s\\b"},
}

// Files whose calls look at no result.
const noTests = "table_test.go schedules_test.go example_test.go example_pipe_test.go bench_test.go"

// Whoever adds a function to par, and forgets an example, a test, a row of the README or documentation that
// begins with its name, is told so, and for one that takes options, a row of the table.
func TestEveryFunctionOfParHasItsPlaces(t *testing.T) {
	texts := make([]string, len(placesOfFunctions))
	for i, place := range placesOfFunctions {
		for _, pattern := range strings.Fields(place.files) {
			names, _ := filepath.Glob(pattern)
			for _, name := range names {
				text, err := os.ReadFile(name)
				if err != nil {
					t.Fatal(err)
				}
				if pattern != "*_test.go" || !strings.Contains(noTests, name) {
					texts[i] += string(text)
				}
			}
		}
	}
	all, rows := declared(t), map[string]bool{}
	for _, c := range table {
		if rows[c.function()] = true; all[c.function()] == nil {
			t.Errorf("package par: %s has a row in table_test.go, and is no function", c.function())
		}
	}
	for name, fn := range all {
		if !strings.HasPrefix(fn.Doc.Text(), fn.Name.Name+" ") {
			t.Errorf("package par: %s is without documentation that begins with its name", name)
		}
		if fn.Recv != nil {
			continue
		}
		for i, place := range placesOfFunctions {
			if !regexp.MustCompile(fmt.Sprintf(place.looks, name)).MatchString(texts[i]) {
				t.Errorf("package par: %s is without "+place.missing, name, name)
			}
		}
		options := slices.ContainsFunc(fn.Type.Params.List, func(p *ast.Field) bool { return types.ExprString(p.Type) == "...Option" })
		if options && !rows[name] {
			t.Errorf("package par: %s is without a row of the table of table_test.go that calls par.%s", name, name)
		}
	}
}

// A command that a page shows runs a benchmark that there is.
func TestBenchmarksOfPages(t *testing.T) {
	var tests []byte
	names, _ := filepath.Glob("*_test.go")
	pages, _ := filepath.Glob("*.md")
	command, found := regexp.MustCompile(`-(?:test\.)?bench '?([A-Za-z|]+)`), 0
	for _, name := range append(names, pages...) {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if tests = append(tests, text...); !strings.HasSuffix(name, ".md") {
			continue
		}
		for _, shown := range command.FindAllSubmatch(text, -1) {
			for benchmark := range strings.SplitSeq(string(shown[1]), "|") {
				if found++; !regexp.MustCompile(`func Benchmark\w*` + benchmark).Match(tests) {
					t.Errorf("package par: %s shows how to run the benchmark %s, which there is not", name, benchmark)
				}
			}
		}
	}
	if found < 4 {
		t.Errorf("package par: only %d commands were found in %v", found, pages)
	}
}

// declared returns the exported functions and methods of the package, by their names.
func declared(t *testing.T) map[string]*ast.FuncDecl {
	all := map[string]*ast.FuncDecl{}
	names, _ := filepath.Glob("*.go") // of a good pattern there is no error
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range f.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || !fn.Name.IsExported() {
				continue
			}
			name := fn.Name.Name
			if fn.Recv != nil {
				receiver := types.ExprString(fn.Recv.List[0].Type)
				if !ast.IsExported(strings.TrimPrefix(receiver, "*")) {
					continue
				}
				name = "(" + receiver + ")." + name
			}
			all[name] = fn
		}
	}
	if len(all) < 50 {
		t.Fatalf("package par: only the functions %v were found", slices.Sorted(maps.Keys(all)))
	}
	return all
}
