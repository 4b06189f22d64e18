package public

import (
	"encoding/json"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// modules are those whose own tests are explored as they are.
var modules = []string{
	"golang.org/x/sync@v0.25.0",
	"github.com/hashicorp/golang-lru/v2@v2.0.7",
	"github.com/patrickmn/go-cache@v2.1.0+incompatible",
	"github.com/puzpuzpuz/xsync/v4@v4.5.0",
	"github.com/panjf2000/ants/v2@v2.12.1",
	"github.com/sourcegraph/conc@v0.3.0",
	"github.com/alitto/pond/v2@v2.7.1",
	"go.uber.org/ratelimit@v0.3.1",
	"github.com/cenkalti/backoff/v5@v5.0.3",
	"github.com/avast/retry-go/v4@v4.7.0",
	"github.com/jackc/puddle/v2@v2.2.3",
	"github.com/eapache/channels@v1.1.0",
	"github.com/sony/gobreaker/v2@v2.4.0",
	"github.com/thejerf/suture/v4@v4.0.6",
	"github.com/rs/xid@v1.6.0",
	"github.com/golang/groupcache@v0.0.0-20241129210726-2c02b8208cf8",
	"go.uber.org/atomic@v1.12.0",
}

var explores = flag.Bool("all", false, "run TestModules")

// The command explores the tests of modules that have never heard of it. What it prints is for a reader:
// which of their tests fail is theirs.
func TestModules(t *testing.T) {
	if !*explores {
		t.Skip("-all runs it: it downloads modules, and explores their tests, for an hour")
	}
	explorer, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	do := func(t *testing.T, dir string, args ...string) string {
		cmd := exec.Command("go", args...)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		if err != nil && args[0] != "run" { // a test may fail
			t.Fatalf("TestModules: go %q: %v\n%s", args, err, out)
		}
		return string(out)
	}
	for _, m := range modules {
		path, _, _ := strings.Cut(m, "@")
		t.Run(path, func(t *testing.T) {
			t.Setenv("GOWORK", "off")
			var is struct{ Dir string }
			if err := json.Unmarshal([]byte(do(t, ".", "mod", "download", "-json", m)), &is); err != nil {
				t.Fatal(err)
			}
			dir := t.TempDir()
			if err := os.CopyFS(dir, os.DirFS(is.Dir)); err != nil {
				t.Fatal(err)
			}
			if _, err := os.Stat(filepath.Join(dir, "go.mod")); err != nil {
				do(t, dir, "mod", "init", path)
			}
			do(t, dir, "mod", "tidy")
			t.Setenv("GOWORK", "") // which is found there
			do(t, dir, "work", "init", ".", explorer)
			t.Log("\n" + do(t, dir, "run", "github.com/rouse-go/rouse/explore/cmd/explore", "test", "-all", "./..."))
		})
	}
}
