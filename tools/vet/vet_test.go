package vet_test

import (
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/rouse-go/rouse/tools/vet"
)

// all is the analyzers as one, so that the programs are loaded once: that takes a second.
var all = &analysis.Analyzer{
	Name:     "all",
	Doc:      "run all analyzers",
	Requires: vet.Analyzer.Requires,
	Run: func(pass *analysis.Pass) (any, error) {
		for _, a := range []*analysis.Analyzer{vet.Analyzer, vet.Trees, vet.Elements} {
			if _, err := a.Run(pass); err != nil {
				return nil, err
			}
		}
		return nil, nil
	},
}

// Each // want in the programs is reported in these words, and nothing else is. A failure means that a user is
// not warned, is told the wrong thing, or is warned of correct code.
func TestPrograms(t *testing.T) {
	// The programs are compiled with the pool and par of this repository, so they follow changes.
	if n := len(run(t, analysistest.Run, all, "./workers", "./trees", "./elements")); n != 3 {
		t.Errorf("Analyzer: %d of 3 programs were checked", n)
	}
}

// A failure means that a fix that is offered does not mend the program.
func TestFixes(t *testing.T) {
	run(t, analysistest.RunWithSuggestedFixes, vet.Analyzer, "./fixed")
}

// run checks programs of the module that they are in.
func run(t *testing.T, check func(analysistest.Testing, string, *analysis.Analyzer, ...string) []*analysistest.Result, a *analysis.Analyzer, programs ...string) []*analysistest.Result {
	t.Setenv("GOWORK", "off") // they are not in the workspace
	if _, err := os.Stat("testdata"); err != nil {
		t.Skip("the programs are a module of their own, which only a checkout has")
	}
	dir, err := filepath.Abs("testdata")
	if err != nil {
		t.Fatalf("Analyzer: no programs: %v", err)
	}
	return check(t, dir, a, programs...)
}
