package modules

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/mod/module"
	"golang.org/x/mod/sumdb/dirhash"
	"golang.org/x/mod/zip"

	"github.com/rouse-go/rouse/lab/internal/planted"
)

// sound is a repository in which every check passes.
var (
	soundRequires = map[string][]string{"api": nil, "deque": {"api"}, "tools": {"api", "deque"}}
	soundFiles    = map[string]string{
		"LICENSE":      "MIT License\n",
		"CHANGELOG.md": "# Changes\n\n## Unreleased\n\n* All is new.\n",
		"SUPPORT.md": supportPage("", "| 1.25.0 |", "| linux/amd64 | run |\n| darwin/arm64 | compiled |\n| linux/arm64 | run |\n| linux/mips | run by hand |",
			"| `api/unsafe.go` |"),
		".ci/run":              "newest=go1.25.0\nrun 'types' lab types linux/amd64,explore darwin/arm64\n",
		"lab/elsewhere/run.sh": "arm64* | qemu | GOOS=linux GOARCH=arm64 | par\nmips | qemu | GOOS=linux GOARCH=mips |\n",
		"api/api.go":           "package api\n\nconst Stolen = \"stolen\"\n",
		"api/unsafe.go":        "package api\n\nimport _ \"unsafe\"\n",
		"api/example_test.go": "package api_test\n\nimport (\n\t\"fmt\"\n\n\t\"" + Prefix +
			"api\"\n)\n\nfunc Example() {\n\tfmt.Println(api.Stolen)\n\t// Output: stolen\n}\n",
		"deque/deque.go": "package deque\n\nimport \"" + Prefix + "api\"\n\nconst Stolen = api.Stolen\n",
		"tools/cmd/steal/main.go": "package main\n\nimport (\n\t\"" + Prefix + "api\"\n\t\"" + Prefix +
			"deque\"\n)\n\nfunc main() { println(api.Stolen, deque.Stolen) }\n",
	}
)

