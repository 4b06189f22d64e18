package modules

import (
	"fmt"
	"maps"
	"os"
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
		module, file, imports string
		ok                    bool
	}{
		{"api", "a.go", "fmt", true},
		{"api", "a.go", Prefix + "deque", false},
		{"api", "a_test.go", "go.uber.org/goleak", false},
		{"api", "prim/p.go", "sync/atomic", true},
		{"api", "prim/p.go", "unsafe", true},
		{"api", "a.go", "sync", false},
		{"latch", "l_test.go", "sync", true},
		{"latch", "l_test.go", Prefix + "pool", false},
		{"deque", "d.go", Prefix + "api/prim", true},
		{"deque", "d.go", Prefix + "api2", false},
		{"deque", "testdata/x.go", Prefix + "pool", true}, // not part of the module
		{"deque", "d_plan9.go", Prefix + "counters", false},
		{"sleep/futex", "s.go", "golang.org/x/sys/unix", true},
		{"pool", "p.go", Prefix + "deque", false},
		{"pool", "new.go", Prefix + "deque", true},
		{"conformance", "c.go", "sync", true},
		{"conformance", "c.go", Prefix + "deque", false},
		{"conformance", "c_test.go", Prefix + "deque", true},
		{"par", "unsafe.go", "unsafe", true},
		{"par", "internal/radix/radix.go", "sync", false},
		{"par", "internal/radix/rooms.go", "sync", true},
		{"par", "p.go", "unsafe", false},
		{"par", "p_test.go", "unsafe", true},
		// What people import, or run, knows nothing of the lab.
		{"tools", "t_test.go", Prefix + "lab/bench", false},
		{"surplus", "s.go", "fmt", false}, // no module that the table knows
	} {
		ws := plant(t, map[string][]string{test.module: nil}, map[string]string{
			test.module + "/" + test.file: "//go:build never\n\npackage p\n\nimport _ \"" + test.imports + "\"\n",
		})
		if err := ws.checkArrows(ws.Modules[0]); (err == nil) != test.ok {
			t.Errorf("%s of %s imports %s: error %v, want one: %v", test.file, test.module, test.imports, err, !test.ok)
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
		work, err := read(file, modfile.ParseWork)
		if err != nil {
			t.Fatal(err)
		}
		for _, use := range work.Use {
			all = append(all, strings.TrimLeft(use.Path, "./"))
		}
		return all
	}
	if users, all := uses("../../go.work"), uses("../go.work"); !slices.Equal(users, all[1:]) || all[0] != "" {
		t.Errorf("go.work has %q, and lab/go.work not lab and the same, but %q", users, all)
	}
}

// What SUPPORT.md says of platforms and releases of Go, the scripts do.
func TestSupport(t *testing.T) {
	texts := map[string]string{}
	for _, file := range []string{"SUPPORT.md", ".ci/run", "lab/elsewhere/run.sh"} {
		text, err := os.ReadFile(filepath.Join("..", "..", file))
		if err != nil {
			t.Fatal(err)
		}
		texts[file] = string(text)
	}
	page, scripts := texts["SUPPORT.md"], texts[".ci/run"]+texts["lab/elsewhere/run.sh"]
	// The scripts say nothing of the platform that they run on.
	does := map[string]string{
		"run":         `(?m)^\w+\* .*GOOS=%[1]s GOARCH=%[2]s |run\.sh %[2]s$`,
		"compiled":    `lab types .*%s/%s`,
		"run by hand": `GOOS=%s GOARCH=%s `,
	}
	rows := regexp.MustCompile(`(?m)^\| (\w+)/(\w+) \| (run by hand|run|compiled) \|`).FindAllStringSubmatch(page, -1)
	if len(rows) < 10 || rows[0][0] != "| linux/amd64 | run |" {
		t.Fatalf("SUPPORT.md has the platforms %q, want linux/amd64 and nine others", rows)
	}
	for _, r := range rows[1:] {
		if !regexp.MustCompile(fmt.Sprintf(does[r[3]], r[1], r[2])).MatchString(scripts) {
			t.Errorf("SUPPORT.md says %s, and .ci/run and run.sh do not", r[0])
		}
	}
	for _, r := range regexp.MustCompile(`(?m)^\| (1\.\d+\.\d+) \|`).FindAllStringSubmatch(page, -1) {
		if !strings.Contains(scripts, "=go"+r[1]+"\n") {
			t.Errorf("SUPPORT.md says that Go %s is in CI, and .ci/run does not", r[1])
		}
	}
}
