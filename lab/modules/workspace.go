package modules

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"
)

// A Module is one module of the workspace.
type Module struct {
	Name string // relative to the prefix, such as sleep/jec
	Path string // such as github.com/rouse-go/rouse/sleep/jec
	Dir  string
	Mod  *modfile.File // its go.mod
}

// A Workspace is the modules that a go.work file uses.
type Workspace struct {
	Dir     string // the root of the repository
	Go      string // the go directive
	Modules []Module
}

// Load reads a go.work file. Each module lies at its name below the same folder, the root,
// wherever the file is. Load returns an error if one does not, or if there is none.
func Load(file string) (*Workspace, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	work, err := modfile.ParseWork(file, data, nil)
	if err != nil {
		return nil, err
	}
	if len(work.Use) == 0 {
		return nil, fmt.Errorf("%s uses no module", file)
	}
	ws := &Workspace{}
	if work.Go != nil {
		ws.Go = work.Go.Version
	}
	for _, use := range work.Use {
		m, err := ws.moduleIn(filepath.Join(filepath.Dir(file), filepath.FromSlash(use.Path)))
		if err != nil {
			return nil, err
		}
		ws.Modules = append(ws.Modules, m)
	}
	return ws, nil
}

// moduleIn returns the module in dir. It returns an error if that does not lie at its name below the root.
// The first module says where the root is.
func (ws *Workspace) moduleIn(dir string) (Module, error) {
	data, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	if err != nil {
		return Module{}, err
	}
	mod, err := modfile.Parse(filepath.Join(dir, "go.mod"), data, nil)
	if err != nil {
		return Module{}, err
	}
	path := modfile.ModulePath(data)
	name, ours := strings.CutPrefix(path, Prefix)
	root, below := strings.CutSuffix(dir, string(filepath.Separator)+filepath.FromSlash(name))
	if !ours || !below {
		return Module{}, fmt.Errorf("%s: the module is called %s, which is not %s and its folder", dir, path, Prefix)
	}
	if ws.Dir == "" {
		ws.Dir = root
	}
	if root != ws.Dir {
		return Module{}, fmt.Errorf("%s: the module lies below %s, and others below %s", name, root, ws.Dir)
	}
	return Module{Name: name, Path: path, Dir: dir, Mod: mod}, nil
}

// Outside returns the modules below the folders of the examples and of explore that the workspace
// does not have. Each needs libraries, or a release of Go, that no other module should need.
func (ws *Workspace) Outside() (outside []Module, err error) {
	for _, name := range []string{"examples", "explore"} {
		below, err := ws.outside(filepath.Join(ws.Dir, name))
		if err != nil {
			return nil, err
		}
		outside = append(outside, below...)
	}
	return outside, nil
}

func (ws *Workspace) outside(dir string) (outside []Module, err error) {
	err = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if path == dir && errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil || d.Name() != "go.mod" {
			return err
		}
		m, err := ws.moduleIn(filepath.Dir(path))
		if err == nil && !has(ws.Modules, m) {
			outside = append(outside, m)
		}
		return err
	})
	return outside, err
}

// Released returns the modules that have versions, each behind those that it requires: what the
// workspace of the root has. rest are the others.
func (ws *Workspace) Released() (released, rest []Module, err error) {
	users, err := Load(filepath.Join(ws.Dir, "go.work"))
	if err != nil {
		return nil, nil, err
	}
	of := map[string]Module{}
	for _, m := range users.Modules {
		of[m.Path] = m
	}
	var visit func(path string)
	visit = func(path string) {
		m, ok := of[path]
		if !ok {
			return
		}
		delete(of, path)
		for _, r := range m.Mod.Require {
			visit(r.Mod.Path)
		}
		released = append(released, m)
	}
	for _, m := range users.Modules {
		visit(m.Path)
	}
	for _, m := range ws.Modules {
		if !has(released, m) {
			rest = append(rest, m)
		}
	}
	return released, rest, nil
}

func has(modules []Module, m Module) bool {
	return slices.ContainsFunc(modules, func(other Module) bool { return other.Path == m.Path })
}
