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

// The places where each function of par is to be found, in words.
const (
	byExample = "an example: func Example%s in par/*_test.go"
	byTest    = "a test of what it does: a call of par.%s in par/*_test.go, outside the table of table_test.go"
	byTable   = "a row of the table in par/README.md: `par.%s`"
	byRow     = "a row of the table of table_test.go that calls par.%s"
)

// Whoever adds a function to par, and forgets an example, a test or the documentation, is told so,
// and for one that takes options, a row of the table.
func TestEveryFunctionOfParHasItsPlaces(t *testing.T) {
	par := goFiles(t)
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	places, rows := placesOf(par, string(readme)), map[string]bool{}
	for name, fn := range declared(t) {
		rows[name] = !slices.ContainsFunc(fn.Type.Params.List, func(p *ast.Field) bool { return types.ExprString(p.Type) == "...Option" })
	}
	for _, c := range table {
		if _, ok := rows[c.function()]; !ok {
			t.Errorf("package par: %s has a row in table_test.go, and is no function", c.function())
		}
		rows[c.function()] = true
	}
	places[byRow] = rows
	for _, missing := range misplaced(functionsOf(par), places) {
		t.Errorf("package par: %s", missing)
	}
}

// What is exported says what it does, in words that begin with its name.
func TestEveryFunctionIsDocumented(t *testing.T) {
	for name, fn := range declared(t) {
		if !strings.HasPrefix(fn.Doc.Text(), fn.Name.Name+" ") {
			t.Errorf("package par: %s is without documentation that begins with its name", name)
		}
	}
}

// goFiles parses the Go files of the package.
func goFiles(t *testing.T) map[string]*ast.File {
	names, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]*ast.File{}
	for _, name := range names {
		files[name], err = parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
	}
	return files
}

// declared returns the exported functions and methods of the package, by their names.
func declared(t *testing.T) map[string]*ast.FuncDecl {
	all := declaredIn(goFiles(t))
	if len(all) < 50 {
		t.Fatalf("package par: only the functions %v were found", slices.Sorted(maps.Keys(all)))
	}
	return all
}

func declaredIn(files map[string]*ast.File) map[string]*ast.FuncDecl {
	all := map[string]*ast.FuncDecl{}
	for file, f := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
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
	return all
}

// functionsOf returns the names of the exported functions that are no methods.
func functionsOf(files map[string]*ast.File) []string {
	all := declaredIn(files)
	maps.DeleteFunc(all, func(_ string, fn *ast.FuncDecl) bool { return fn.Recv != nil })
	return slices.Sorted(maps.Keys(all))
}

// placesOf returns which functions are in each place.
func placesOf(par map[string]*ast.File, readme string) map[string]map[string]bool {
	examples, tests := map[string]bool{}, map[string]bool{}
	for name, f := range par {
		if !strings.HasSuffix(name, "_test.go") {
			continue
		}
		for _, d := range f.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok {
				if !isTable(d) { // no test that calls its rows looks at what they give
					maps.Copy(tests, parUses(d))
				}
				continue
			}
			switch name := fn.Name.Name; {
			case strings.HasPrefix(name, "Example"):
				of, _, _ := strings.Cut(strings.TrimPrefix(name, "Example"), "_")
				examples[of] = true
			case strings.HasPrefix(name, "Benchmark"):
			default:
				maps.Copy(tests, parUses(d))
			}
		}
	}
	rows := map[string]bool{}
	for line := range strings.Lines(readme) {
		if strings.HasPrefix(line, "|") {
			for _, m := range regexp.MustCompile("`par\\.(\\w+)").FindAllStringSubmatch(line, -1) {
				rows[m[1]] = true
			}
		}
	}
	return map[string]map[string]bool{byExample: examples, byTest: tests, byTable: rows}
}

// isTable reports whether a declaration is that of the table, or of the further calls beside it.
func isTable(d ast.Decl) bool {
	return slices.ContainsFunc(d.(*ast.GenDecl).Specs, func(s ast.Spec) bool {
		v, ok := s.(*ast.ValueSpec)
		return ok && (v.Names[0].Name == "table" || v.Names[0].Name == "inOtherWays")
	})
}

// parUses returns what of package par some code uses.
func parUses(n ast.Node) map[string]bool {
	used := map[string]bool{}
	ast.Inspect(n, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			if x, ok := s.X.(*ast.Ident); ok && x.Name == "par" {
				used[s.Sel.Name] = true
			}
		}
		return true
	})
	return used
}

// misplaced says which functions are missing where.
func misplaced(functions []string, places map[string]map[string]bool) (missing []string) {
	for _, f := range functions {
		for _, place := range slices.Sorted(maps.Keys(places)) {
			if !places[place][f] {
				missing = append(missing, fmt.Sprintf("%s is without "+place, f, f))
			}
		}
	}
	return missing
}

// Each place that is missing is named.
func TestMisplaced(t *testing.T) {
	file := func(text string) *ast.File {
		f, err := parser.ParseFile(token.NewFileSet(), "", text, 0)
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	par := map[string]*ast.File{
		"a.go":      file("package par\nfunc A() {}\nfunc B() {}\nfunc C() {}\nfunc d() {}\nfunc (t T) E() {}\n"),
		"a_test.go": file("package par_test\nvar all = []func(){par.A}\nvar table = []func(){par.C}\nfunc ExampleA_twice() {}\nfunc ExampleB() { par.B() }\nfunc BenchmarkC() { par.C() }\n"),
	}
	functions := functionsOf(par)
	if !slices.Equal(functions, []string{"A", "B", "C"}) {
		t.Errorf("package par: the exported functions are %v", functions)
	}
	got := misplaced(functions, placesOf(par, "`par.C`\n\n| x | `par.A`, `par.B(n)` |\n"))
	slices.Sort(got)
	want := []string{
		"B is without a test of what it does: a call of par.B in par/*_test.go, outside the table of table_test.go",
		"C is without a row of the table in par/README.md: `par.C`",
		"C is without a test of what it does: a call of par.C in par/*_test.go, outside the table of table_test.go",
		"C is without an example: func ExampleC in par/*_test.go",
	}
	if !slices.Equal(got, want) {
		t.Errorf("package par: what is missing is\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}
