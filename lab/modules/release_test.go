package modules

import (
	"context"
	"errors"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/lab/internal/planted"
)

// sound is a repository in which every check passes.
var (
	soundRequires = map[string][]string{"api": nil, "deque": {"api"}, "tools": {"api", "deque"}}
	soundFiles    = map[string]string{
		"LICENSE":       "MIT License\n",
		"CHANGELOG.md":  "# Changes\n\n## Unreleased\n\n* All is new.\n",
		"SUPPORT.md":    "# Support\n\n## Dependencies\n\n| module | of | licence | for |\n|---|---|---|---|\n",
		"api/api.go":    "package api\n\nconst Stolen = \"stolen\"\n",
		"api/a_test.go": "package api\n\nimport \"testing\"\n\nfunc TestA(t *testing.T) {\n\tif Stolen != \"stolen\" {\n\t\tt.Error(\"it is lost\")\n\t}\n}\n",
		"deque/d.go":    "package deque\n\nimport \"" + Prefix + "api\"\n\nconst Stolen = api.Stolen\n",
		"tools/cmd/steal/main.go": "package main\n\nimport (\n\t\"" + Prefix + "api\"\n\t\"" + Prefix +
			"deque\"\n)\n\nfunc main() { println(api.Stolen, deque.Stolen) }\n",
	}
)

// repository plants a workspace, sound but for the given files, and commits it.
func repository(t *testing.T, files map[string]string) *Workspace {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("there is no git")
	}
	all := maps.Clone(soundFiles)
	maps.Copy(all, files)
	ws := plant(t, soundRequires, all)
	for _, name := range []string{"AUTHOR", "COMMITTER"} {
		t.Setenv("GIT_"+name+"_NAME", "Somebody")
		t.Setenv("GIT_"+name+"_EMAIL", "somebody@example.com")
	}
	gits(t, ws, "init -q", "add .", "commit -q -m All")
	return ws
}

func gits(t *testing.T, ws *Workspace, commands ...string) (said string) {
	t.Helper()
	for _, c := range commands {
		var err error
		if said, err = ws.git(t.Context(), strings.Fields(c)...); err != nil {
			t.Fatal(err)
		}
	}
	return said
}

// make makes a release, up to the first step that fails. It returns the checks of that one that
// have failed.
func (o Options) make(t *testing.T, ctx context.Context, ws *Workspace) (r *Release, failed map[string]string) {
	t.Helper()
	t.Setenv("GOPROXY", "off") // a module that is not in the release's proxy is nowhere
	r, err := ws.NewRelease(t.Context(), t.TempDir(), o)
	if err != nil {
		return nil, map[string]string{"": err.Error()}
	}
	for _, step := range r.Checks() {
		failed = map[string]string{}
		for _, c := range step {
			if err := c.Run(ctx); err != nil {
				failed[c.Name] = filepath.ToSlash(err.Error())
			}
		}
		if len(failed) > 0 {
			break
		}
	}
	return r, failed
}

