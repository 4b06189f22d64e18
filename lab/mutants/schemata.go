package mutants

import (
	"fmt"
	"go/ast"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// Switch is the environment variable that says which mutant a program is: its number, from
// 1, in the list that the program was built with. Without it the program is none of them.
const Switch = "ROUSE_MUTANT"

// schemata returns, for each program, the source of all files that its mutants change, with
// every one of them in it, by names from the root. Whichever the environment names is in force.
// What no mutant of a program changes is what all other tests have compiled already.
//
// Each function that a mutant changes begins with the body that the mutant gives it, behind
// an if, and ends with the one that ships. A call of a second function would not do: recover
// must be called by the deferred function itself, and tests count stack frames. So a mutant has no
// other constant, type or signature: that is an error.
func schemata(root string, all []Mutant) (map[target]map[string]string, error) {
	mergers := make(map[target]*merger)
	for i, m := range all {
		s := mergers[m.target()]
		if s == nil {
			s = &merger{root: root, files: make(map[string]*merged)}
			mergers[m.target()] = s
		}
		if err := s.merge(i+1, m); err != nil {
			return nil, fmt.Errorf("%s: %w", m.Name, err)
		}
	}
	programs := make(map[target]map[string]string)
	for t, s := range mergers {
		programs[t] = s.source(len(all))
	}
	return programs, nil
}

// switchFile reads the switch. What is not a number of the list ends the program: a test
// that passes because there is no such mutant would say nothing.
const switchFile = `package %[1]s

import (
	"os"
	"strconv"
)

var mutantSwitch = func() int {
	s := os.Getenv(%[2]q)
	if s == "" {
		return 0
	}
	n, err := strconv.Atoi(s)
	if err != nil || n < 1 || n > %[3]d {
		panic("%[2]s=" + s + ": there is no such mutant")
	}
	return n
}()
`

// A merger puts mutants together.
type merger struct {
	root  string
	files map[string]*merged
}

// source returns the files, where mutants are numbered up to most.
func (s *merger) source(most int) map[string]string {
	files := make(map[string]string)
	for name, f := range s.files {
		files[name] = f.text(filepath.Join(s.root, filepath.FromSlash(name)))
		switchName := "zz_mutant_switch.go"
		if strings.HasSuffix(name, "_test.go") {
			switchName = "zz_mutant_switch_test.go"
		}
		files[path.Join(path.Dir(name), switchName)] = fmt.Sprintf(switchFile, f.orig.file.Name.Name, Switch, most)
	}
	return files
}

// merged is a file with what mutants make of it.
type merged struct {
	orig   *source
	bodies map[string][]string // for each function, in front of what ships
	added  []string            // declarations
}

// merge adds a mutant.
func (s *merger) merge(number int, m Mutant) error {
	changes, err := m.located(s.root)
	if err != nil {
		return err
	}
	changed, err := changes.apply(s.root)
	if err != nil {
		return err
	}
	bodies := make(map[string]map[string]string) // by file and function
	for name, text := range changed {
		f, err := s.file(name)
		if err != nil {
			return err
		}
		mutant, err := parse(name, text)
		if err != nil {
			return err
		}
		bodies[name] = make(map[string]string)
		if why := f.orig.differs(mutant, func(function string, body *ast.FuncDecl) {
			bodies[name][function] = mutant.body(body, m.Name, number)
		}); why != "" {
			return fmt.Errorf("%s: %s", name, why)
		}
	}
	for name, list := range bodies {
		f := s.files[name]
		for function, body := range list {
			f.bodies[function] = append(f.bodies[function], body)
		}
	}
	for _, c := range changes {
		if f := s.files[c.File]; c.Do == Add && !slices.Contains(f.added, c.With) {
			f.added = append(f.added, c.With)
		}
	}
	return nil
}

func (s *merger) file(name string) (*merged, error) {
	if f := s.files[name]; f != nil {
		return f, nil
	}
	text, err := read(s.root, name)
	if err != nil {
		return nil, err
	}
	orig, err := parse(name, text)
	if err != nil {
		return nil, err
	}
	f := &merged{orig: orig, bodies: make(map[string][]string)}
	s.files[name] = f
	return f, nil
}

// differs calls changed for each function whose body is another one in the mutant. It says
// what else differs that is there already, if anything does.
func (s *source) differs(mutant *source, changed func(name string, f *ast.FuncDecl)) (why string) {
	for name, decl := range s.decls {
		other := mutant.decls[name]
		f, ok := decl.(*ast.FuncDecl)
		switch {
		case other == nil:
			return "it has no " + name
		case !ok:
			if s.of(decl) != mutant.of(other) {
				return "it has another " + name
			}
		case s.head(f) != mutant.head(other.(*ast.FuncDecl)):
			return name + " has another signature"
		case f.Body != nil && s.of(f.Body) != mutant.of(other.(*ast.FuncDecl).Body):
			changed(name, other.(*ast.FuncDecl))
		}
	}
	return ""
}

// of is the text of a node.
func (s *source) of(n ast.Node) string { return s.text[s.offset(n.Pos()):s.offset(n.End())] }

// head is the text of a function in front of its body.
func (s *source) head(f *ast.FuncDecl) string {
	if f.Body == nil {
		return s.of(f)
	}
	return s.text[s.offset(f.Pos()):s.offset(f.Body.Lbrace)]
}

// body is what comes in front of the body of a function that ships, for the mutant of that
// name and number. Labels get the number, or there would be two of a name. What the compiler
// has to say of it is said of the mutant.
func (s *source) body(f *ast.FuncDecl, name string, number int) string {
	from := s.offset(f.Body.Lbrace) + 1
	text := s.text[from:s.offset(f.Body.Rbrace)]
	var labels []int
	ast.Inspect(f.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.LabeledStmt:
			labels = append(labels, s.offset(n.Label.End())-from)
		case *ast.BranchStmt:
			if n.Label != nil {
				labels = append(labels, s.offset(n.Label.End())-from)
			}
		}
		return true
	})
	slices.Sort(labels)
	for _, at := range slices.Backward(labels) {
		text = text[:at] + fmt.Sprintf("_%d", number) + text[at:]
	}
	if f.Type.Results == nil {
		text += "\nreturn\n"
	}
	return fmt.Sprintf("\n//line mutant %s:1\nif mutantSwitch == %d {%s}\n", name, number, text)
}

// text is the source of the file with all mutants. Lines of what ships keep their numbers in
// file, the path of what it is made of.
func (f *merged) text(file string) string {
	type insertion struct {
		at   int
		text string
	}
	var all []insertion
	for name, bodies := range f.bodies {
		at := f.orig.decls[name].(*ast.FuncDecl).Body.Lbrace + 1
		back := fmt.Sprintf("//line %s:%d\n", file, f.orig.fset.Position(at).Line)
		all = append(all, insertion{f.orig.offset(at), strings.Join(bodies, "") + back})
	}
	slices.SortFunc(all, func(a, b insertion) int { return a.at - b.at })
	var b strings.Builder
	last := 0
	for _, i := range all {
		b.WriteString(f.orig.text[last:i.at] + i.text)
		last = i.at
	}
	b.WriteString(f.orig.text[last:])
	for _, decl := range f.added {
		b.WriteString("\n" + decl + "\n")
	}
	return b.String()
}
