package modules

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/mod/modfile"
)

// A Module is one module of the workspace.
type Module struct {
	Name string // relative to the prefix, such as sleep/jec
	Path string // such as github.com/rouse-go/rouse/sleep/jec
	Dir  string
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
		dir := filepath.Join(filepath.Dir(file), filepath.FromSlash(use.Path))
		data, err := os.ReadFile(filepath.Join(dir, "go.mod"))
		if err != nil {
			return nil, err
		}
		path := modfile.ModulePath(data)
		name, ours := strings.CutPrefix(path, Prefix)
		root, below := strings.CutSuffix(dir, string(filepath.Separator)+filepath.FromSlash(name))
		if !ours || !below {
			return nil, fmt.Errorf("%s: the module is called %s, which is not %s and its folder", dir, path, Prefix)
		}
		if ws.Dir == "" {
			ws.Dir = root
		}
		if root != ws.Dir {
			return nil, fmt.Errorf("%s: the module lies below %s, and others below %s", name, root, ws.Dir)
		}
		ws.Modules = append(ws.Modules, Module{Name: name, Path: path, Dir: dir})
	}
	return ws, nil
}
