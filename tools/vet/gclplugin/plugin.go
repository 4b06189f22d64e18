// Package gclplugin makes the analyzers of [github.com/rouse-go/rouse/tools/vet] a linter of
// golangci-lint, called rouse, by its module plugin system. The README of vet says how to use it.
//
// It is not a module of its own: it adds to that of vet only the package that registers it, which
// requires nothing that vet does not.
package gclplugin

import (
	"github.com/golangci/plugin-module-register/register"
	"golang.org/x/tools/go/analysis"

	"github.com/rouse-go/rouse/tools/vet"
)

func init() { register.Plugin("rouse", build) }

// build makes the linter. There are no settings, so any that the user writes are a mistake.
func build(settings any) (register.LinterPlugin, error) {
	_, err := register.DecodeSettings[struct{}](settings)
	return linter{}, err
}

type linter struct{}

func (linter) BuildAnalyzers() ([]*analysis.Analyzer, error) {
	return []*analysis.Analyzer{vet.Analyzer, vet.Trees, vet.Elements}, nil
}

// GetLoadMode asks for types: without them the analyzers know no worker.
func (linter) GetLoadMode() string { return register.LoadModeTypesInfo }
