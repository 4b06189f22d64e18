// Package rewrite makes packages call the twins of package explore in place of what they
// call of the language and the standard library.
package rewrite

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"go/version"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// A Config says what to rewrite.
type Config struct {
	// Go makes a go command of these arguments; nil is exec.Command.
	Go func(args ...string) *exec.Cmd
	// Flags are those of go list and go test that say what is built: -tags, -mod.
	Flags []string
	// Patterns name packages, With modules that they depend on.
	Patterns, With []string
	// All has each TestX explored, and all modules rewritten that can be, or not those of others.
	All, Own bool
	// Temp is an empty directory for what is rewritten.
	Temp string
}

// A Result says how to run what was rewritten.
type Result struct {
	// Flags are those of go test, Env what it needs in the environment.
	Flags, Env []string
	// Files is how many files were rewritten.
	Files int
	// Others are modules that the rewritten packages import and that are not rewritten.
	Others []string
	// Explores says that some package, or its tests, import the explorer.
	Explores bool
	// With All, Broken names the packages that cannot be built, Packages the others, and Dirs where those are.
	Broken, Packages, Dirs []string
}

// Overlay is the name of the file that says what is replaced.
const Overlay = "overlay.json"

// ErrBroken says that some package cannot be built as it is. The go command says why.
var ErrBroken = errors.New("packages cannot be built")

// A listed package is what go list says of one.
type listed struct {
	ImportPath string
	Name       string
	Dir        string
	ForTest    string
	Export     string
	Standard   bool
	DepOnly    bool
	GoFiles    []string
	CgoFiles   []string
	Imports    []string
	ImportMap  map[string]string
	Module     *listedModule
	Error      *struct{ Pos, Err string }
	DepsErrors []*struct{ Pos, Err string }
}

type listedModule struct {
	Path, Version, Dir, GoMod, GoVersion string
	Main                                 bool
	Replace                              *listedModule
}

// path is the package's, without what it is a variant for.
func (p *listed) path() string {
	path, _, _ := strings.Cut(p.ImportPath, " ")
	return path
}

const fields = "-json=ImportPath,Name,Dir,ForTest,Export,Standard,DepOnly,GoFiles,CgoFiles,Imports,ImportMap,Module,Error,DepsErrors"

// goCommand runs the go command and returns what it prints.
func (c *Config) goCommand(args ...string) ([]byte, error) {
	cmd := exec.Command("go", args...)
	if c.Go != nil {
		cmd = c.Go(args...)
	}
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("go %s: %v\n%s", strings.Join(args, " "), err, bytes.TrimSpace(errs.Bytes()))
	}
	return out.Bytes(), nil
}

// Rewrite writes the changed files to c.Temp, and what makes go test use them.
func Rewrite(c Config) (*Result, error) {
	args := append([]string{"list", "-e", "-deps", "-test", "-export", fields}, c.Flags...)
	out, err := c.goCommand(append(args, c.Patterns...)...)
	if err != nil {
		return nil, err
	}
	all := make(map[string]*listed)
	var order []*listed
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		p := new(listed)
		if err := d.Decode(p); err == io.EOF {
			break
		} else if err != nil {
			return nil, err
		}
		all[p.ImportPath] = p
		order = append(order, p)
	}
	arch, err := c.goCommand("env", "GOARCH")
	if err != nil {
		return nil, err
	}
	w := &writer{Config: c, arch: strings.TrimSpace(string(arch)), all: all, replace: make(map[string]string), copies: make(map[string]string)}
	chosen, err := w.choose(order)
	if err != nil {
		return nil, err
	}
	for _, p := range chosen {
		if err := w.pkg(p); err != nil && (!c.All || p.Module == nil || p.Module.Main) {
			return nil, err
		}
	}
	flags, env, err := w.flags()
	if err != nil {
		return nil, err
	}
	r := &Result{Flags: flags, Env: env, Files: w.count, Others: w.others(chosen), Broken: w.broken, Packages: w.packages, Dirs: w.dirs}
	for _, p := range order {
		r.Explores = r.Explores || p.ImportPath == Module+"/drive"
	}
	return r, nil
}

