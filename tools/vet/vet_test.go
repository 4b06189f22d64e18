package vet_test

import (
	"path/filepath"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/rouse-go/rouse/tools/vet"
)

// Each // want in the bad programs is reported, with these words, and nothing else
// is. A failure means that a user is not warned, or is told the wrong thing.
func TestBad(t *testing.T) {
	analyze(t, vet.Analyzer, "bad")
	analyze(t, vet.Trees, "trees")
}

// The good programs have no // want. A failure means that a user is warned of code
// that is correct.
func TestGood(t *testing.T) {
	analyze(t, vet.Analyzer, "good")
	analyze(t, vet.Trees, "flat")
}

// A failure means that a fix that is offered does not mend the program.
func TestFixes(t *testing.T) {
	alone(t)
	if results := analysistest.RunWithSuggestedFixes(t, programs(t), vet.Analyzer, "./fixed"); len(results) == 0 {
		t.Error("Analyzer: no fix was checked")
	}
}

// analyze checks a program that is compiled with the pool and the loops of this
// repository, so that it follows changes there.
func analyze(t *testing.T, a *analysis.Analyzer, program string) {
	alone(t)
	results := analysistest.Run(t, programs(t), a, "./"+program)
	if len(results) == 0 {
		t.Errorf("Analyzer: nothing was checked in the %s program", program)
	}
}

// programs returns the directory of the module that the programs are in.
func programs(t *testing.T) string {
	dir, err := filepath.Abs("testdata")
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// alone keeps the go command from the workspace, which the programs are not in.
func alone(t *testing.T) { t.Setenv("GOWORK", "off") }