// Version v0.2.0 follows v0.1.0: each is made, tagged, and can be used by others.
func TestReleases(t *testing.T) {
	ws := repository(t, nil)
	release := func(o Options) *Release {
		r, failed := o.make(t, t.Context(), ws)
		if len(failed) > 0 {
			t.Fatalf("%+v: %q", o, failed)
		}
		return r
	}
	changes := func(version string) {
		planted.Into(t, ws.Dir, map[string]string{"CHANGELOG.md": "# Changes\n\n## " + version + " (today)\n\n* What is new.\n\n## v0.0.9\n\n* Old.\n"})
		gits(t, ws, "add .", "commit -q -m Changes")
	}
	if r := release(Options{}); r.Version != "v0.1.0" {
		t.Errorf("the rehearsal: %+v", r)
	}
	changes("v0.1.0")
	if release(Options{Version: "v0.1.0"}); gits(t, ws, "tag --list") != "" {
		t.Error("there are tags without --tag")
	}
	release(Options{Version: "v0.1.0", Tag: true})
	if got := gits(t, ws, "tag --list"); got != "api/v0.1.0\ndeque/v0.1.0\ntools/v0.1.0" {
		t.Errorf("tags %q", got)
	}
	if mod := gits(t, ws, "show tools/v0.1.0:tools/go.mod"); strings.Contains(mod, "replace") || !strings.Contains(mod, "deque v0.1.0") {
		t.Errorf("the tag has\n%s", mod)
	}
	if got := gits(t, ws, "status --porcelain") + gits(t, ws, "worktree list"); strings.Count(got, "\n") > 0 {
		t.Errorf("a release has left something behind:\n%s", got)
	}

	// A patch may add before 1.0; a minor version may break.
	planted.Into(t, ws.Dir, map[string]string{"api/more.go": "package api\n\nconst More = 1\n"})
	changes("v0.1.1")
	if r := release(Options{Version: "v0.1.1"}); r.last != "v0.1.0" {
		t.Errorf("v0.1.1: %+v", r)
	}
	planted.Into(t, ws.Dir, map[string]string{
		"api/api.go": "package api\n\nvar Stolen = \"stolen\"\n",
		"deque/d.go": strings.Replace(soundFiles["deque/d.go"], "const", "var", 1),
	})
	changes("v0.1.2")
	_, failed := Options{Version: "v0.1.2"}.make(t, t.Context(), ws)
	if want := "./api.Stolen: changed from const to var"; !strings.Contains(failed["API since v0.1.0"], want) {
		t.Errorf("a patch that breaks: %q, want %q", failed, want)
	}
	if r, _ := (Options{}).make(t, t.Context(), ws); r.Version != "v0.2.0" {
		t.Errorf("a rehearsal after v0.1.0 is of %s", r.Version)
	}
}

// Each mistake is told before anything is built.
func TestMistakes(t *testing.T) {
	ws := repository(t, map[string]string{"CHANGELOG.md": "# Changes\n\n## v0.2.0\n\n* More.\n"})
	gits(t, ws, "tag api/v0.3.0")
	for _, test := range []struct {
		Options
		check, says string
	}{
		{Options{Version: "0.2.0"}, "", `"0.2.0" is not a semantic version`},
		{Options{Version: "v0.2"}, "", `"v0.2" is not a semantic version`},
		{Options{Version: "v2.0.0"}, "", "end in /v2"},
		{Options{Version: "v0.3.0"}, "", "v0.3.0 exists: there is a tag api/v0.3.0"},
		{Options{Tag: true}, "", "--tag needs a version"},
		{Options{Version: "v0.4.0"}, "changelogs", "CHANGELOG.md does not say what is new in v0.4.0"},
		{Options{}, "changelogs", "CHANGELOG.md does not say what is new in v0.4.0"},
	} {
		if _, failed := test.make(t, t.Context(), ws); len(failed) != 1 || !strings.Contains(failed[test.check], test.says) {
			t.Errorf("%+v: %q, want %q of the check %q", test.Options, failed, test.says, test.check)
		}
	}
	planted.Into(t, ws.Dir, map[string]string{"api/new.go": "package api\n"})
	_, failed := Options{Version: "v0.2.0"}.make(t, t.Context(), ws)
	if says := failed["nothing is uncommitted"]; len(failed) != 1 || !strings.Contains(says, "?? api/new.go") {
		t.Errorf("with a new file: %q", failed)
	}
	// Nothing is left behind by a release that was interrupted.
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, failed := (Options{Version: "v0.2.0"}).make(t, ctx, ws); failed["nothing is uncommitted"] != context.Canceled.Error() {
		t.Errorf("interrupted: %q", failed)
	}
}

