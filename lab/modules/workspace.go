package modules

import (
	"fmt"
	"os"
	"path"
	"path/filepath"

	"golang.org/x/mod/modfile"
)

// A Module is one module of the workspace.
type Module struct {
	Name string // relative to the prefix, such as sleep/jec
	Path string // such as github.com/rouse-go/rouse/sleep/jec
	Dir  string
}

// A Workspace is a go.work file with its modules.
type Workspace struct {
	Dir     string
	Go      string // the go directive
	Modules []Module
}

// Load reads the workspace in dir. It returns an error if a module's path is
// not the common prefix followed by its folder.
func Load(dir string) (*Workspace, error) {
	file := filepath.Join(dir, "go.work")
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	work, err := modfile.ParseWork(file, data, nil)
	if err != nil {
		return nil, err
	}
	ws := &Workspace{Dir: dir}
	if work.Go != nil {
		ws.Go = work.Go.Version
	}
	for _, use := range work.Use {
		m := Module{Name: path.Clean(use.Path), Dir: filepath.Join(dir, filepath.FromSlash(use.Path))}
		data, err := os.ReadFile(filepath.Join(m.Dir, "go.mod"))
		if err != nil {
			return nil, err
		}
		m.Path = modfile.ModulePath(data)
		if want := Prefix + m.Name; m.Path != want {
			return nil, fmt.Errorf("%s: the module is called %s, not %s", m.Name, m.Path, want)
		}
		ws.Modules = append(ws.Modules, m)
	}
	return ws, nil
}
