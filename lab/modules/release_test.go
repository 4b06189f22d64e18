package modules

import (
	"fmt"
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
	git(t, ws, "init -q", "config user.name Somebody", "config user.email somebody@example.com", "add .", "commit -q -m All")
	return ws
}

func git(t *testing.T, ws *Workspace, commands ...string) (said string) {
	t.Helper()
	for _, c := range commands {
		var err error
		if said, err = run(t.Context(), ws.Dir, nil, "git", strings.Fields(c)...); err != nil {
			t.Fatal(err)
		}
	}
	return said
}

// make makes a release, up to the first step that fails. It returns the checks of that one that
// have failed.
func (o Options) make(t *testing.T, ws *Workspace) map[string]string {
	t.Helper()
	t.Setenv("GOPROXY", "off") // a module that is not in the release's proxy is nowhere
	r, err := ws.NewRelease(t.Context(), t.TempDir(), o)
	if err != nil {
		return map[string]string{"": err.Error()}
	}
	failed := map[string]string{}
	for _, step := range r.Checks() {
		for _, c := range step {
			if err := c.Run(t.Context()); err != nil {
				failed[c.Name] = filepath.ToSlash(err.Error())
			}
		}
		if len(failed) > 0 {
			break
		}
	}
	return failed
}

// One version after another is made, or refused before anything is built.
func TestReleases(t *testing.T) {
	ws := repository(t, nil)
	for _, test := range []struct {
		commit map[string]string // before it
		Options
		check, says string // what fails, and how
	}{
		{nil, Options{}, "", ""},
		{nil, Options{Tag: true}, "", "--tag needs a version"},
		{nil, Options{Version: "0.2.0"}, "", `"0.2.0" is not a semantic version`},
		{nil, Options{Version: "v0.2"}, "", `"v0.2" is not a semantic version`},
		{nil, Options{Version: "v2.0.0"}, "", "end in /v2"},
		{nil, Options{Version: "v0.1.0"}, "changelogs", "CHANGELOG.md does not say what is new in v0.1.0"},
		{map[string]string{"CHANGELOG.md": "## v0.1.0 (today)\n\n* All.\n\n## v0.0.9\n\n* Old.\n"}, Options{Version: "v0.1.0"}, "", ""},
		{nil, Options{Version: "v0.1.0", Tag: true}, "", ""},
		{nil, Options{Version: "v0.1.0", Tag: true}, "", "v0.1.0 exists: there is a tag api/v0.1.0"},
		{nil, Options{}, "changelogs", "CHANGELOG.md does not say what is new in v0.2.0"},
		// A patch may add before 1.0; it may not break.
		{map[string]string{"CHANGELOG.md": "## v0.1.1\n\n* More.\n", "api/more.go": "package api\n\nconst More = 1\n"}, Options{Version: "v0.1.1"}, "", ""},
		{map[string]string{
			"api/api.go": "package api\n\nvar Stolen = \"stolen\"\n",
			"deque/d.go": strings.Replace(soundFiles["deque/d.go"], "const", "var", 1),
		}, Options{Version: "v0.1.1"}, "API since v0.1.0", "./api.Stolen: changed from const to var"},
		// In a release the tests run, too.
		{map[string]string{"CHANGELOG.md": "## v0.2.0\n\n* All.\n", "api/api.go": "package api\n\nvar Stolen = \"lost\"\n"},
			Options{Version: "v0.2.0"}, "api alone", "it is lost"},
	} {
		if test.commit != nil {
			planted.Into(t, ws.Dir, test.commit)
			git(t, ws, "add .", "commit -q -m Changes")
		}
		failed := test.make(t, ws)
		if (len(failed) > 0) != (test.says != "") || !strings.Contains(failed[test.check], test.says) {
			t.Errorf("%+v: %q, want %q of the check %q", test.Options, failed, test.says, test.check)
		}
	}
	if got := git(t, ws, "tag --list"); got != "api/v0.1.0\ndeque/v0.1.0\ntools/v0.1.0" {
		t.Errorf("tags %q", got)
	}
	if mod := git(t, ws, "show tools/v0.1.0:tools/go.mod"); strings.Contains(mod, "replace") || !strings.Contains(mod, "deque v0.1.0") {
		t.Errorf("the tag has\n%s", mod)
	}
	if got := git(t, ws, "status --porcelain") + git(t, ws, "worktree list"); strings.Count(got, "\n") > 0 {
		t.Errorf("a release has left something behind:\n%s", got)
	}
	planted.Into(t, ws.Dir, map[string]string{"api/new.go": "package api\n"})
	if failed := (Options{Version: "v0.2.0"}).make(t, ws); !strings.Contains(failed["nothing is uncommitted"], "?? api/new.go") {
		t.Errorf("with a new file: %q", failed)
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
			if failed := (Options{}).make(t, plant(t, soundRequires, files)); !strings.Contains(failed[test.found], test.says) {
				t.Errorf("%q, want %q of %s", failed, test.says, test.found)
			}
		})
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
		files map[string]string
		want  string
	}{
		{map[string]string{"LICENSE": string(mit)}, "MIT, <nil>"},
		{map[string]string{"license.md": string(mit), "PATENTS": "none"}, "MIT, <nil>"},
		{map[string]string{"README": "free"}, "it has no licence"},
		{map[string]string{"LICENSE": "Ask me.\n"}, "LICENSE is no licence that is known"},
		{map[string]string{"LICENSE": string(mit), "COPYING": notFree}, "COPYING is CC-BY-NC-4.0, which is not allowed"},
	} {
		licence, err := licenceOf(planted.Tree(t, test.files))
		if got := fmt.Sprintf("%s, %v", licence, err); !strings.HasSuffix(got, test.want) {
			t.Errorf("%q: %q, want %q", test.files, got, test.want)
		}
	}
}
