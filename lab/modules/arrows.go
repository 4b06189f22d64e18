package modules

import (
	"errors"
	"fmt"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// Prefix is what the path of every module of the repository begins with.
const Prefix = "github.com/rouse-go/rouse/"

// An arrow says what the packages of one module may import from outside it,
// the standard library apart: modules of the repository, by name, and others,
// by path.
type arrow struct {
	to []string
	// files may import more, by name: in each directory of the module.
	files map[string][]string
	// tests may import more.
	tests []string
	// free modules may import anything else from outside the repository, and
	// synchronize without api/prim.
	free bool
	// own modules have packages for their own programs alone, which promise nothing.
	own bool
	// unsafe are the files, or folders with a slash, that may import unsafe, besides tests.
	unsafe []string
}

// backends are what only one file of the pool, and the tests of conformance,
// may know of.
var backends = []string{"deque", "sleep/jec", "sleep/futex"}

// arrows is the table of the design. No arrow runs up, and none is hidden in
// a test.
var arrows = map[string]arrow{
	"api":         {unsafe: []string{"api/prim/", "api/testrule/"}},
	"counters":    {to: []string{"api"}},
	"latch":       {to: []string{"api"}},
	"deque":       {to: []string{"api"}},
	"sleep/jec":   {to: []string{"api", "counters"}},
	"sleep/futex": {to: []string{"api", "sleep/jec", "golang.org/x/sys"}, unsafe: []string{"sleep/futex/"}},
	"pool": {
		to:    []string{"api", "latch"},
		files: map[string][]string{"new.go": append(backends, "golang.org/x/sys")},
	},
	"par": {to: []string{"api", "pool"}, unsafe: []string{"par/unsafe.go"}},
	// It is what synchronization is explored by.
	"explore": {to: []string{"api"}, free: true, unsafe: []string{"explore/"}},
	// The modules of others are explored as they are.
	"explore/internal/public": {to: []string{"explore"}, free: true},
	"conformance": {
		to:    []string{"api", "explore", "pool", "latch", "counters"},
		tests: backends,
		free:  true,
	},
	// What it checks has its own version of the pool. The rest is what x/tools requires.
	"tools/vet": {to: []string{
		"golang.org/x/tools", "golang.org/x/mod", "golang.org/x/net", "golang.org/x/sync", "golang.org/x/sys",
		"golang.org/x/telemetry", "github.com/google/go-cmp", "github.com/yuin/goldmark",
	}},
	// What a user writes: the public faces of par and the pool, and nothing beneath.
	"examples": {
		to:   []string{"par", "pool"},
		free: true,
		own:  true,
	},
	// The census is the tools'.
	"examples/cluster": {
		to:   []string{"pool", "tools"},
		free: true,
	},
	"examples/metrics": {
		to:   []string{"pool"},
		free: true,
	},
	"tools": {
		to:   append([]string{"api", "pool", "par"}, backends...),
		free: true,
		own:  true,
	},
	// It checks and measures all others, and none imports it.
	"lab": {
		to:     append([]string{"api", "counters", "latch", "pool", "par", "explore", "conformance"}, backends...),
		free:   true,
		unsafe: []string{"lab/"},
	},
}

// checkArrows returns an error that names each import of the module which the
// table does not allow, on whatever platform and under whatever build tag.
func (ws *Workspace) checkArrows(m Module) error {
	a, ok := arrows[m.Name]
	if !ok {
		return fmt.Errorf("the table of arrows does not know the module %s", m.Name)
	}
	var wrong []error
	err := filepath.WalkDir(m.Dir, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case path != m.Dir && (ignored(d) || d.IsDir() && isModule(path)):
			return fs.SkipDir
		case filepath.Ext(path) != ".go":
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(ws.Dir, path)
		if err != nil {
			return err
		}
		for _, spec := range file.Imports {
			target, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			if !a.allows(m, filepath.ToSlash(rel), target) {
				wrong = append(wrong, fmt.Errorf("%s imports %s", rel, target))
			}
		}
		return nil
	})
	return errors.Join(append(wrong, err)...)
}

func isModule(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, "go.mod"))
	return err == nil
}

func (a arrow) allows(m Module, file, target string) bool {
	base := path.Base(file)
	isTest := strings.HasSuffix(base, "_test.go")
	switch {
	case target == "unsafe":
		return isTest || slices.ContainsFunc(a.unsafe, func(prefix string) bool { return strings.HasPrefix(file, prefix) })
	case target == "sync" || target == "sync/atomic":
		return a.free || isTest || strings.HasPrefix(file, "api/prim/")
	case isStandard(target) || within(target, m.Path):
		return true
	}
	to := slices.Concat(a.to, a.files[base])
	if isTest {
		to = slices.Concat(to, a.tests)
	}
	for _, t := range to {
		if within(target, t) || within(target, Prefix+t) {
			return true
		}
	}
	return a.free && !strings.HasPrefix(target, Prefix)
}

// isStandard reports whether a package is in the standard library: the first
// element of all other paths has a dot.
func isStandard(pkg string) bool {
	first, _, _ := strings.Cut(pkg, "/")
	return !strings.Contains(first, ".")
}

// within reports whether the module of the given path can hold the package.
func within(pkg, module string) bool {
	return pkg == module || strings.HasPrefix(pkg, module+"/")
}
