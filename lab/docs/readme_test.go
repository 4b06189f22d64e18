package docs_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
)

// block returns the code block of a language that a page has one of.
func block(t *testing.T, page, language string) string {
	t.Helper()
	all := regexp.MustCompile("(?s)```"+language+"\n(.*?)```").FindAllStringSubmatch(page, -1)
	if len(all) != 1 {
		t.Fatalf("the README has %d blocks of %s, want one", len(all), language)
	}
	return all[0][1]
}

// The program of the README runs by the lines beneath it, but that nothing is cloned.
func TestReadmeRuns(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the lines are for a shell")
	}
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile(filepath.Join(root, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	if words := len(strings.Fields(string(page))); words >= 900 {
		t.Errorf("the README has %d words, want less than 900", words)
	}
	clone, lines, _ := strings.Cut(block(t, string(page), "sh"), "\n")
	if !strings.HasPrefix(clone, "git clone https://github.com/rouse-go/rouse") {
		t.Errorf("the first line is %q, want a clone", clone)
	}
	dir := t.TempDir()
	if err := os.Symlink(root, filepath.Join(dir, "rouse")); err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(dir, "main.go")
	if err := os.WriteFile(program, []byte(block(t, string(page), "go")), 0o666); err != nil {
		t.Fatal(err)
	}
	// It is saved when its folder is made.
	lines = strings.Replace(lines, "cd try", "mv main.go try && cd try", 1)
	cmd := exec.Command("bash", "-ec", lines)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOWORK=", "GOFLAGS=")
	cmd.Stderr = t.Output()
	out, err := cmd.Output()
	if want := "sum of squares: 333332833333500000\nfib(30): 832040 <nil>\n"; err != nil || string(out) != want {
		t.Errorf("error %v, output\n%swant\n%s", err, out, want)
	}
}
