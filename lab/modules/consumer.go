package modules

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/zip"
)

// version is the one under which the modules require each other.
const version = "v0.1.0"

// checkConsumer makes a module below dir that requires nothing but m, and finds that one and
// all others of the tree as if they had been published under their version. It returns an error if
// m cannot be published, a program that imports it does not build and run, or the consumer's module
// graph holds more than the arrows lead to.
func (ws *Workspace) checkConsumer(ctx context.Context, dir string, m Module) error {
	if _, err := zip.CheckDir(m.Dir); err != nil {
		return err
	}
	dir = filepath.Join(dir, "consumer", filepath.FromSlash(m.Name))
	mod := fmt.Sprintf("module example.com/consumer\n\ngo %s\n\nrequire %s %s\n", ws.Go, m.Path, version)
	for _, other := range ws.Modules {
		mod += fmt.Sprintf("\nreplace %s %s => %q\n", other.Path, version, filepath.ToSlash(other.Dir))
	}
	program := fmt.Sprintf("package main\n\nimport _ %q\n\nfunc main() {}\n", m.Path)
	if err := errors.Join(os.MkdirAll(dir, 0o777), os.WriteFile(filepath.Join(dir, "go.mod"), []byte(mod), 0o666),
		os.WriteFile(filepath.Join(dir, "main.go"), []byte(program), 0o666)); err != nil {
		return err
	}
	env := []string{"GOWORK=off", flags("-mod=mod"), "GOSUMDB=off"}
	if _, err := run(ctx, dir, env, "run", "."); err != nil {
		return err
	}
	graph, err := run(ctx, dir, env, "list", "-m", "-f", "{{if not .Main}}{{.Path}}{{end}}", "all")
	if err != nil {
		return err
	}
	allowed := reach(m.Name)
	for _, path := range strings.Fields(graph) {
		if !slices.Contains(allowed, path) {
			return fmt.Errorf("the consumer's module graph holds %s; only these may be in it: %s", path, strings.Join(allowed, ", "))
		}
	}
	return nil
}
