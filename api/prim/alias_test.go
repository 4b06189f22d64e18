//go:build !explore

package prim_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
)

// In a normal build a package that synchronizes through prim is compiled to the
// same instructions as its twin that uses sync and sync/atomic, and what it tells
// a simulator to none.
func TestAliasesCostNothing(t *testing.T) {
	if _, err := exec.LookPath("go"); err != nil {
		t.Skipf("there is no compiler here, as under emulation: %v", err)
	}
	source, err := os.ReadFile("testdata/words.go")
	if err != nil {
		t.Fatal(err)
	}
	alias, direct := instructions(t, string(source)), instructions(t, withoutPrim(string(source)))
	for _, f := range []string{"Atomics", "Blocks", "Hooks", "Touches"} {
		if alias[f] == "" || strings.Count(alias[f], "\n") < 10 {
			t.Fatalf("no instructions of %s are found, in %v", f, alias)
		}
		if f == "Hooks" && strings.HasPrefix(runtime.Version(), "go1.25") {
			continue // the load of a dictionary stays behind, as the hooks' documentation says
		}
		if alias[f] != direct[f] {
			t.Errorf("package prim: using it has a cost: %s through prim:\n%s\nwithout:\n%s", f, alias[f], direct[f])
		}
	}
	if strings.Contains(alias["Atomics"], "CALL") && !strings.Contains(direct["Atomics"], "CALL") {
		t.Error("package prim: using it has a cost: atomic operations are calls")
	}
}

var (
	// An instruction has an offset, a counter and a source line before it.
	instruction = regexp.MustCompile(`^\t0x[0-9a-f]+ \d+ \([^)]*\)\t(.*)$`)
	// Names of temporaries, and jump targets, are not what matters; neither are the marks
	// of inlined calls and of live variables.
	incidental = regexp.MustCompile(`autotmp_\d+`)
	mark       = regexp.MustCompile(`^(PCDATA|FUNCDATA|XCHGL\tAX, AX|NOP)`)
	jump       = regexp.MustCompile(`^(J\S+\t)\d+$`)
	start      = regexp.MustCompile(`^command-line-arguments\.\(\*(?:Words|Box\[go\.shape[^]]*\])\)\.(\w+) STEXT`)
)

// withoutPrim replaces prim in a package by what stands behind it.
func withoutPrim(source string) string {
	source = regexp.MustCompile(`(?m)^\s*prim\..*\n`).ReplaceAllString(source, "") // what it tells a simulator
	return strings.NewReplacer(`import "github.com/rouse-go/rouse/api/prim"`, `import ("sync"; "sync/atomic")`,
		"prim.Mutex", "sync.Mutex", "prim.WaitGroup", "sync.WaitGroup", "prim.", "atomic.").Replace(source)
}

// instructions returns those of each function of a package, as the compiler lists them.
func instructions(t *testing.T, source string) map[string]string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "words.go")
	if err := os.WriteFile(file, []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("go", "build", "-gcflags=-S", file).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	all := make(map[string]string)
	function := ""
	for line := range strings.Lines(string(out)) {
		line = strings.TrimRight(line, "\n")
		if strings.Contains(line, " STEXT ") {
			function = ""
			if m := start.FindStringSubmatch(line); m != nil {
				function = m[1]
			}
		}
		m := instruction.FindStringSubmatch(line)
		if m == nil || mark.MatchString(m[1]) {
			continue
		}
		text := incidental.ReplaceAllString(m[1], "")
		all[function] += jump.ReplaceAllString(text, "$1") + "\n"
	}
	return all
}
