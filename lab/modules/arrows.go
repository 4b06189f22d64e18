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
	"strings"

	"golang.org/x/mod/module"
)

// Prefix is what the path of every module of the repository begins with.
const Prefix = "github.com/rouse-go/rouse/"

// An arrow says what the packages of one module may import from outside it, the standard library apart, in
// lists with commas: modules of the repository, by name, and others, by path.
type arrow struct {
	to string
	// new is what the files new.go may import beyond that, tests what tests may.
	new, tests string
	// free modules may import anything else from outside the repository, and
	// synchronize without api/prim.
	free bool
	// own modules have packages for their own programs alone, which promise nothing.
	own bool
	// unsafe are the files, or folders, that may import unsafe, besides tests.
	unsafe string
}

// backends are what only one file of the pool, and the tests of conformance,
// may know of.
const backends = "deque,sleep/jec,sleep/futex"

// arrows is the table of the design. No arrow runs up, and none is hidden in
// a test.
var arrows = map[string]arrow{
	"api":         {unsafe: "api/prim,api/testrule"},
	"counters":    {to: "api"},
	"latch":       {to: "api"},
	"deque":       {to: "api"},
	"sleep/jec":   {to: "api,counters"},
	"sleep/futex": {to: "api,sleep/jec,golang.org/x/sys", unsafe: "sleep/futex"},
	"pool":        {to: "api,latch", new: backends + ",golang.org/x/sys"},
	"par":         {to: "api,pool", unsafe: "par/unsafe.go"},
	// It is what synchronization is explored by.
	"explore": {to: "api", free: true, unsafe: "explore"},
	// The modules of others are explored as they are.
	"explore/internal/public": {to: "explore", free: true},
	"conformance":             {to: "api,explore,pool,latch,counters", tests: backends, free: true},
	// What it checks has its own version of the pool. The last is what its plugin registers with, and
	// the rest what x/tools requires.
	"tools/vet": {to: "golang.org/x/tools,golang.org/x/mod,golang.org/x/net,golang.org/x/sync,golang.org/x/sys," +
		"golang.org/x/telemetry,github.com/google/go-cmp,github.com/yuin/goldmark,github.com/golangci/plugin-module-register"},
	// What a user writes: the public faces of par and the pool, and nothing beneath.
	"examples": {to: "par,pool", free: true, own: true},
	// The census of one of its programs is the tools', and so is how a command ends.
	"examples/cluster": {to: "pool,tools", free: true},
	"examples/metrics": {to: "pool", free: true},
	"tools":            {to: "api,pool,par," + backends, free: true, own: true},
	// It checks and measures all others, and none imports it.
	"lab": {to: "api,counters,latch,pool,par,explore,conformance," + backends, free: true, unsafe: "lab"},
}

// checkArrows returns an error that names each import of the module which the
// table does not allow, on whatever platform and under whatever build tag.
func (ws *Workspace) checkArrows(m Module) error {
	a, ok := arrows[m.Name]
	if !ok {
		return fmt.Errorf("the table of arrows does not know the module %s", m.Name)
	}
	var wrong []error
	err := fs.WalkDir(os.DirFS(ws.Dir), m.Name, func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case name != m.Name && (ignored(d) || slices.ContainsFunc(ws.Modules, func(other Module) bool { return other.Name == name })):
			return fs.SkipDir
		case path.Ext(name) != ".go":
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(ws.Dir, name), nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		for _, spec := range file.Imports {
			if target := strings.Trim(spec.Path.Value, "\"`"); !a.allows(m, name, target) {
				wrong = append(wrong, fmt.Errorf("%s imports %s, which the table of arrows does not allow", name, target))
			}
		}
		return nil
	})
	return errors.Join(append(wrong, err)...)
}

func (a arrow) allows(m Module, file, target string) bool {
	to, isTest := m.Name+","+a.to, strings.HasSuffix(file, "_test.go")
	if isTest {
		to += "," + a.tests
	}
	if path.Base(file) == "new.go" {
		to += "," + a.new
	}
	name, ours := strings.CutPrefix(target, Prefix)
	first, _, _ := strings.Cut(target, "/")
	switch {
	case target == "unsafe":
		return isTest || module.MatchPrefixPatterns(a.unsafe, file)
	case target == "sync" || target == "sync/atomic":
		return isTest || a.free || strings.HasPrefix(file, "api/prim/") || strings.HasPrefix(file, "api/pulse/") || // no driver is to see a watchdog
			file == "par/internal/radix/rooms.go" // nor memory that is used again, which orders nothing
	case !strings.Contains(first, "."): // the standard library
		return true
	}
	return a.free && !ours || module.MatchPrefixPatterns(to, name)
}
