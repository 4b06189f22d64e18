package docs_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/lab/internal/planted"
)

// program is what stands around the first two pieces of Go in the README.
const program = `package main

import (
	"context"
	"fmt"
	"slices"

	"github.com/rouse-go/rouse/par"
	"github.com/rouse-go/rouse/pool"
)

var (
	ctx      = context.Background()
	numbers  = []int{1, 2, 3}
	urls     = []string{"a", "bc"}
	source   = slices.Values(urls)
	fetch    = func(_ context.Context, url string) (string, error) { return url + url, nil }
	checksum = func(_ context.Context, text string) (int, error) { return len(text), nil }
)

FUNCTION
func main() {
	STATEMENTS
	fmt.Println(pages, err)
	fmt.Println(RUN)
}
`

// printed is what the program prints.
const printed = "sum of squares: 14\n1 <nil>\n2 <nil>\n[aa bcbc] <nil>\n832040 <nil>\n"

// tested is what stands around the third piece: a cache that may load a value twice.
const tested = `package main

import (
	"sync/atomic"
	"testing"

	"github.com/rouse-go/rouse/explore"
)

type Cache struct{ loaded, loads atomic.Int32 }

func NewCache() *Cache { return new(Cache) }

func (c *Cache) Get(string) {
	if c.loaded.Load() == 0 {
		c.loads.Add(1)
		c.loaded.Store(1)
	}
}

func (c *Cache) Loads() int { return int(c.loads.Load()) }

func TestCache(t *testing.T) {
	STATEMENTS
}
`

// The code of the README runs in a module that is made by the lines beneath it, except that nothing is
// cloned; and the explorer finds the fault.
func TestReadmeRuns(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(root, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	page := string(text)
	if words := len(strings.Fields(page)); words >= 800 {
		t.Errorf("the README has %d words, want less than 800", words)
	}
	pieces := func(pattern string, want int) (all []string) {
		for _, m := range regexp.MustCompile(pattern).FindAllStringSubmatch(page, -1) {
			all = append(all, m[1])
		}
		if len(all) != want {
			t.Fatalf("the README has %d times %q, want %d", len(all), pattern, want)
		}
		return all
	}
	code, lines, run := pieces("(?s)```go\n(.*?)```", 3), pieces("(?s)```sh\n(.*?)```", 2), pieces("`(pool\\.Run\\(.*?\\))`", 1)
	if !strings.HasPrefix(lines[0], "git clone https://github.com/rouse-go/rouse && cd rouse\n") {
		t.Errorf("the README does not begin with a clone, but with\n%s", lines[0])
	}
	dir := planted.Tree(t, map[string]string{
		"main.go":      strings.NewReplacer("STATEMENTS", code[0], "FUNCTION", code[1], "RUN", run[0]).Replace(program),
		"main_test.go": strings.ReplaceAll(tested, "STATEMENTS", code[2]),
	})
	if err := os.Symlink(root, filepath.Join(dir, "rouse")); err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct{ lines, says string }{
		{"cd rouse\n" + strings.Replace(lines[1], "cd try", "mv main.go main_test.go try && cd try", 1), "main_test.go:28: loaded twice"},
		{"cd try && go run .", printed},
	} {
		cmd := exec.CommandContext(t.Context(), "sh", "-ec", step.lines)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "GOWORK=")
		if out, err := cmd.CombinedOutput(); !strings.Contains(string(out), step.says) {
			t.Errorf("error %v, want %q from the lines\n%s\nand not\n%s", err, step.says, step.lines, out)
		}
	}
}
