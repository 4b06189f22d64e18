package public

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/explore/internal/rewrite"
)

// own are modules, and packages of them with tests of their own; "" is the module's. What is left
// out of them uses cgo, cannot be built, or has tests that fail on a busy machine as they are.
var own = []struct{ module, packages string }{
	{"golang.org/x/sync@v0.22.0", "..."},
	{"github.com/puzpuzpuz/xsync/v4@v4.5.0", "..."},
	{"github.com/sourcegraph/conc@v0.3.0", "..."},
	{"github.com/alphadose/haxmap@v1.4.0", "."},
	{"github.com/Workiva/go-datastructures@v1.1.7", "..."},
	{"code.cloudfoundry.org/go-diodes@v0.0.0-20231113191959-85adc333ee36", "..."},
	{"github.com/alitto/pond/v2@v2.7.1", "..."},
	{"github.com/dgraph-io/ristretto/v2@v2.4.2", ". z"},
	{"github.com/hashicorp/golang-lru/v2@v2.0.7", ". simplelru"},
	{"github.com/jackc/puddle/v2@v2.2.3", "..."},
	{"github.com/maypok86/otter/v2@v2.4.0", "..."},
	{"github.com/panjf2000/ants/v2@v2.12.1", "..."},
	{"golang.org/x/time@v0.14.0", "..."},
}

var ownTests = flag.Bool("own", false, "run TestOwnTests")

// The modules' own tests pass when they are rewritten and nothing drives them: each twin is
// then the real thing.
func TestOwnTests(t *testing.T) {
	if !*ownTests {
		t.Skip("-own runs it: it downloads modules, and runs their tests, for minutes")
	}
	t.Setenv("GOWORK", "off")
	t.Setenv("GOFLAGS", "-mod=mod")
	for _, m := range own {
		path, _, _ := strings.Cut(m.module, "@")
		t.Run(path, func(t *testing.T) {
			var packages []string
			for p := range strings.FieldsSeq(m.packages) {
				packages = append(packages, strings.TrimSuffix(path+"/"+p, "/."))
			}
			dir := using(t, m.module, packages)
			plainly, out := passed(t, dir, packages, nil, nil)
			if len(plainly) == 0 {
				t.Fatalf("TestOwnTests: none passes as it is:\n%s", out)
			}
			t.Chdir(dir)
			r, err := rewrite.Rewrite(rewrite.Config{Patterns: packages, Temp: t.TempDir()})
			if err != nil {
				t.Fatal(err)
			}
			rewritten, out := passed(t, dir, packages, r.Flags, r.Env)
			for _, name := range plainly {
				if !slices.Contains(rewritten, name) {
					t.Errorf("TestOwnTests: %s passes as it is alone", name)
				}
			}
			if t.Failed() {
				t.Logf("%s", out)
			}
			t.Logf("%d tests pass as they are, %d when %d files are rewritten", len(plainly), len(rewritten), r.Files)
		})
	}
}

// using makes a module that uses another one, with what its tests need, and the explorer.
func using(t *testing.T, module string, packages []string) (dir string) {
	dir = t.TempDir()
	top, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	const explorer = "github.com/rouse-go/rouse/"
	mod := "module own\n\ngo 1.25.0\n"
	for _, name := range []string{"api", "explore"} {
		mod += fmt.Sprintf("\nreplace %s%s => %s\n\nrequire %[1]s%[2]s v0.0.0\n", explorer, name, filepath.Join(top, name))
	}
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte(mod), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"get", module}, append([]string{"get", "-t"}, packages...)} {
		cmd := exec.Command("go", args...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	return dir
}

// passed runs the tests of packages and returns the names of those that pass, and all that is printed.
func passed(t *testing.T, dir string, packages, flags, env []string) (names []string, out []byte) {
	args := append([]string{"test", "-vet=off", "-short", "-v", "-count=1"}, flags...)
	cmd := exec.Command("go", append(args, packages...)...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), env...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Errorf("TestOwnTests: with the flags %q: %v\n%s", flags, err, out)
	}
	for line := range strings.Lines(string(out)) {
		if _, name, ok := strings.Cut(line, "--- PASS: "); ok {
			name, _, _ = strings.Cut(name, " (")
			names = append(names, name)
		}
	}
	return names, out
}
