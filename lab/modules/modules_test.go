package modules

import (
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/lab/internal/planted"
)

// plant makes a workspace of modules with the given files, each module with a
// go.mod that requires its siblings of the given names.
func plant(t *testing.T, requires map[string][]string, files map[string]string) *Workspace {
	t.Helper()
	all := maps.Clone(files)
	if all == nil {
		all = map[string]string{}
	}
	work := "go 1.25.0\n"
	for name, siblings := range requires {
		work += "use ./" + name + "\n"
		mod := "module " + Prefix + name + "\n\ngo 1.25.0\n"
		for _, s := range siblings {
			up := strings.Repeat("../", strings.Count(name, "/")+1)
			mod += "\nrequire " + Prefix + s + " v0.1.0\n\nreplace " + Prefix + s + " => " + up + s + "\n"
		}
		if all[name+"/go.mod"] == "" {
			all[name+"/go.mod"] = mod
		}
	}
	all["go.work"] = work
	ws, err := Load(filepath.Join(planted.Tree(t, all), "go.work"))
	if err != nil {
		t.Fatal(err)
	}
	return ws
}

func (ws *Workspace) module(t *testing.T, name string) Module {
	t.Helper()
	for _, m := range ws.Modules {
		if m.Name == name {
			return m
		}
	}
	t.Fatalf("no module %s", name)
	return Module{}
}

func TestArrows(t *testing.T) {
	for _, test := range []struct {
		file, imports string
		ok            bool
	}{
		{"api/a.go", "fmt", true},
		{"api/a.go", Prefix + "deque", false},
		{"api/a_test.go", "go.uber.org/goleak", false},
		{"api/prim/p.go", "sync/atomic", true},
		{"api/a.go", "sync", false},
		{"latch/l_test.go", "sync", true},
		{"latch/l_test.go", Prefix + "pool", false},
		{"deque/d.go", Prefix + "api", true},
		{"deque/d.go", Prefix + "api2", false},
		{"deque/testdata/x.go", Prefix + "pool", true}, // not part of the module
		{"deque/d_plan9.go", Prefix + "counters", false},
		{"sleep/jec/s.go", "golang.org/x/sys/unix", false},
		{"sleep/futex/s.go", "golang.org/x/sys/unix", true},
		{"pool/p.go", Prefix + "deque", false},
		{"pool/new.go", Prefix + "deque", true},
		{"conformance/c.go", "sync", true},
		{"conformance/c.go", Prefix + "deque", false},
		{"conformance/c_test.go", Prefix + "deque", true},
		// What people import, or run, knows nothing of the lab.
		{"par/p_test.go", Prefix + "lab/simulate", false},
		{"tools/t.go", Prefix + "lab/bench", false},
	} {
		name := strings.TrimSuffix(test.file, "/"+path.Base(test.file))
		name = strings.TrimSuffix(strings.TrimSuffix(name, "/prim"), "/testdata")
		ws := plant(t, map[string][]string{name: nil}, map[string]string{
			test.file: "//go:build never\n\npackage p\n\nimport _ \"" + test.imports + "\"\n",
		})
		if err := ws.checkArrows(ws.module(t, name)); (err == nil) != test.ok {
			t.Errorf("%s imports %s: error %v, want one: %v", test.file, test.imports, err, !test.ok)
		}
	}
	ws := plant(t, map[string][]string{"surplus": nil}, nil)
	if err := ws.checkArrows(ws.module(t, "surplus")); err == nil {
		t.Error("a module that the table does not know passed")
	}
}

