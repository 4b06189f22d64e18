package modules

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"
)

// A Module is one module of the repository.
type Module struct {
	Name string // relative to the prefix, such as sleep/jec, which is also its folder
	Path string // such as github.com/rouse-go/rouse/sleep/jec
	Dir  string
	Mod  *modfile.File // its go.mod
}

// A Workspace is the modules of the repository.
type Workspace struct {
	Dir string // the root
	// Modules are all there are: also those that no go.work file has, since they need libraries, or a
	// release of Go, that no other module should need.
	Modules []Module
	// Released are those that have versions, each behind those that it requires: the ones that go.work
	// in the root uses.
	Released []Module
}

// Load reads the go.mod files below root, and go.work there.
func Load(root string) (*Workspace, error) {
	ws := &Workspace{Dir: root}
	err := fs.WalkDir(os.DirFS(root), ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case name != "." && ignored(d):
			return fs.SkipDir
		case d.Name() != "go.mod":
			return nil
		}
		file := filepath.Join(root, name)
		mod, err := read(file, modfile.Parse)
		if err != nil {
			return err
		}
		m := Module{Name: path.Dir(name), Path: mod.Module.Mod.Path, Dir: filepath.Dir(file), Mod: mod}
		if m.Path != Prefix+m.Name {
			return fmt.Errorf("%s: the module is called %s, which is not %s and its folder", file, m.Path, Prefix)
		}
		ws.Modules = append(ws.Modules, m)
		return nil
	})
	if err != nil {
		return nil, err
	}
	work, err := read(filepath.Join(root, "go.work"), modfile.ParseWork)
	if err != nil {
		return nil, err
	}
	for _, m := range ws.Modules {
		if slices.ContainsFunc(work.Use, func(u *modfile.Use) bool { return strings.TrimPrefix(u.Path, "./") == m.Name }) {
			ws.Released = append(ws.Released, m)
		}
	}
	// A go.mod file has indirect requirements, too: more siblings than each of the modules that it requires.
	siblings := func(m Module) (n int) {
		for _, r := range m.Mod.Require {
			if strings.HasPrefix(r.Mod.Path, Prefix) {
				n++
			}
		}
		return n
	}
	slices.SortStableFunc(ws.Released, func(a, b Module) int { return siblings(a) - siblings(b) })
	return ws, nil
}

// read reads a go.mod or a go.work file.
func read[F any](file string, parse func(string, []byte, modfile.VersionFixer) (F, error)) (parsed F, err error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return parsed, err
	}
	return parse(file, text, nil)
}

// ignored reports whether the go command leaves a folder out.
func ignored(d fs.DirEntry) bool {
	return d.IsDir() && (d.Name() == "testdata" || strings.ContainsAny(d.Name()[:1], "._"))
}