// A writer has what is rewritten so far.
type writer struct {
	Config
	arch    string // of what is built
	all     map[string]*listed
	replace map[string]string // in the overlay
	copies  map[string]string // of modules, by their directories
	mods    []*listedModule   // that are copied
	count   int

	broken, packages, dirs []string
}

// own reports whether the package is of the explorer, or what that is built on.
func own(path string) bool {
	for _, not := range []string{"/examples/", "/internal/public"} {
		if strings.HasPrefix(path, Module+not) {
			return false
		}
	}
	const api = "github.com/rouse-go/rouse/api/"
	return path == api+"prim" || path == api+"pulse" || path == Module || strings.HasPrefix(path, Module+"/")
}

// choose returns the packages to rewrite: those that are named, those of their modules, and of
// others in the workspace, that they depend on, and those of c.With, each with its tests if they are
// wanted. What uses cgo in another module of the workspace is left as it is.
func (w *writer) choose(order []*listed) ([]*listed, error) {
	modules, broken := make(map[string]bool), make(map[string]bool)
	for _, p := range order { // what is imported comes first
		broken[p.ImportPath] = p.Error != nil || len(p.DepsErrors) > 0
		if p.Error != nil && !w.All {
			return nil, ErrBroken
		}
		if broken[p.ImportPath] && (p.ForTest != "" || !p.DepOnly) {
			broken[cmp.Or(p.ForTest, strings.TrimSuffix(p.path(), ".test"))] = true
		}
		if p.DepOnly || strings.HasSuffix(p.ImportPath, ".test") {
			continue
		}
		if p.Standard {
			return nil, fmt.Errorf("%s is in the standard library and cannot be rewritten", p.ImportPath)
		}
		if p.Module != nil {
			modules[p.Module.Path] = true
		}
	}
	if w.sort(order, broken); w.All && len(w.packages) == 0 {
		return nil, ErrBroken
	}
	found := make(map[string]bool)
	best := make(map[string]*listed)
	var paths []string
	for _, p := range order {
		if p.Standard || strings.HasSuffix(p.ImportPath, ".test") || own(p.path()) || broken[p.path()] {
			continue
		}
		is := !p.DepOnly || p.ForTest != "" && p.ForTest+"_test" == p.path()
		if m := p.Module; m != nil {
			with := slices.Contains(w.With, m.Path)
			found[m.Path] = found[m.Path] || with
			is = is || modules[m.Path] || with || (m.Main || w.All && !w.Own) && len(p.CgoFiles) == 0
		}
		if !is {
			continue
		}
		// The variant with its own tests has all of its files.
		old := best[p.path()]
		if old == nil {
			paths = append(paths, p.path())
		}
		if old == nil || p.ForTest == p.path() {
			best[p.path()] = p
		}
	}
	for _, m := range w.With {
		if !found[m] {
			return nil, fmt.Errorf("-with %s: no package of this module is used", m)
		}
	}
	var chosen []*listed
	for _, path := range paths {
		chosen = append(chosen, best[path])
	}
	return chosen, nil
}

// sort notes, with All, which of the named packages can be built.
func (w *writer) sort(order []*listed, broken map[string]bool) {
	for _, p := range order {
		if p.DepOnly || p.ForTest != "" || p.Standard || strings.HasSuffix(p.ImportPath, ".test") {
			continue
		}
		if broken[p.ImportPath] {
			w.broken = append(w.broken, p.ImportPath)
		} else {
			w.packages, w.dirs = append(w.packages, p.ImportPath), append(w.dirs, p.Dir)
		}
	}
}

// others returns the modules that the chosen packages import, and of which none is chosen.
func (w *writer) others(chosen []*listed) (modules []string) {
	for _, p := range chosen {
		for _, name := range p.Imports {
			q := w.all[name]
			if q != nil && q.Module != nil && !own(q.path()) && !slices.Contains(modules, q.Module.Path) &&
				!slices.ContainsFunc(chosen, func(c *listed) bool { return c.path() == q.path() }) {
				modules = append(modules, q.Module.Path)
			}
		}
	}
	slices.Sort(modules)
	return modules
}