func TestLoad(t *testing.T) {
	dir := t.TempDir()
	for _, test := range []struct{ file, content, wrong string }{
		{"x", "", "go.work"},
		{"go.work", "go 1.25.0\n", "uses no module"},
		{"go.work", "go 1.25.0\n\nuse ./api\n", "go.mod"},
		{"api/go.mod", "module example.com/api\n", "example.com/api"},
		{"api/go.mod", "module " + Prefix + "deque\n", "rouse/deque"},
		{"api/go.mod", "module " + Prefix + "api\n", ""},
	} {
		planted.Into(t, dir, map[string]string{test.file: test.content})
		_, err := Load(filepath.Join(dir, "go.work"))
		if (err == nil) != (test.wrong == "") || err != nil && !strings.Contains(err.Error(), test.wrong) {
			t.Errorf("with %q in %s: error %v, want one with %q", test.content, test.file, err, test.wrong)
		}
	}

	// The file may lie anywhere, but the modules below one root.
	planted.Into(t, dir, map[string]string{
		"sleep/jec/go.mod": "module " + Prefix + "sleep/jec\n",
		"lab/go.work":      "go 1.25.0\n\nuse (\n\t../sleep/jec\n\t../api\n)\n",
	})
	file := filepath.Join(dir, "lab", "go.work")
	ws, err := Load(file)
	if err != nil || ws.Dir != dir || len(ws.Modules) != 2 || ws.Modules[0].Name != "sleep/jec" || ws.Modules[1].Dir != filepath.Join(dir, "api") {
		t.Errorf("from the folder of a module: %+v, error %v", ws, err)
	}
	planted.Into(t, dir, map[string]string{
		"other/api/go.mod": "module " + Prefix + "api\n",
		"lab/go.work":      "go 1.25.0\n\nuse (\n\t../sleep/jec\n\t../other/api\n)\n",
	})
	if _, err := Load(file); err == nil {
		t.Error("modules below two roots were taken for a workspace")
	}
}

// A module of the examples that no workspace has is found, and follows the arrows too.
func TestOutside(t *testing.T) {
	name := "examples/metrics"
	ws := plant(t, map[string][]string{"examples": nil, "pool": nil}, map[string]string{
		name + "/go.mod":             "module " + Prefix + name + "\n",
		name + "/testdata/p.go":      "package p\n\nimport _ \"" + Prefix + "deque\"\n",
		name + "/prometheus/main.go": "package main\n\nimport _ \"" + Prefix + "pool\"\n",
	})
	outside, err := ws.Outside()
	if want := filepath.Join(ws.Dir, name); err != nil || len(outside) != 1 || outside[0].Name != name || outside[0].Dir != want {
		t.Errorf("modules outside: %+v, error %v, want that in %s", outside, err, want)
	}
	if err := ws.checkOutside(); err != nil {
		t.Error(err)
	}
	for _, test := range []struct{ file, content, says string }{
		{name + "/otel/main.go", "package main\n\nimport _ \"" + Prefix + "deque\"\n", "imports " + Prefix + "deque"},
		{"examples/other/go.mod", "module " + Prefix + "examples/other\n", "does not know the module examples/other"},
		{"examples/other/go.mod", "module example.com/other\n", "is called example.com/other"},
	} {
		planted.Into(t, ws.Dir, map[string]string{test.file: test.content})
		if err := ws.checkOutside(); err == nil || !strings.Contains(err.Error(), test.says) {
			t.Errorf("with %q in %s: error %v, want one with %q", test.content, test.file, err, test.says)
		}
	}
}

// The users' workspace is that of the lab without the lab.
func TestWorkspaces(t *testing.T) {
	root := filepath.FromSlash("../..")
	names := func(file string) (all []string) {
		ws, err := Load(filepath.Join(root, filepath.FromSlash(file)))
		if err != nil {
			t.Fatal(err)
		}
		if ws.Dir != root {
			t.Errorf("%s: the root is %s, not %s", file, ws.Dir, root)
		}
		for _, m := range ws.Modules {
			all = append(all, m.Name)
		}
		slices.Sort(all)
		return all
	}
	users, all := names("go.work"), names("lab/go.work")
	if want := slices.DeleteFunc(all, func(name string) bool { return name == "lab" }); !slices.Equal(users, want) {
		t.Errorf("go.work has %q, lab/go.work %q and lab", users, want)
	}
}

func TestReach(t *testing.T) {
	for name, want := range map[string]string{
		"api":         "api",
		"deque":       "api deque",
		"sleep/jec":   "api counters sleep/jec",
		"sleep/futex": "api counters golang.org/x/sys sleep/futex sleep/jec",
		"pool":        "api counters deque golang.org/x/sys latch pool sleep/futex sleep/jec",
	} {
		got := strings.Fields(strings.ReplaceAll(strings.Join(reach(name), " "), Prefix, ""))
		slices.Sort(got)
		if !slices.Equal(got, strings.Fields(want)) {
			t.Errorf("reach(%s) = %s, want %s", name, got, want)
		}
	}
}
