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
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case path != root && ignored(d):
			return fs.SkipDir
		case d.Name() != "go.mod":
			return nil
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		mod, err := modfile.Parse(path, data, nil)
		if err != nil {
			return err
		}
		m := Module{Path: modfile.ModulePath(data), Dir: filepath.Dir(path), Mod: mod}
		name, err := filepath.Rel(root, m.Dir)
		if m.Name = filepath.ToSlash(name); m.Path != Prefix+m.Name {
			return fmt.Errorf("%s: the module is called %s, which is not %s and its folder", path, m.Path, Prefix)
		}
		ws.Modules = append(ws.Modules, m)
		return err
	})
	if err != nil {
		return nil, err
	}
	file := filepath.Join(root, "go.work")
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	work, err := modfile.ParseWork(file, data, nil)
	if err != nil {
		return nil, err
	}
	uses := func(m Module) bool {
		return slices.ContainsFunc(work.Use, func(u *modfile.Use) bool { return strings.TrimPrefix(u.Path, "./") == m.Name })
	}
	left := slices.DeleteFunc(slices.Clone(ws.Modules), func(m Module) bool { return !uses(m) })
	for len(left) > 0 {
		ready := func(m Module) bool {
			return !slices.ContainsFunc(m.Mod.Require, func(r *modfile.Require) bool {
				return slices.ContainsFunc(left, func(other Module) bool { return other.Path == r.Mod.Path })
			})
		}
		i := slices.IndexFunc(left, ready)
		if i < 0 {
			return nil, errors.New("modules of go.work require each other in a circle")
		}
		ws.Released = append(ws.Released, left[i])
		left = slices.Delete(left, i, i+1)
	}
	return ws, nil
}

// ignored reports whether the go command leaves a folder out.
func ignored(d fs.DirEntry) bool {
	return d.IsDir() && (d.Name() == "testdata" || strings.ContainsAny(d.Name()[:1], "._"))
}