func supportPage(dependencies, versions, platforms, unsafe string) string {
	text := "# Support\n"
	for _, t := range [][2]string{{"Dependencies", dependencies}, {"Go versions", versions}, {"Platforms", platforms}, {"Files that import unsafe", unsafe}} {
		text += "\n## " + t[0] + "\n\n| a | b | c |\n|---|---|---|\n" + t[1] + "\n"
	}
	return text
}

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
func (o Options) make(t *testing.T, ws *Workspace) (r *Release, failed map[string]string) {
	t.Helper()
	if o.Prefix == "" {
		o.Prefix = strings.TrimSuffix(Prefix, "/")
	}
	r, err := ws.NewRelease(t.Context(), t.TempDir(), o)
	if err != nil {
		return nil, map[string]string{"": err.Error()}
	}
	for _, step := range r.Checks() {
		failed = map[string]string{}
		for _, c := range step {
			if err := c.Run(t.Context()); err != nil {
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
		r, failed := o.make(t, ws)
		if len(failed) > 0 {
			t.Fatalf("%+v: %q", o, failed)
		}
		return r
	}
	changes := func(version string) {
		planted.Into(t, ws.Dir, map[string]string{"CHANGELOG.md": "# Changes\n\n## " + version + " (today)\n\n* What is new.\n\n## v0.0.9\n\n* Old.\n"})
		gits(t, ws, "commit -q -a -m Changes")
	}
	if r := release(Options{}); r.Version != "v0.1.0" || r.Commit != "" || !strings.Contains(r.Notes, "* All is new.") {
		t.Errorf("the rehearsal: %+v", r)
	}
	changes("v0.1.0")
	out := filepath.Join(t.TempDir(), "out")
	r := release(Options{Version: "v0.1.0", Tag: true, Out: out})
	if got := gits(t, ws, "tag --list"); got != "api/v0.1.0\ndeque/v0.1.0\ntools/v0.1.0" {
		t.Errorf("tags %q", got)
	}
	if !strings.Contains(r.Notes, "* What is new.") || strings.Contains(r.Notes, "Old") {
		t.Errorf("the notes: %s", r.Notes)
	}
	if mod := gits(t, ws, "show tools/v0.1.0:tools/go.mod"); strings.Contains(mod, "replace") || !strings.Contains(mod, "deque v0.1.0") {
		t.Errorf("the tag has\n%s", mod)
	}
	if got := gits(t, ws, "status --porcelain"); got != "" {
		t.Errorf("the checkout has changed:\n%s", got)
	}
	for _, name := range []string{"notes.md", "proxy/github.com/rouse-go/rouse/deque/@v/v0.1.0.zip"} {
		if _, err := os.Stat(filepath.Join(out, filepath.FromSlash(name))); err != nil {
			t.Error(err)
		}
	}

	// A patch may add before 1.0; a minor version may break.
	planted.Into(t, ws.Dir, map[string]string{"api/more.go": "package api\n\nconst More = 1\n"})
	gits(t, ws, "add .")
	changes("v0.1.1")
	if r := release(Options{Version: "v0.1.1"}); r.last != "v0.1.0" || r.Commit == "" || len(gits(t, ws, "tag --list *1.1")) > 0 {
		t.Errorf("v0.1.1: %+v", r)
	}
	if r := release(Options{Version: "v0.1.1", Prefix: "example.org/Other/rouse", Out: out + "2"}); r.Commit != "" {
		t.Errorf("under another prefix: %+v", r)
	}
	if _, err := os.Stat(filepath.Join(out+"2", filepath.FromSlash("proxy/example.org/!other/rouse/api/@v/v0.1.1.zip"))); err != nil {
		t.Error(err)
	}
	planted.Into(t, ws.Dir, map[string]string{
		"api/api.go":     "package api\n\nvar Stolen = \"stolen\"\n",
		"deque/deque.go": strings.Replace(soundFiles["deque/deque.go"], "const", "var", 1),
	})
	changes("v0.1.2")
	_, failed := Options{Version: "v0.1.2"}.make(t, ws)
	if want := Prefix + "api: Stolen: changed from const to var"; !strings.Contains(failed["API since v0.1.0"], want) {
		t.Errorf("a patch that breaks: %q, want %q", failed, want)
	}
	if r, _ := (Options{}).make(t, ws); r.Version != "v0.2.0" {
		t.Errorf("a rehearsal after v0.1.0 is of %s", r.Version)
	}
}

// Each mistake is told before anything is built.
func TestMistakes(t *testing.T) {
	exists := t.TempDir()
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
		{Options{Version: "v0.2.0", Prefix: "example.org/x", Tag: true}, "", "--tag cannot be with --prefix"},
		{Options{Version: "v0.2.0", Prefix: "no prefix"}, "", "--prefix: malformed"},
		{Options{Version: "v0.2.0", Out: exists}, "", "exists"},
		{Options{Version: "v0.4.0"}, "changelogs", `CHANGELOG.md has no section "v0.4.0"`},
		{Options{}, "changelogs", `has neither a section "v0.4.0" nor anything beneath "Unreleased"`},
	} {
		if _, failed := test.make(t, ws); len(failed) != 1 || !strings.Contains(failed[test.check], test.says) {
			t.Errorf("%+v: %q, want %q of the check %q", test.Options, failed, test.says, test.check)
		}
	}
	planted.Into(t, ws.Dir, map[string]string{"api/new.go": "package api\n"})
	_, failed := Options{Version: "v0.2.0"}.make(t, ws)
	if says := failed["nothing is uncommitted"]; len(failed) != 1 || !strings.Contains(says, "?? api/new.go") {
		t.Errorf("with a new file: %q", failed)
	}
}

// Each flaw is found by the check that is there for it, in a folder that git does not know, too.
func TestFlaws(t *testing.T) {
	sound := soundFiles["SUPPORT.md"]
	const require = "\n\nrequire " + Prefix + "api v0.1.0\n"
	for name, test := range map[string]struct {
		files map[string]string
		found string // the check
		says  string
	}{
		"no changelog": {
			map[string]string{"CHANGELOG.md": "## Soon\n"},
			"changelogs", `the section "Soon" is neither`,
		},
		"a module without changes": {
			map[string]string{"deque/CHANGELOG.md": "# Deque\n\n## Unreleased\n\n## v0.0.1\n\n* Old.\n"},
			"changelogs", "deque/CHANGELOG.md has neither",
		},
		"a wrong arrow": {
			map[string]string{"api/b_test.go": "package api\n\nimport _ \"" + Prefix + "deque\"\n"},
			"arrows api", "api/b_test.go imports " + Prefix + "deque",
		},
		"a sibling of elsewhere": {
			map[string]string{"deque/go.mod": "module " + Prefix + "deque\n\ngo 1.25.0" + require},
			"arrows deque", "deque/go.mod has no replace line for " + Prefix + "api",
		},
		"another folder": {
			map[string]string{"deque/go.mod": "module " + Prefix + "deque\n\ngo 1.25.0" + require + "\nreplace " + Prefix + "api => ../tools\n"},
			"arrows deque", "by ../tools, which is not its folder",
		},
		"an unsafe file too many": {
			map[string]string{"SUPPORT.md": sound + "| api/other.go |\n"},
			"tables of SUPPORT.md", `the row "api/other.go" is not so`,
		},
		"an unsafe file too few": {
			map[string]string{"deque/u.go": "package deque\n\nimport _ \"unsafe\"\n"},
			"tables of SUPPORT.md", `no row "deque/u.go"`,
		},
		"a platform": {
			map[string]string{".ci/run": "newest=go1.25.0\n"},
			"tables of SUPPORT.md", `the row "darwin/arm64 | compiled" is not so`,
		},
		"an old Go": {
			map[string]string{".ci/run": soundFiles[".ci/run"] + "oldest=go1.24.0\n"},
			"tables of SUPPORT.md", "api/go.mod does not say go 1.24.0",
		},
		"untidy": {
			map[string]string{"deque/deque.go": "package deque\n"},
			"zip of deque", "a line too many: go.mod: require " + Prefix + "api",
		},
		"no licence": {
			map[string]string{"LICENSE/x": ""},
			"zip of api", "LICENSE",
		},
		"does not build": {
			map[string]string{"deque/deque.go": soundFiles["deque/deque.go"] + "\nvar x int = \"\"\n"},
			"deque alone", "cannot use",
		},
		"an example fails": {
			map[string]string{"api/api.go": "package api\n\nconst Stolen = \"lost\"\n"},
			"api alone", "lost",
		},
	} {
		t.Run(name, func(t *testing.T) {
			files := maps.Clone(soundFiles)
			if _, dir := test.files["LICENSE/x"]; dir {
				delete(files, "LICENSE")
			}
			maps.Copy(files, test.files)
			ws := plant(t, soundRequires, files)
			if _, failed := (Options{}).make(t, ws); !strings.Contains(failed[test.found], test.says) {
				t.Errorf("%q, want %q of %s", failed, test.says, test.found)
			}
		})
	}
}

// What the arrows forbid would also reach a consumer.
func TestGraph(t *testing.T) {
	requires, files := maps.Clone(soundRequires), maps.Clone(soundFiles)
	requires["deque"], requires["tools"], requires["counters"] = []string{"api", "counters"}, []string{"api", "deque", "counters"}, nil
	files["counters/counters.go"] = "package counters\n"
	files["deque/more.go"] = "package deque\n\nimport _ \"" + Prefix + "counters\"\n"
	files["tools/go.mod"] = strings.Replace("module "+Prefix+"tools\n\ngo 1.25.0\n\nrequire (\n\tP/api v0.1.0\n\tP/deque v0.1.0\n\tP/counters v0.1.0 // indirect\n)\n", "P/", Prefix, 3)
	ws := plant(t, requires, files)
	r, err := ws.NewRelease(t.Context(), t.TempDir(), Options{Prefix: strings.TrimSuffix(Prefix, "/")})
	if err != nil {
		t.Fatal(err)
	}
	for _, step := range r.Checks() {
		for _, c := range step {
			err := c.Run(t.Context())
			if want := "graph holds " + Prefix + "counters"; c.Name == "deque alone" && (err == nil || !strings.Contains(err.Error(), want)) {
				t.Errorf("%s: error %v, want %q", c.Name, err, want)
			}
		}
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

func TestBefore(t *testing.T) {
	versions := map[string][]Module{"v0.1.0": nil, "v0.2.0-rc.1": nil, "v0.10.0": nil, "v0.9.0": nil}
	for version, want := range map[string]string{"": "v0.10.0", "v0.10.0": "v0.9.0", "v0.3.0": "v0.1.0", "v0.1.0": ""} {
		if got := before(versions, version); got != want {
			t.Errorf("before %q comes %q, want %q", version, got, want)
		}
	}
}

const notFree = "https://creativecommons.org/licenses/by-nc/4.0/\n"

// The table has the licence of each dependency, which must be one that is allowed.
func TestLicences(t *testing.T) {
	mit, err := os.ReadFile(filepath.FromSlash("../../LICENSE"))
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ licence, row, says string }{
		{string(mit), "| example.org/other | tools | MIT |", ""},
		{string(mit), "| example.org/other | tools | ISC |", `says that its licence is "ISC", and it is MIT`},
		{notFree, "| example.org/other | tools | MIT |", "CC-BY-NC-4.0, which is not allowed"},
	} {
		version, mod := module.Version{Path: "example.org/other", Version: "v1.0.0"}, "module example.org/other\n"
		proxy := planted.Tree(t, map[string]string{
			"example.org/other/@v/v1.0.0.mod":  mod,
			"example.org/other/@v/v1.0.0.info": `{"Version":"v1.0.0"}`,
			"other/go.mod":                     mod,
			"other/LICENSE":                    test.licence,
			"other/other.go":                   "package other\n",
		})
		file := filepath.Join(proxy, filepath.FromSlash("example.org/other/@v/v1.0.0.zip"))
		out, err := os.Create(file)
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(zip.CreateFromDir(out, version, filepath.Join(proxy, "other")), out.Close()); err != nil {
			t.Fatal(err)
		}
		sum, err := dirhash.HashZip(file, dirhash.Hash1)
		if err != nil {
			t.Fatal(err)
		}
		modSum, err := dirhash.Hash1([]string{"go.mod"}, func(string) (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(mod)), nil })
		if err != nil {
			t.Fatal(err)
		}
		t.Setenv("GOPROXY", fileURL(proxy))
		files := maps.Clone(soundFiles)
		maps.Copy(files, map[string]string{
			"tools/go.mod":            "module " + Prefix + "tools\n\ngo 1.25.0\n\nrequire example.org/other v1.0.0\n",
			"tools/go.sum":            "example.org/other v1.0.0 " + sum + "\nexample.org/other v1.0.0/go.mod " + modSum + "\n",
			"tools/cmd/steal/main.go": "package main\n\nimport _ \"example.org/other\"\n\nfunc main() {}\n",
			"SUPPORT.md":              strings.Replace(soundFiles["SUPPORT.md"], "|---|---|---|", "|---|---|---|\n"+test.row, 1),
		})
		_, failed := (Options{}).make(t, plant(t, soundRequires, files))
		if test.says == "" && len(failed) > 0 || !strings.Contains(failed["licences"], test.says) {
			t.Errorf("%s: %q, want %q", test.row, failed, test.says)
		}
	}
}

func TestLicenceOf(t *testing.T) {
	mit, err := os.ReadFile(filepath.FromSlash("../../LICENSE"))
	if err != nil {
		t.Fatal(err)
	}
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
		if got != test.want || (err == nil) != (test.wrong == "") || err != nil && !strings.Contains(err.Error(), test.wrong) {
			t.Errorf("%q: %q, error %v, want %q, %q", slices.Collect(maps.Keys(test.files)), got, err, test.want, test.wrong)
		}
	}
}

// Nothing is left behind by a release that was interrupted.
func TestInterrupted(t *testing.T) {
	ws := repository(t, nil)
	out := filepath.Join(t.TempDir(), "out")
	r, err := ws.NewRelease(t.Context(), t.TempDir(), Options{Prefix: strings.TrimSuffix(Prefix, "/"), Out: out})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	all := r.Checks()
	for _, c := range slices.Concat(all[1], all[3]) {
		if err := c.Run(ctx); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: error %v, want that it was interrupted", c.Name, err)
		}
	}
	if _, err := os.Stat(out); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%s: %v", out, err)
	}
}
