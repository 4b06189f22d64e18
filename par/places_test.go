package par_test

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
	"strings"
	"testing"
)

// The places where each function of par is to be found, in words.
const (
	byExample = "an example: func Example%s in par/*_test.go"
	byTest    = "a test of what it does: a call of par.%s in par/*_test.go, outside the table of table_test.go"
	byDigest  = "a part of the digest: a call of par.%s in par/internal/digest"
	byTable   = "a row of the table in par/README.md: `par.%s`"
)

// elsewhere are the functions that cannot be in some place, and why.
var elsewhere = map[string]map[string]string{
	"In":           {byDigest: "it says where a call runs, as On does, of a job that has a worker: Nested calls it"},
	"WithProgress": {byDigest: "it changes no result"},
}

// Whoever adds a function to par, and forgets an example, a test, the digest or the
// documentation, is told so.
func TestEveryFunctionOfParHasItsPlaces(t *testing.T) {
	par, err := goFiles(".")
	if err != nil {
		t.Fatal(err)
	}
	digest, err := goFiles(filepath.Join("internal", "digest"))
	if err != nil {
		t.Fatal(err)
	}
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	functions := exported(par)
	if len(functions) < 50 {
		t.Fatalf("package par: only %d exported functions are found: %v", len(functions), functions)
	}
	for _, missing := range misplaced(functions, placesOf(par, digest["digest_test.go"], string(readme)), elsewhere) {
		t.Error(missing)
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

// goFiles parses the Go files of a folder.
func goFiles(dir string) (map[string]*ast.File, error) {
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return nil, err
	}
	files := map[string]*ast.File{}
	for _, name := range names {
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		files[filepath.Base(name)] = f
	}
	return files, nil
}

// functionsOf returns the functions of a file that are no methods.
func functionsOf(f *ast.File) (all []*ast.FuncDecl) {
	for _, d := range f.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil {
			all = append(all, fn)
		}
	}
	return all
}

// exported returns the names of the exported functions that are in no test.
func exported(files map[string]*ast.File) (names []string) {
	for name, f := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		for _, fn := range functionsOf(f) {
			if fn.Name.IsExported() {
				names = append(names, fn.Name.Name)
			}
		}
	}
	slices.Sort(names)
	return names
}

// placesOf returns which functions are in each place.
func placesOf(par map[string]*ast.File, digest *ast.File, readme string) map[string]map[string]bool {
	examples, tests := map[string]bool{}, map[string]bool{}
	for name, f := range par {
		if !strings.HasSuffix(name, "_test.go") {
			continue
		}
		for _, d := range f.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok {
				if !isTheTable(d) { // no test that calls its rows looks at what they give
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
	places := map[string]map[string]bool{byExample: examples, byTest: tests, byTable: rows, byDigest: {}}
	if digest != nil {
		places[byDigest] = parUses(digest)
	}
	return places
}

// isTheTable reports whether a declaration is that of the table of table_test.go.
func isTheTable(d ast.Decl) bool {
	for _, s := range d.(*ast.GenDecl).Specs {
		if v, ok := s.(*ast.ValueSpec); ok && v.Names[0].Name == "table" {
			return true
		}
	}
	return false
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

// misplaced says which functions are missing where, and which exceptions are none.
func misplaced(functions []string, places map[string]map[string]bool, except map[string]map[string]string) (missing []string) {
	for _, f := range functions {
		for _, place := range slices.Sorted(maps.Keys(places)) {
			_, excepted := except[f][place]
			switch has := places[place][f]; {
			case has && excepted:
				missing = append(missing, fmt.Sprintf("package par: %s is excepted from "+place+", and has it", f, f))
			case !has && !excepted:
				missing = append(missing, fmt.Sprintf("package par: %s is without "+place, f, f))
			}
		}
	}
	for f := range except {
		if !slices.Contains(functions, f) {
			missing = append(missing, fmt.Sprintf("package par: %s is excepted from something, and is no function", f))
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
	digest := file("package conformance\nfunc f() { par.A(); par.B() }\n")
	functions := exported(par)
	if !slices.Equal(functions, []string{"A", "B", "C"}) {
		t.Errorf("package par: the exported functions are %v", functions)
	}
	places := placesOf(par, digest, "`par.C`\n\n| x | `par.A`, `par.B(n)` |\n")
	got := misplaced(functions, places, map[string]map[string]string{"A": {byTable: "no reason"}, "C": {byTest: "a reason"}, "Z": {}})
	slices.Sort(got)
	want := []string{
		"package par: A is excepted from a row of the table in par/README.md: `par.A`, and has it",
		"package par: B is without a test of what it does: a call of par.B in par/*_test.go, outside the table of table_test.go",
		"package par: C is without a part of the digest: a call of par.C in par/internal/digest",
		"package par: C is without a row of the table in par/README.md: `par.C`",
		"package par: C is without an example: func ExampleC in par/*_test.go",
		"package par: Z is excepted from something, and is no function",
	}
	if !slices.Equal(got, want) {
		t.Errorf("package par: what is missing is\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}