// pkg rewrites the files of a package.
func (w *writer) pkg(p *listed) error {
	if len(p.CgoFiles) > 0 {
		name := filepath.Join(p.Dir, p.CgoFiles[0])
		return fmt.Errorf("%s: package %s uses cgo, which cannot be rewritten: what C code does is not seen", place(name, `"C"`), p.ImportPath)
	}
	fset := token.NewFileSet()
	var files []*ast.File
	var names []string
	for _, name := range p.GoFiles {
		name = absolute(p.Dir, name)
		f, err := parser.ParseFile(fset, name, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		files, names = append(files, f), append(names, name)
	}
	info := &types.Info{
		Types: make(map[ast.Expr]types.TypeAndValue), Defs: make(map[*ast.Ident]types.Object),
		Uses: make(map[*ast.Ident]types.Object), Implicits: make(map[ast.Node]types.Object),
		Selections: make(map[*ast.SelectorExpr]*types.Selection), Scopes: make(map[ast.Node]*types.Scope),
		FileVersions: make(map[*ast.File]string),
	}
	conf := types.Config{Importer: w.importer(fset, p), Sizes: types.SizesFor("gc", w.arch)}
	old := false
	if m := p.Module; m != nil && m.GoVersion != "" {
		conf.GoVersion = "go" + m.GoVersion
		old = version.Compare(conf.GoVersion, "go1.21") < 0
	} else if m != nil {
		old = true // it is taken for go1.16
	}
	pkg, err := conf.Check(p.path(), fset, files, info)
	if err != nil {
		return fmt.Errorf("%w\n(explore is built with %s; rebuild it if the go command is newer)", err, runtime.Version())
	}
	linked, asks, closed := linksOf(fset, pkg, files), asksOf(info, pkg, files), closedOf(info, pkg, files)
	for i, f := range files {
		src, err := os.ReadFile(names[i])
		if err != nil {
			return err
		}
		if bytes.HasPrefix(src, []byte(mark)) { // it may be nowhere else, and text is put before it
			copy(src, strings.Repeat(" ", len(mark)))
		}
		r := &rewriter{
			text: text{src: src}, fset: fset, file: f, info: info, pkg: pkg, name: names[i], old: old,
			linked: linked, asks: asks, closed: closed, all: w.All && strings.HasSuffix(names[i], "_test.go"),
		}
		if changed := r.rewrite(); changed != nil {
			if err := w.write(p, names[i], changed); err != nil {
				return err
			}
		}
	}
	return nil
}

// mark is the byte order mark, which a file may begin with.
const mark = "\uFEFF"

// place returns where in the file something is first.
func place(name, what string) string {
	src, _ := os.ReadFile(name)
	before, _, found := bytes.Cut(src, []byte(what))
	if !found {
		return name
	}
	return fmt.Sprintf("%s:%d", name, bytes.Count(before, []byte("\n"))+1)
}

func absolute(dir, name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(dir, name)
}

// importer reads what the compiler has exported.
func (w *writer) importer(fset *token.FileSet, p *listed) types.Importer {
	return importer.ForCompiler(fset, "gc", func(path string) (io.ReadCloser, error) {
		if to, ok := p.ImportMap[path]; ok {
			path = to
		}
		q := w.all[path]
		if q == nil || q.Export == "" {
			return nil, fmt.Errorf("package %s was not built", path)
		}
		return os.Open(q.Export)
	})
}

// write writes a changed file to where go test finds it.
func (w *writer) write(p *listed, name string, src []byte) error {
	w.count++
	if copied, err := w.copyOf(p); err != nil {
		return err
	} else if copied != "" {
		rel, err := filepath.Rel(root(p.Module), name)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(copied, rel), src, 0o644)
	}
	to := filepath.Join(w.Temp, fmt.Sprintf("%d_%s", w.count, filepath.Base(name)))
	w.replace[name] = to
	return os.WriteFile(to, src, 0o644)
}

// root is where the module's files are.
func root(m *listedModule) string {
	if m.Replace != nil && m.Replace.Dir != "" {
		return m.Replace.Dir
	}
	return m.Dir
}

