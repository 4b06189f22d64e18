package modules

import (
	"bytes"
	"context"
	"debug/buildinfo"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// checkAlone makes a module that requires nothing but m, and takes that from the proxy. It returns
// an error if the consumer's module graph holds more than the arrows lead to, a program that
// imports m does not run, or m's own packages, tests and commands are not as they should be there.
func (r *Release) checkAlone(ctx context.Context, m Module) error {
	dir := filepath.Join(r.dir, "consumer", filepath.FromSlash(m.Name))
	mod := fmt.Sprintf("module example.com/consumer\n\ngo %s\n\nrequire %s %s\n", m.Mod.Go.Version, r.path(m.Name), r.Version)
	sums, err := os.ReadFile(filepath.Join(r.copy(m, r.Version), "go.sum"))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	if err := errors.Join(write(filepath.Join(dir, "go.mod"), []byte(mod)), write(filepath.Join(dir, "go.sum"), sums)); err != nil {
		return err
	}
	if !arrows[m.Name].free {
		if err := r.checkGraph(ctx, m, dir); err != nil {
			return err
		}
	}
	all := r.path(m.Name) + "/..."
	examples, commands, err := r.parts(m, dir)
	if err != nil {
		return err
	}
	steps := [][]string{{"vet", all}, {"build", all}}
	if !r.rehearsal {
		steps = append(steps, []string{"test", "-short", all})
	} else if examples {
		// The other tests run in the workspace: the sources are the same.
		steps = append(steps, []string{"test", "-vet=off", "-run=^Example", "./..."})
	}
	for _, c := range commands {
		steps = append(steps, []string{"install", c + "@" + r.Version})
	}
	for _, step := range steps {
		if _, err := r.goCommand(ctx, dir, step...); err != nil {
			return err
		}
	}
	for _, c := range commands {
		info, err := buildinfo.ReadFile(filepath.Join(r.dir, "bin", path.Base(c)))
		if err != nil {
			return err
		}
		if info.Main.Version != r.Version {
			return fmt.Errorf("%s says that it is of %s", path.Base(c), info.Main.Version)
		}
	}
	return nil
}

// checkGraph runs a program that imports m, as the consumer in dir.
func (r *Release) checkGraph(ctx context.Context, m Module, dir string) error {
	program := fmt.Sprintf("package main\n\nimport _ %q\n\nfunc main() {}\n", r.path(m.Name))
	if err := write(filepath.Join(dir, "main.go"), []byte(program)); err != nil {
		return err
	}
	if _, err := r.goCommand(ctx, dir, "run", "."); err != nil {
		return err
	}
	graph, err := r.goCommand(ctx, dir, "list", "-m", "-f", "{{if not .Main}}{{.Path}}{{end}}", "all")
	if err != nil {
		return err
	}
	var allowed []string
	for _, path := range reach(m.Name) {
		if name, ok := strings.CutPrefix(path, Prefix); ok {
			path = r.path(name)
		}
		allowed = append(allowed, path)
	}
	for _, path := range strings.Fields(graph) {
		if !slices.Contains(allowed, path) {
			return fmt.Errorf("the consumer's module graph holds %s; only these may be in it: %s", path, strings.Join(allowed, ", "))
		}
	}
	return nil
}

// requireAll returns the go.mod file of a module that requires others at a version.
func (r *Release) requireAll(version string, modules []Module) []byte {
	mod := "module example.com/consumer\n\ngo " + r.ws.Go + "\n"
	for _, m := range modules {
		mod += fmt.Sprintf("\nrequire %s %s\n", r.path(m.Name), version)
	}
	return []byte(mod)
}

// parts copies the files of a module that are called example… to a consumer, where they are as strangers
// write them, and need none of the other tests to be compiled. It reports whether there are any, and
// returns the commands that the module has for users: those below a folder cmd.
func (r *Release) parts(m Module, consumer string) (examples bool, commands []string, err error) {
	root := r.copy(m, r.Version)
	err = goFiles(root, func(file string) error {
		name, err := filepath.Rel(root, file)
		if err != nil {
			return err
		}
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		folder := filepath.ToSlash(filepath.Dir(name))
		switch test := strings.HasSuffix(name, "_test.go"); {
		case test && strings.HasPrefix(filepath.Base(name), "example"):
			examples = true
			return write(filepath.Join(consumer, "examples", name), text)
		case !test && strings.HasPrefix(folder, "cmd/") && bytes.Contains(text, []byte("\nfunc main()")):
			commands = append(commands, path.Join(r.path(m.Name), folder))
		}
		return nil
	})
	return examples, commands, err
}

// checkRest returns an error if a module that has no version cannot do without the workspace.
func checkRest(ctx context.Context, m Module) error {
	for _, c := range [][]string{{"mod", "tidy", "-diff"}, {"build", "./..."}, {"vet", "./..."}} {
		if _, err := run(ctx, m.Dir, unreleased, "go", c...); err != nil {
			return err
		}
	}
	return nil
}
