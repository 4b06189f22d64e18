package modules

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"golang.org/x/mod/module"
	"golang.org/x/mod/zip"
)

// version is the one under which the modules require each other.
const version = "v0.1.0"

// A market is where consumers get the modules of the tree, as if every one had been published.
// What one of them has fetched and compiled is there for the next, as on anybody's machine; what
// is in a module graph does not depend on that.
type market struct {
	golang string // the go directive
	dir    string
	proxy  func() (string, error)
}

func newMarket(ws *Workspace, dir string) market {
	return market{ws.Go, dir, sync.OnceValues(func() (string, error) { return ws.publish(filepath.Join(dir, "proxy")) })}
}

// checkConsumer makes a module outside the tree that requires nothing but m,
// and returns an error if a program that imports it does not build and run, or its module
// graph holds more than the arrows lead to.
func (k market) checkConsumer(ctx context.Context, m Module) error {
	proxy, err := k.proxy()
	if err != nil {
		return err
	}
	allowed := reach(m.Name)
	if slices.ContainsFunc(allowed, func(path string) bool { return !strings.HasPrefix(path, Prefix) }) {
		if proxy, err = withOthers(ctx, proxy); err != nil {
			return err
		}
	}

	dir := filepath.Join(k.dir, "consumer", filepath.FromSlash(m.Name))
	if err := writeFiles(dir, map[string]string{
		"go.mod":  fmt.Sprintf("module example.com/consumer\n\ngo %s\n\nrequire %s %s\n", k.golang, m.Path, version),
		"main.go": fmt.Sprintf("package main\n\nimport _ %q\n\nfunc main() {}\n", m.Path),
	}); err != nil {
		return err
	}
	env := []string{
		"GOWORK=off", flags("-mod=mod -modcacherw"), "GOPROXY=" + proxy, "GOMODCACHE=" + filepath.Join(k.dir, "cache"),
		// The modules are not public, so the checksum database cannot know them.
		"GOSUMDB=off", "GOPRIVATE=", "GONOPROXY=none", "GONOSUMDB=",
	}
	if _, err := run(ctx, dir, env, "run", "."); err != nil {
		return err
	}
	graph, err := run(ctx, dir, env, "list", "-m", "-f", "{{if not .Main}}{{.Path}}{{end}}", "all")
	if err != nil {
		return err
	}
	for _, path := range strings.Fields(graph) {
		if !slices.Contains(allowed, path) {
			return fmt.Errorf("the consumer's module graph holds %s; only these may be in it: %s", path, strings.Join(allowed, ", "))
		}
	}
	return nil
}

// publish lays all modules of the tree out in dir as a module proxy serves
// them, and returns its URL.
func (ws *Workspace) publish(dir string) (string, error) {
	for _, m := range ws.Modules {
		escaped, err := module.EscapePath(m.Path)
		if err != nil {
			return "", err
		}
		at := filepath.Join(dir, filepath.FromSlash(escaped), "@v")
		mod, err := os.ReadFile(filepath.Join(m.Dir, "go.mod"))
		if err != nil {
			return "", err
		}
		if err := writeFiles(at, map[string]string{
			"list":            version + "\n",
			version + ".info": fmt.Sprintf("{%q: %q}\n", "Version", version),
			version + ".mod":  string(mod),
		}); err != nil {
			return "", err
		}
		f, err := os.Create(filepath.Join(at, version+".zip"))
		if err != nil {
			return "", err
		}
		err = zip.CreateFromDir(f, module.Version{Path: m.Path, Version: version}, m.Dir)
		if err := errors.Join(err, f.Close()); err != nil {
			return "", err
		}
	}
	return fileURL(dir), nil
}

// withOthers adds to a proxy those that have modules from elsewhere: the local
// cache, so that nothing is fetched twice, then what is configured.
func withOthers(ctx context.Context, proxy string) (string, error) {
	out, err := run(ctx, "", nil, "env", "GOMODCACHE", "GOPROXY")
	if err != nil {
		return "", err
	}
	cache, configured, _ := strings.Cut(out, "\n")
	return strings.Join([]string{proxy, fileURL(filepath.Join(cache, "cache", "download")), configured}, ","), nil
}

func fileURL(path string) string {
	path = filepath.ToSlash(path)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path // a drive letter
	}
	return (&url.URL{Scheme: "file", Path: path}).String()
}

func writeFiles(dir string, files map[string]string) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o666); err != nil {
			return err
		}
	}
	return nil
}
