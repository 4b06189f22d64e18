package main

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// A new user types rouse run first, on a machine that has compiled nothing yet, and waits for
// all that the command imports.
const (
	mostModules  = 10  // to download
	mostPackages = 160 // to compile, of the standard library, too
)

// heavy are packages that take as long to compile as the pool and all beneath it,
// or bring in such; and the libraries that did so.
var heavy = []string{"net", "crypto/tls", "text/template", "html/template", "regexp", "runtime/cgo", "github.com/spf13/cobra", "github.com/schollz/progressbar/v3"}

// A failure here means that a new import makes the first command slow. Do without
// it, or put what needs it into the lab.
func TestImports(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", "-f", "{{.ImportPath}} {{with .Module}}{{.Path}}{{end}}", ".").Output()
	if err != nil {
		t.Fatal(err)
	}
	var packages []string
	modules := make(map[string]bool)
	for line := range strings.Lines(string(out)) {
		pkg, module, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		packages = append(packages, pkg)
		if module != "" && !strings.HasPrefix(module, "github.com/rouse-go/rouse/") {
			modules[module] = true
		}
		for _, h := range heavy {
			if pkg == h || strings.HasPrefix(pkg, h+"/") {
				t.Errorf("the command imports %s", pkg)
			}
		}
	}
	if n := len(modules); n == 0 || n > mostModules {
		t.Errorf("%d modules to download, want 1 to %d: %v", n, mostModules, modules)
	}
	if n := len(packages); n > mostPackages {
		t.Errorf("%d packages to compile, want at most %d", n, mostPackages)
	}
	if !slices.Contains(packages, "github.com/rouse-go/rouse/pool") {
		t.Errorf("the pool is not among the imports: the list is not that of the command")
	}
}
