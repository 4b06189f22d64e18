package rewrite

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
)

// Modules that are copied are replaced in what stands for the user's go.mod: the file that -modfile
// names, if there is one, with its sums. Directories in it are from where go.mod is.
func TestModfile(t *testing.T) {
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("there is no go command here")
	}
	temp := t.TempDir()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.CopyFS(dir, fstest.MapFS{
		"go.mod":       {Data: []byte("module example.com/user\n\ngo 1.25.0\n")},
		"alt/user.mod": {Data: []byte("module example.com/user\n\ngo 1.25.0\n\nreplace example.com/near => ./near\n")},
		"alt/user.sum": {Data: []byte("sums\n")},
	}); err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	t.Setenv("GOWORK", "off")
	t.Setenv("GOFLAGS", "-modfile=none.mod")
	w := &writer{
		Config: Config{Temp: temp, Flags: []string{"-modfile=alt/user.mod"}},
		mods:   []*listedModule{{Path: "example.com/far", Version: "v1.0.0", Dir: "/far"}},
		copies: map[string]string{"/far": filepath.Join(temp, "module0")},
	}
	flags, _, err := w.flags()
	if err != nil {
		t.Fatal(err)
	}
	if got, want := flags[len(flags)-1], "-modfile="+filepath.Join(temp, "go.mod"); got != want {
		t.Errorf("the flag is %s, want %s", got, want)
	}
	mod, _ := os.ReadFile(filepath.Join(temp, "go.mod"))
	sum, _ := os.ReadFile(filepath.Join(temp, "go.sum"))
	for _, s := range []string{"example.com/near => " + filepath.Join(dir, "near"), "example.com/far v1.0.0 => " + filepath.Join(temp, "module0")} {
		if !strings.Contains(string(mod), s) {
			t.Errorf("go.mod has no %q but\n%s", s, mod)
		}
	}
	if string(sum) != "sums\n" {
		t.Errorf("go.sum has %q", sum)
	}
}
