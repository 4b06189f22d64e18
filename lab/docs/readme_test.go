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
	"sync"
	"sync/atomic"
	"testing"

	"github.com/rouse-go/rouse/explore"
)

type Cache struct {
	values sync.Map
	loads  atomic.Int32
}

func NewCache() *Cache { return new(Cache) }

func (c *Cache) Get(key string) {
	if _, ok := c.values.Load(key); !ok {
		c.loads.Add(1)
		c.values.Store(key, true)
	}
}

func (c *Cache) Loads() int { return int(c.loads.Load()) }

func TestCache(t *testing.T) {
	STATEMENTS
}
`

// pieces returns the pieces of a language on a page; want is how many there are.
func pieces(t *testing.T, page, language string, want int) (pieces []string) {
	t.Helper()
	for _, m := range regexp.MustCompile("(?s)```"+language+"\n(.*?)```").FindAllStringSubmatch(page, -1) {
		pieces = append(pieces, m[1])
	}
	if len(pieces) != want {
		t.Fatalf("the README has %d pieces of %s, want %d", len(pieces), language, want)
	}
	return pieces
}

// The code of the README runs in a module that is made by the lines beneath it, except that nothing is
// cloned; and the explorer finds the fault.
func TestReadmeRuns(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the lines are for a shell")
	}
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
	code, lines := pieces(t, page, "go", 3), pieces(t, page, "sh", 2)
	if !strings.HasPrefix(lines[0], "git clone https://github.com/rouse-go/rouse && cd rouse\n") {
		t.Errorf("the README does not begin with a clone, but with\n%s", lines[0])
	}
	run := regexp.MustCompile("`(pool\\.Run\\(.*?\\))`").FindStringSubmatch(page)
	if run == nil {
		t.Fatal("the README does not say how a recursion is started")
	}
	dir := t.TempDir()
	if err := os.Symlink(root, filepath.Join(dir, "rouse")); err != nil {
		t.Fatal(err)
	}
	write := func(name, frame string, parts ...string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(strings.NewReplacer(parts...).Replace(frame)), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write("main.go", program, "STATEMENTS", code[0], "FUNCTION", code[1], "RUN", run[1])
	write("main_test.go", tested, "STATEMENTS", code[2])
	shell := func(dir, lines string) (string, error) {
		cmd := exec.Command("sh", "-ec", lines)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GOWORK=")
		cmd.Stderr = t.Output()
		out, err := cmd.Output()
		return string(out), err
	}
	out, err := shell(dir, "cd rouse\n"+strings.Replace(lines[1], "cd try", "mv main.go main_test.go try && cd try", 1))
	if !strings.Contains(out, "main_test.go:32: loaded twice") {
		t.Errorf("error %v: the explorer does not find the fault, and says\n%s", err, out)
	}
	if out, err := shell(filepath.Join(dir, "try"), "go run ."); err != nil || out != printed {
		t.Errorf("error %v, output\n%swant\n%s", err, out, printed)
	}
}
