package public

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/explore/internal/rewrite"
)

// The modules' own tests pass when they are rewritten and nothing drives them: each twin is
// then the real thing.
func TestOwnTests(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds and runs the tests of others")
	}
	for _, module := range []string{"golang.org/x/sync"} {
		packages := []string{".", module + "/..."}
		r, err := rewrite.Rewrite(rewrite.Config{Patterns: packages, With: []string{module}, Temp: t.TempDir()})
		if err != nil {
			t.Fatal(err)
		}
		args := append([]string{"test", "-vet=off", "-short"}, r.Flags...)
		cmd := exec.Command("go", append(args, packages[1:]...)...)
		cmd.Env = append(os.Environ(), r.Env...)
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Errorf("TestOwnTests: %v\n%s", err, out)
		}
		if n := strings.Count(string(out), "ok  \t"); n < 3 {
			t.Errorf("TestOwnTests: %d packages have passed, and %d files were rewritten:\n%s", n, r.Files, out)
		}
	}
}
