package elsewhere

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/lab/modules"
)

// program makes an executable shell script.
func program(t *testing.T, script string) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "program")
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+script), 0o777); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestNames(t *testing.T) {
	all := allNames()
	if got := slices.Compact(slices.Sorted(slices.Values(all))); len(got) != len(all) {
		t.Errorf("a name stands for two machines: %s", all)
	}
	got, err := Select([]string{"js", "arm64"})
	if err != nil || len(got) != 2 || got[0].Name != "js" || got[1].Name != "arm64" {
		t.Errorf("selected %v, %v", got, err)
	}
	if _, err := Select([]string{"js", "vax"}); err == nil || !strings.Contains(err.Error(), `"vax"; there are: arm64, arm, windows`) {
		t.Errorf("error %v, want one that says what there is", err)
	}
	if few, every := len(ByDefault(false)), len(ByDefault(true)); few == 0 || few >= every || every != len(all) {
		t.Errorf("%d machines by default, %d at full depth, of %d", few, every, len(all))
	}
}

// Each machine has the modules that it is not to be without, and at full depth all.
func TestModules(t *testing.T) {
	ws, err := modules.Load("../../go.work")
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range Machines {
		for _, module := range []string{"pool", "par", "conformance"} {
			has := func(full bool) bool {
				return slices.ContainsFunc(m.arguments(ws, session{}, full), func(arg string) bool {
					return strings.TrimSuffix(arg, "/...") == modules.Prefix+module
				})
			}
			if !has(true) || has(false) == slices.Contains(m.without, module) {
				t.Errorf("%s: %s is among its modules: %t, at full depth %t; it is without %q", m.Name, module, has(false), has(true), m.without)
			}
		}
		for _, name := range m.without {
			if !slices.ContainsFunc(ws.Modules, func(module modules.Module) bool { return module.Name == name }) {
				t.Errorf("%s is without %s, which does not exist", m.Name, name)
			}
		}
	}
}

// What is not there must not pass for tested.
func TestMissing(t *testing.T) {
	m := Machine{
		Name:  "lisp",
		needs: []need{{"sh", []string{"dash"}}, {"no-such-lisp", []string{"lisp", "cons"}}, {"no-such-cons", []string{"cons"}}},
		start: func(context.Context, string) (session, error) { t.Error("started"); return session{}, nil },
	}
	if got := Missing([]Machine{m}); !slices.Equal(got, []string{"cons", "lisp"}) {
		t.Errorf("missing %v", got)
	}
	err := m.Test(t.Context(), &modules.Workspace{Dir: t.TempDir()}, false, t.Output())
	if err == nil || !strings.Contains(err.Error(), "lisp needs [cons lisp]") {
		t.Errorf("error %v, want one that says what is missing", err)
	}
}

// tested returns what a run on this very machine leads to. Each program goes
// through a script that is handed a word in its environment.
func tested(t *testing.T, ctx context.Context, test string) (output string, err error) {
	t.Helper()
	dir := t.TempDir()
	for name, content := range map[string]string{
		"go.work":       "go 1.25.0\nuse ./api\n",
		"api/go.mod":    "module " + modules.Prefix + "api\n\ngo 1.25.0\n",
		"api/x_test.go": "package api\n\nimport (\"os\"; \"testing\"; \"time\")\n\nvar _, _ = os.Args, time.Now\n\n" + test,
	} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	ws, err := modules.Load(filepath.Join(dir, "go.work"))
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("GOWORK", filepath.Join(dir, "go.work"))
	var kept string
	stopped := false
	m := Machine{
		Name: "here",
		skip: "^TestLeftOut$",
		start: func(_ context.Context, dir string) (session, error) {
			kept = dir
			return session{
				exec: program(t, `THROUGH=$WORD exec "$@"`),
				env:  []string{"WORD=the script"},
				stop: func() { stopped = true },
			}, nil
		},
	}
	var out strings.Builder
	err = m.Test(ctx, ws, false, &out)
	if _, e := os.Stat(kept); !stopped || !os.IsNotExist(e) {
		t.Errorf("the machine was left behind: stopped %v, %v", stopped, e)
	}
	return out.String(), err
}

func TestTest(t *testing.T) {
	const sound = `func TestRunner(t *testing.T) {
		if w := os.Getenv("THROUGH"); w != "the script" || !testing.Short() {
			t.Errorf("through %q, short %v", w, testing.Short())
		}
	}
	func TestLeftOut(t *testing.T) { t.Error("was run") }`
	if out, err := tested(t, t.Context(), sound); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	out, err := tested(t, t.Context(), `func TestBad(t *testing.T) { t.Error("broken here") }`)
	if err == nil || !strings.Contains(out, "broken here") {
		t.Errorf("error %v, want one, and the output of the test:\n%s", err, out)
	}
}

func TestInterrupt(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := tested(t, ctx, ""); err != context.Canceled {
		t.Errorf("error %v, want %v", err, context.Canceled)
	}
}

// A test that starts itself again, by its own name, stays in the emulator, and
// on its processor.
func TestEmulatorKeepsChildren(t *testing.T) {
	m := pinned(qemu("any", "any"))
	s, err := m.start(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	// It takes -0 NAME PROGRAM ARGS, as QEMU does.
	emulator := program(t, `name=$2; shift 3
		echo "emulated $*, on $(nproc)"; [ "$1" = child ] || exec "$name" child`)
	cmd := exec.CommandContext(t.Context(), s.exec, filepath.Join(t.TempDir(), "x.test"), "parent", "two words")
	cmd.Env = append(append(os.Environ(), s.env...), "ROUSE_EMULATOR="+emulator)
	out, err := cmd.CombinedOutput()
	if want := "emulated parent two words, on 1\nemulated child, on 1\n"; err != nil || string(out) != want {
		t.Errorf("%q, %v, want %q", out, err, want)
	}
}