// copyOf returns the directory of a copy of the package's module, if it is one that was
// downloaded: an overlay must not touch those.
func (w *writer) copyOf(p *listed) (string, error) {
	m := p.Module
	if m == nil || m.Main {
		return "", nil
	}
	version := m.Version
	if m.Replace != nil {
		version = m.Replace.Version
	}
	if version == "" || root(m) == "" { // is in a directory of the user's, or vendored
		return "", nil
	}
	dir := root(m)
	if to, ok := w.copies[dir]; ok {
		return to, nil
	}
	to := filepath.Join(w.Temp, fmt.Sprintf("module%d", len(w.copies)))
	if err := os.CopyFS(to, os.DirFS(dir)); err != nil {
		return "", err
	}
	err := filepath.WalkDir(to, func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			return os.Chmod(path, 0o755)
		}
		return os.Chmod(path, 0o644)
	})
	if err != nil {
		return "", err
	}
	if _, err := os.Stat(filepath.Join(to, "go.mod")); err != nil {
		if err := os.WriteFile(filepath.Join(to, "go.mod"), []byte("module "+m.Path+"\n"), 0o644); err != nil {
			return "", err
		}
	}
	w.copies[dir] = to
	w.mods = append(w.mods, m)
	return to, nil
}

// flags writes the overlay, and what replaces the modules that were copied.
func (w *writer) flags() (flags, env []string, err error) {
	overlay, err := json.Marshal(map[string]any{"Replace": w.replace})
	if err != nil {
		return nil, nil, err
	}
	name := filepath.Join(w.Temp, Overlay)
	if err := os.WriteFile(name, overlay, 0o644); err != nil {
		return nil, nil, err
	}
	flags = append(flags, "-overlay="+name)
	if len(w.mods) == 0 {
		return flags, nil, nil
	}
	out, err := w.goCommand("env", "-json", "GOWORK", "GOMOD", "GOFLAGS")
	if err != nil {
		return nil, nil, err
	}
	var is struct{ GOWORK, GOMOD, GOFLAGS string }
	if err := json.Unmarshal(out, &is); err != nil {
		return nil, nil, err
	}
	var replaces []string
	for _, m := range w.mods {
		replaces = append(replaces, "-replace="+m.Path+"@"+m.Version+"="+w.copies[root(m)])
	}
	if is.GOWORK != "" && is.GOWORK != "off" {
		file := filepath.Join(w.Temp, "go.work")
		return flags, []string{"GOWORK=" + file}, w.derive(is.GOWORK, filepath.Dir(is.GOWORK), file, "work", replaces)
	}
	from := is.GOMOD
	for _, f := range append(strings.Fields(is.GOFLAGS), w.Flags...) {
		if name, value, _ := strings.Cut(strings.TrimLeft(f, "-"), "="); name == "modfile" {
			from = value
		}
	}
	file := filepath.Join(w.Temp, "go.mod")
	if err := w.derive(from, filepath.Dir(is.GOMOD), file, "mod", replaces); err != nil {
		return nil, nil, err
	}
	return append(flags, "-modfile="+file), nil, nil
}

// derive writes a go.mod or go.work as it is but for replacements, and the sums. Relative directories
// in it are from dir.
func (w *writer) derive(from, dir, to, kind string, edits []string) error {
	src, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	if err := os.WriteFile(to, src, 0o644); err != nil {
		return err
	}
	sum := func(file string) string { return strings.TrimSuffix(file, ".mod") + ".sum" }
	if src, err := os.ReadFile(sum(from)); err == nil {
		if err := os.WriteFile(sum(to), src, 0o644); err != nil {
			return err
		}
	}
	out, err := w.goCommand(kind, "edit", "-json", to)
	if err != nil {
		return err
	}
	var has struct {
		Use     []struct{ DiskPath string }
		Replace []struct {
			Old, New struct{ Path, Version string }
		}
	}
	if err := json.Unmarshal(out, &has); err != nil {
		return err
	}
	args := []string{kind, "edit"}
	for _, u := range has.Use {
		if !filepath.IsAbs(u.DiskPath) {
			args = append(args, "-dropuse="+u.DiskPath, "-use="+filepath.Join(dir, u.DiskPath))
		}
	}
	for _, r := range has.Replace {
		if r.New.Version == "" && !filepath.IsAbs(r.New.Path) {
			old := r.Old.Path
			if r.Old.Version != "" {
				old += "@" + r.Old.Version
			}
			args = append(args, "-replace="+old+"="+filepath.Join(dir, r.New.Path))
		}
	}
	_, err = w.goCommand(append(append(args, edits...), to)...)
	return err
}
