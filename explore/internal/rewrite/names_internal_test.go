package rewrite

import (
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"path"
	"path/filepath"
	"strings"
	"testing"
)

// names returns what the package in dir exports: functions, types, variables, constants, and
// methods, as T.M.
func names(t *testing.T, dir string) map[string]bool {
	t.Helper()
	pkg, err := build.ImportDir(dir, 0)
	if err != nil {
		t.Fatal(err)
	}
	all := make(map[string]bool)
	for _, name := range pkg.GoFiles {
		f, err := parser.ParseFile(token.NewFileSet(), filepath.Join(dir, name), nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		add := func(id *ast.Ident) {
			if id.IsExported() {
				all[id.Name] = true
			}
		}
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Recv == nil {
					add(d.Name)
					continue
				}
				recv := d.Recv.List[0].Type
				if p, ok := recv.(*ast.StarExpr); ok {
					recv = p.X
				}
				if id, ok := recv.(*ast.Ident); ok {
					all[id.Name+"."+d.Name.Name] = true
				}
			case *ast.GenDecl:
				for _, s := range d.Specs {
					switch s := s.(type) {
					case *ast.TypeSpec:
						add(s.Name)
						if i, ok := s.Type.(*ast.InterfaceType); ok {
							for _, m := range i.Methods.List {
								for _, id := range m.Names {
									all[s.Name.Name+"."+id.Name] = true
								}
							}
						}
					case *ast.ValueSpec:
						for _, id := range s.Names {
							add(id)
						}
					}
				}
			}
		}
	}
	return all
}

func standard(path string) string {
	return filepath.Join(build.Default.GOROOT, "src", filepath.FromSlash(path))
}

// A failure would mean that a program may use what has no twin: with a new release of Go, perhaps.
func TestNames(t *testing.T) {
	for path, twin := range twins {
		has := names(t, filepath.Join("..", "..", filepath.FromSlash(strings.TrimPrefix(twin, Module))))
		for name := range names(t, standard(path)) {
			if !strings.Contains(name, ".") && !has[name] {
				t.Errorf("%s.%s has no twin: write one in %s; if it neither waits nor is seen by other goroutines, it may be the original", path, name, twin)
			}
		}
	}
}

// What package runtime has is left as it is, for these reasons.
var left = map[string]string{
	"it tells of the program":                                                         "Caller Callers CallersFrames Frame Frames Func FuncForPC Stack Version GOROOT GOOS GOARCH Compiler",
	"it tells of memory, which no schedule depends on":                                "GC KeepAlive MemStats ReadMemStats MemProfile MemProfileRate MemProfileRecord",
	"it is for profiles, which no schedule depends on":                                "BlockProfile BlockProfileRecord MutexProfile SetBlockProfileRate SetMutexProfileFraction CPUProfile SetCPUProfileRate GoroutineProfile StackRecord ThreadCreateProfile SetCgoTraceback StartTrace StopTrace",
	"it ends a thread as it ends a goroutine":                                         "Goexit",
	"a goroutine is not seen to be wired to a thread of the system, and need not be":  "LockOSThread UnlockOSThread",
	"it stops the program, in an execution, too":                                      "Breakpoint",
	"it is of errors and panics":                                                      "Error PanicNilError TypeAssertionError",
	"it pins memory, or points weakly to it; the collector has no part in a schedule": "Pinner",
	"it counts goroutines that are pooled, and cgo calls":                             "NumGoroutine NumCgoCall",
	"it is what AddCleanup returns":                                                   "Cleanup",
	"it sets GOMAXPROCS to the default; an execution has one processor at a time":     "SetDefaultGOMAXPROCS",
}

// A failure would mean that package runtime has something that nobody has thought of, or that a
// name in a table is none.
func TestRuntime(t *testing.T) {
	has := names(t, standard("runtime"))
	known := make(map[string]bool)
	for _, all := range left {
		for _, name := range strings.Fields(all) {
			known[name] = true
		}
	}
	for name := range has {
		full := "runtime." + name
		if !strings.Contains(name, ".") && !known[name] && calls[full] == "" && !unseen[full] {
			t.Errorf("%s: have package lang do it, or refuse it as unseen, or say here why it is left as it is", full)
		}
	}
}

// A failure would mean that a call that waits is not noticed, for its name is another one.
func TestUnseen(t *testing.T) {
	packages := make(map[string]map[string]bool)
	check := func(full string) {
		dir, last := path.Split(full)
		pkg, name, _ := strings.Cut(last, ".")
		pkg = dir + pkg
		if packages[pkg] == nil {
			packages[pkg] = names(t, standard(pkg))
		}
		if !packages[pkg][name] {
			t.Errorf("there is no %s", full)
		}
	}
	for full := range unseen {
		check(full)
	}
	for full := range clients {
		check(full)
	}
	for full := range calls {
		check(full)
	}
}
