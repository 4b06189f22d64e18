package gclplugin

import (
	"testing"

	"github.com/golangci/plugin-module-register/register"
)

// Golangci-lint finds the linter by its name, with types and all analyzers, and a setting that it would
// ignore is an error. That the linter itself reports and suppresses, .ci/release tries.
func TestRegistered(t *testing.T) {
	build, err := register.GetPlugin("rouse")
	if err != nil {
		t.Fatalf("In golangci-lint: %v", err)
	}
	linter, err := build(nil)
	if err != nil {
		t.Fatalf("In golangci-lint: without settings: %v", err)
	}
	analyzers, err := linter.BuildAnalyzers()
	if err != nil || len(analyzers) != 3 || linter.GetLoadMode() != register.LoadModeTypesInfo {
		t.Errorf("In golangci-lint: %d analyzers, error %v, load mode %s; want 3 with types", len(analyzers), err, linter.GetLoadMode())
	}
	if _, err := build(map[string]any{"rousetree": false}); err == nil {
		t.Error("In golangci-lint: a setting that does not exist is accepted")
	}
}
