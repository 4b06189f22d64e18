package modules

import (
	"bytes"
	"context"
	"fmt"
	"go/types"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/exp/apidiff"
	"golang.org/x/mod/semver"
	"golang.org/x/tools/go/packages"
)

// mayChange reports whether a version may break what worked with the last one, and whether it may
// have more: both before 1.0 and as a major version, the latter as a minor one.
func mayChange(last, version string) (breaks, adds bool) {
	switch {
	case semver.MajorMinor(last) == semver.MajorMinor(version):
		return false, semver.Major(version) == "v0"
	case semver.Major(last) == semver.Major(version):
		return semver.Major(version) == "v0", true
	}
	return true, true
}

// checkAPI compares what the modules export with what they did in the last release.
func (r *Release) checkAPI(ctx context.Context) error {
	breaks, adds := mayChange(r.last, r.Version)
	if breaks && adds {
		return nil
	}
	for _, m := range r.past {
		if err := r.serveTag(ctx, m, r.last); err != nil {
			return err
		}
	}
	was, err := r.exported(ctx, r.last, r.past)
	if err != nil {
		return err
	}
	is, err := r.exported(ctx, r.Version, r.ws.Released)
	if err != nil {
		return err
	}
	var said bytes.Buffer
	for _, path := range slices.Sorted(maps.Keys(was)) {
		old, now := was[path], is[path]
		if now == nil {
			if !breaks {
				fmt.Fprintf(&said, "\n%s is gone", path)
			}
			continue
		}
		for _, c := range apidiff.Changes(old, now).Changes {
			if c.Compatible && !adds || !c.Compatible && !breaks {
				fmt.Fprintf(&said, "\n%s: %s", path, c.Message)
			}
		}
	}
	for _, path := range slices.Sorted(maps.Keys(is)) {
		if was[path] == nil && !adds {
			fmt.Fprintf(&said, "\n%s is new", path)
		}
	}
	if said.Len() > 0 {
		return fmt.Errorf("%s may not change since %s:%s", r.Version, r.last, &said)
	}
	return nil
}

// exported returns the packages with a promise, by path, of the modules at a version.
func (r *Release) exported(ctx context.Context, version string, modules []Module) (map[string]*types.Package, error) {
	dir := filepath.Join(r.dir, "api", version)
	mod := "module example.com/consumer\n"
	var patterns []string
	for _, m := range modules {
		mod += fmt.Sprintf("\nrequire %s %s\n", m.Path, version)
		if !arrows[m.Name].own {
			patterns = append(patterns, m.Path+"/...")
		}
	}
	if err := write(filepath.Join(dir, "go.mod"), []byte(mod)); err != nil {
		return nil, err
	}
	env, err := r.environment(ctx)
	if err != nil {
		return nil, err
	}
	const needs = packages.NeedName | packages.NeedFiles | packages.NeedImports | packages.NeedDeps | packages.NeedTypes
	all, err := packages.Load(&packages.Config{Context: ctx, Dir: dir, Env: append(os.Environ(), env...), Mode: needs}, patterns...)
	if err != nil {
		return nil, err
	}
	found := map[string]*types.Package{}
	for _, p := range all {
		if len(p.Errors) > 0 {
			return nil, fmt.Errorf("%s of %s: %w", p.PkgPath, version, p.Errors[0])
		}
		if p.Name != "main" && !slices.Contains(strings.Split(p.PkgPath, "/"), "internal") {
			found[p.PkgPath] = p.Types
		}
	}
	return found, nil
}