// Each flaw is found by the check that is there for it, in a folder that git does not know, too.
func TestFlaws(t *testing.T) {
	deque := "module " + Prefix + "deque\n\ngo 1.25.0\n\nrequire " + Prefix + "api v0.1.0\n"
	for name, test := range map[string]struct {
		file, content, found, says string
	}{
		"a module without changes":  {"deque/CHANGELOG.md", "# Deque\n\n## Unreleased\n\n## v0.0.1\n\n* Old.\n", "changelogs", "deque/CHANGELOG.md does not say"},
		"a wrong arrow":             {"api/b_test.go", "package api\n\nimport _ \"" + Prefix + "deque\"\n", "modules of the checkout", "api/b_test.go imports " + Prefix + "deque"},
		"one outside the workspace": {"examples/metrics/go.mod", "module " + Prefix + "examples/metrics\n\nrequire example.org/other v1.0.0\n", "modules of the checkout", "examples/metrics: go mod tidy"},
		"a sibling of elsewhere":    {"deque/go.mod", deque, "modules of the checkout", "deque: go mod tidy"},
		"another folder":            {"deque/go.mod", deque + "\nreplace " + Prefix + "api => ../tools\n", "modules of the checkout", "deque: go mod tidy"},
		"a requirement too many":    {"deque/d.go", "package deque\n\nconst Stolen = 1\n", "modules of the checkout", "deque: go mod tidy"},
		"an unknown dependency":     {"SUPPORT.md", soundFiles["SUPPORT.md"] + "| `example.org/other` | tools | MIT | |\n", "dependencies and licences", "SUPPORT.md has 1 rows of dependencies, and the modules have 0"},
		"no page":                   {"SUPPORT.md", "# Support\n", "dependencies and licences", "no section Dependencies"},
		"no licence":                {"LICENSE", "", "zip of api", "LICENSE"},
		"does not build":            {"deque/e.go", "package deque\n\nvar x int = \"\"\n", "deque alone", "cannot use"},
		"a command with a flaw":     {"tools/cmd/steal/more.go", "package main\n\nfunc init() int { return 1 }\n", "tools alone", "func init must have no"},
	} {
		t.Run(name, func(t *testing.T) {
			files := maps.Clone(soundFiles)
			if files[test.file] = test.content; test.content == "" {
				delete(files, test.file)
			}
			if _, failed := (Options{}).make(t, t.Context(), plant(t, soundRequires, files)); !strings.Contains(failed[test.found], test.says) {
				t.Errorf("%q, want %q of %s", failed, test.says, test.found)
			}
		})
	}
	// Of a release the tests run, too.
	ws := repository(t, map[string]string{"CHANGELOG.md": "## v0.1.0\n\n* All.\n", "api/api.go": "package api\n\nconst Stolen = \"lost\"\n"})
	if _, failed := (Options{Version: "v0.1.0"}).make(t, t.Context(), ws); !strings.Contains(failed["api alone"], "it is lost") {
		t.Errorf("a test fails: %q", failed)
	}
}

func TestMayChange(t *testing.T) {
	for _, test := range []struct {
		last, version string
		breaks, adds  bool
	}{
		{"v0.1.0", "v0.1.1", false, true},
		{"v0.1.9", "v0.2.0", true, true},
		{"v0.9.0", "v1.0.0", true, true},
		{"v1.0.0", "v1.0.1", false, false},
		{"v1.0.0", "v1.1.0", false, true},
	} {
		if breaks, adds := mayChange(test.last, test.version); breaks != test.breaks || adds != test.adds {
			t.Errorf("%s after %s: may break %v, add %v", test.version, test.last, breaks, adds)
		}
	}
}

func TestLicenceOf(t *testing.T) {
	mit, err := os.ReadFile(filepath.FromSlash("../../LICENSE"))
	if err != nil {
		t.Fatal(err)
	}
	const notFree = "https://creativecommons.org/licenses/by-nc/4.0/\n"
	for _, test := range []struct {
		files       map[string]string
		want, wrong string
	}{
		{map[string]string{"LICENSE": string(mit)}, "MIT", ""},
		{map[string]string{"license.md": string(mit), "PATENTS": "none"}, "MIT", ""},
		{map[string]string{"README": "free"}, "", "no licence"},
		{map[string]string{"LICENSE": "Ask me.\n"}, "", "no licence that is known"},
		{map[string]string{"LICENSE": string(mit), "COPYING": notFree}, "", "not allowed"},
	} {
		got, err := licenceOf(planted.Tree(t, test.files))
		if err == nil {
			err = errors.New("")
		}
		if got != test.want || !strings.Contains(err.Error(), test.wrong) {
			t.Errorf("%q: %q, error %v, want %q, %q", test.files, got, err, test.want, test.wrong)
		}
	}
}
