package modules

import (
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/mod/modfile"

	"github.com/rouse-go/rouse/lab/internal/planted"
)

// plant makes a repository of modules with the given files, each module with a go.mod that requires its
// siblings of the given names.
func plant(t *testing.T, requires map[string][]string, files map[string]string) *Workspace {
	t.Helper()
	all := map[string]string{"go.work": "go 1.25.0\n"}
	for name, siblings := range requires {
		all["go.work"] += "use ./" + name + "\n"
		all[name+"/go.mod"] = "module " + Prefix + name + "\n\ngo 1.25.0\n"
		for _, s := range siblings {
			all[name+"/go.mod"] += "\nrequire " + Prefix + s + " v0.1.0\n\nreplace " + Prefix + s + " => ../" + s + "\n"
		}
	}
	maps.Copy(all, files)
	ws, err := Load(planted.Tree(t, all))
	if err != nil {
		t.Fatal(err)
	}
	return ws
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
		{"par/unsafe.go", "unsafe", true},
		{"par/p.go", "unsafe", false},
		{"par/p_test.go", "unsafe", true},
		{"api/prim/p.go", "unsafe", true},
		{"tools/t.go", "unsafe", false},
		// What people import, or run, knows nothing of the lab.
		{"par/p_test.go", Prefix + "lab/simulate", false},
		{"tools/t.go", Prefix + "lab/bench", false},
		{"surplus/s.go", "fmt", false}, // no module that the table knows
	} {
		name := strings.TrimSuffix(test.file, "/"+path.Base(test.file))
		name = strings.TrimSuffix(strings.TrimSuffix(name, "/prim"), "/testdata")
		ws := plant(t, map[string][]string{name: nil}, map[string]string{
			test.file: "//go:build never\n\npackage p\n\nimport _ \"" + test.imports + "\"\n",
		})
		if err := ws.checkArrows(ws.Modules[0]); (err == nil) != test.ok {
			t.Errorf("%s imports %s: error %v, want one: %v", test.file, test.imports, err, !test.ok)
		}
	}
}

func TestLoad(t *testing.T) {
	api := "module " + Prefix + "api\n"
	for _, test := range []struct {
		files map[string]string
		wrong string
	}{
		{map[string]string{"api/go.mod": api}, "go.work"},
		{map[string]string{"api/go.mod": "module example.com/api\n"}, "example.com/api"},
		{map[string]string{"api/go.mod": "module " + Prefix + "deque\n"}, "rouse/deque"},
		{map[string]string{"go.work": "use ./api\n", "api/go.mod": api + "require " + Prefix + "api v0.1.0\n"}, "in a circle"},
	} {
		if _, err := Load(planted.Tree(t, test.files)); err == nil || !strings.Contains(err.Error(), test.wrong) {
			t.Errorf("with %q: error %v, want one with %q", test.files, err, test.wrong)
		}
	}
	ws := plant(t, map[string][]string{"deque": {"api"}, "api": nil}, map[string]string{
		"examples/other/go.mod": "module " + Prefix + "examples/other\n", "api/testdata/go.mod": "module example.com/x\n"})
	if len(ws.Modules) != 3 || len(ws.Released) != 2 || ws.Released[0].Name != "api" || ws.Released[1].Name != "deque" {
		t.Errorf("modules %+v, released %+v, want three, and of these api and deque", ws.Modules, ws.Released)
	}
}

// The users' workspace is that of the lab without the lab.
func TestWorkspaces(t *testing.T) {
	uses := func(file string) (all []string) {
		text, err := os.ReadFile(filepath.FromSlash(file))
		if err != nil {
			t.Fatal(err)
		}
		work, err := modfile.ParseWork(file, text, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, use := range work.Use {
			all = append(all, path.Base(use.Path))
		}
		slices.Sort(all)
		return slices.DeleteFunc(all, func(name string) bool { return name == "." }) // lab itself
	}
	if users, all := uses("../../go.work"), uses("../go.work"); !slices.Equal(users, all) {
		t.Errorf("go.work has %q, lab/go.work %q and lab", users, all)
	}
}

// What SUPPORT.md says of platforms and releases of Go, the scripts do.
func TestSupport(t *testing.T) {
	read := func(file string) string {
		text, err := os.ReadFile(filepath.Join("..", "..", filepath.FromSlash(file)))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	page, ci, machines := read("SUPPORT.md"), read(".ci/run"), read("lab/elsewhere/run.sh")
	platforms, _ := section(page, "Platforms")
	rows := regexp.MustCompile(`(?m)^\| (\w+)/(\w+) \| (run by hand|run|compiled) \|`).FindAllStringSubmatch(platforms, -1)
	if len(rows) < 10 {
		t.Errorf("SUPPORT.md has %d platforms", len(rows))
	}
	for _, r := range rows {
		var ok bool
		switch system, cpu, how := r[1], r[2], r[3]; how {
		case "run":
			ok = r[0] == "| linux/amd64 | run |" || strings.Contains(ci, "GOARCH="+cpu+" ") ||
				regexp.MustCompile(`(?m)^\w+\* .*GOOS=`+system+" GOARCH="+cpu).MatchString(machines)
		case "compiled":
			ok = regexp.MustCompile(`lab types .*` + system + "/" + cpu).MatchString(ci)
		default:
			ok = strings.Contains(machines, "GOOS="+system+" GOARCH="+cpu)
		}
		if !ok {
			t.Errorf("SUPPORT.md says %s, and .ci/run and run.sh do not", r[0])
		}
	}
	for _, table := range regexp.MustCompile(`(?m)^\| (1\.\d+\.\d+) \|`).FindAllStringSubmatch(page, -1) {
		if !strings.Contains(ci, "=go"+table[1]+"\n") {
			t.Errorf("SUPPORT.md says that Go %s is in CI, and .ci/run does not", table[1])
		}
	}
}
