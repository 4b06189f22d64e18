package modules

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/exp/apidiff"
	"golang.org/x/mod/semver"
	"golang.org/x/tools/go/packages"
)

// mayChange reports whether a version may break what worked with the last one, and whether it may
// have more: both before 1.0 and as a major version, the latter as a minor one.
func mayChange(last, version string) (breaks, adds bool) {
	before1, minor := semver.Major(last) == "v0", semver.MajorMinor(last) != semver.MajorMinor(version)
	return before1 && minor || semver.Major(last) != semver.Major(version), before1 || minor
}

// checkAPI compares what the modules export with what they did in the last release.
func (r *Release) checkAPI(ctx context.Context) error {
	breaks, adds := mayChange(r.last, r.Version)
	if breaks && adds {
		return nil
	}
	past := filepath.Join(r.dir, "last")
	if err := r.clone(ctx, past, r.ws.Released[0].Name+"/"+r.last); err != nil {
		return err
	}
	was, err := exported(ctx, past)
	if err != nil {
		return err
	}
	is, err := exported(ctx, r.root())
	if err != nil {
		return err
	}
	said := ""
	for _, c := range apidiff.ModuleChanges(was, is).Changes {
		if c.Compatible && !adds || !c.Compatible && !breaks {
			said += "\n" + c.Message
		}
	}
	if said != "" {
		return fmt.Errorf("%s may not change since %s:%s", r.Version, r.last, said)
	}
	return nil
}

// exported returns the packages with a promise of the modules below a folder, as if they were one module.
func exported(ctx context.Context, dir string) (*apidiff.Module, error) {
	all, err := packages.Load(&packages.Config{
		Context: ctx, Dir: dir, Env: append(os.Environ(), "GOWORK="+filepath.Join(dir, "go.work")),
		Mode: packages.NeedName | packages.NeedModule | packages.NeedFiles | packages.NeedImports | packages.NeedDeps | packages.NeedTypes,
	}, "work")
	if err != nil {
		return nil, err
	}
	found := &apidiff.Module{Path: strings.TrimSuffix(Prefix, "/")}
	for _, p := range all {
		if len(p.Errors) > 0 {
			return nil, fmt.Errorf("%s: %w", p.PkgPath, p.Errors[0])
		}
		own := p.Name == "main" || arrows[strings.TrimPrefix(p.Module.Path, Prefix)].own
		if !own && !strings.Contains(p.PkgPath+"/", "/internal/") {
			found.Packages = append(found.Packages, p.Types)
		}
	}
	return found, nil
}
