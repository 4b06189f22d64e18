package modules

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"strings"

	"golang.org/x/mod/semver"

	"github.com/rouse-go/rouse/lab/elsewhere"
)

// Options say what a release is to be.
type Options struct {
	// Version is such as v0.2.0. Without it the release of the next one is rehearsed: the
	// checkout may have changes and need no git, nothing need stand under the version's own
	// heading, and no test runs: the sources are those of the checkout.
	Version string
	// Tag makes the tags. Without it nothing is made that a later command would find.
	Tag bool
}

// A Release is all released modules at one version.
type Release struct {
	Options
	Tags []string

	ws        *Workspace
	dir       string   // where it may write
	env       []string // of somebody who takes the modules from the proxy
	rehearsal bool
	last      string // the release before it, or ""
}

// A Check is one thing that must hold. Run returns an error that says what does not.
type Check struct {
	Name string
	Run  func(context.Context) error
}

// NewRelease returns the release that the options say. It writes below the folder dir, which is
// its own. Some mistakes it finds at once.
func (ws *Workspace) NewRelease(ctx context.Context, dir string, o Options) (*Release, error) {
	r := &Release{Options: o, ws: ws, dir: dir, rehearsal: o.Version == ""}
	switch major := semver.Major(o.Version); {
	case r.rehearsal && o.Tag:
		return nil, errors.New("--tag needs a version")
	case semver.Canonical(o.Version) != o.Version:
		return nil, fmt.Errorf("%q is not a semantic version such as v0.2.0", o.Version)
	case major > "v1":
		return nil, fmt.Errorf("the modules of %s would have paths that end in /%s, and these do not", o.Version, major)
	}
	// All modules are tagged, or none: the tags of one say which releases there are. The last one is the newest that
	// is older, and no pre-release.
	one := ws.Released[0].Name + "/"
	tags, err := run(ctx, ws.Dir, nil, "git", "tag", "--list", one+"*")
	if err != nil && !r.rehearsal {
		return nil, err
	}
	for _, t := range strings.Fields(tags) {
		v := strings.TrimPrefix(t, one)
		if v == o.Version {
			return nil, fmt.Errorf("%s exists: there is a tag %s", v, t)
		}
		older := r.rehearsal || semver.Compare(v, o.Version) < 0
		if older && semver.Prerelease(v) == "" && semver.Compare(v, r.last) > 0 {
			r.last = v
		}
	}
	if r.rehearsal {
		r.Version = next(r.last)
	}
	for _, m := range ws.Released {
		r.Tags = append(r.Tags, m.Name+"/"+r.Version)
	}
	r.env, err = environment(ctx, ws, dir)
	return r, err
}

// next returns the minor version that follows.
func next(last string) string {
	var major, minor int
	if _, err := fmt.Sscanf(last, "v%d.%d.", &major, &minor); err != nil {
		return "v0.1.0"
	}
	return fmt.Sprintf("v%d.%d.0", major, minor+1)
}

// Checks returns what must hold, in steps: those of one step need that all before them have
// passed. The last one makes what is to stay.
func (r *Release) Checks() [][]Check {
	checkout := []Check{
		{"nothing is uncommitted", r.checkCommitted}, {"changelogs", r.checkChangelogs},
		{"dependencies and licences", r.checkDependencies}, {"modules of the checkout", r.checkModules},
	}
	var zips, alone []Check
	for _, m := range r.ws.Released {
		zips = append(zips, Check{"zip of " + m.Name, func(ctx context.Context) error { return r.pack(ctx, m) }})
		alone = append(alone, Check{m.Name + " alone", func(ctx context.Context) error { return r.checkAlone(ctx, m) }})
	}
	if r.last != "" {
		alone = append(alone, Check{"API since " + r.last, r.checkAPI})
	}
	return [][]Check{checkout, {{"a copy", r.copy}}, zips, alone, {{"tags", r.makeTags}}}
}

func (r *Release) checkCommitted(ctx context.Context) error {
	if r.rehearsal {
		return nil
	}
	changed, err := run(ctx, r.ws.Dir, nil, "git", "status", "--porcelain")
	if err == nil && changed != "" {
		err = fmt.Errorf("commit these first, or take them back:\n%s", changed)
	}
	return err
}

// checkModules checks of every module, also of those without a version, that its imports follow the arrows,
// and that go.mod is tidy without the workspace: so it has a replace line for each sibling.
func (r *Release) checkModules(ctx context.Context) error {
	var wrong []error
	for _, m := range r.ws.Modules {
		wrong = append(wrong, r.ws.checkArrows(m))
		if _, err := run(ctx, m.Dir, []string{"GOWORK=off"}, "go", "mod", "tidy", "-diff"); err != nil {
			wrong = append(wrong, fmt.Errorf("%s: %w", m.Name, err))
		}
	}
	return errors.Join(append(wrong, ctx.Err())...)
}

// checkAlone checks the types of m's packages and tests beside nothing but what the proxy has. A module that
// requires m and nothing else takes it from there, installs its commands as a user does, and in a
// release runs its tests; in a rehearsal the sources are those that CI tests.
func (r *Release) checkAlone(ctx context.Context, m Module) error {
	if err := elsewhere.Types(ctx, r.copyOf(m), r.env, runtime.GOOS+"/"+runtime.GOARCH, "./..."); err != nil {
		return err
	}
	dir := filepath.Join(r.dir, "consumer", m.Name)
	mod := fmt.Sprintf("module example.com/consumer\n\ngo %s\n\nrequire %s %s\n", m.Mod.Go.Version, m.Path, r.Version)
	if err := write(filepath.Join(dir, "go.mod"), []byte(mod)); err != nil {
		return err
	}
	// What is in the cache go install looks into first: there tools would be taken for the module of tools/vet/cmd.
	steps := [][]string{{"mod", "download"}, {"install", m.Path + "/cmd/..."}}
	if !r.rehearsal {
		steps = append(steps, []string{"test", "-short", m.Path + "/..."})
	}
	for _, step := range steps {
		if _, err := run(ctx, dir, r.env, "go", step...); err != nil {
			return err
		}
	}
	return nil
}

// makeTags commits the copy, and makes all tags at that commit, or none.
func (r *Release) makeTags(ctx context.Context) error {
	if !r.Tag {
		return nil
	}
	push := []string{"push", "-q", "--atomic", r.ws.Dir}
	for _, t := range r.Tags {
		push = append(push, "HEAD:refs/tags/"+t)
	}
	for _, args := range [][]string{{"add", "--all"}, {"commit", "-q", "-m", "Release " + r.Version}, push} {
		if _, err := run(ctx, r.root(), nil, "git", args...); err != nil {
			return err
		}
	}
	return nil
}

func (r *Release) root() string { return filepath.Join(r.dir, "copy") }

func (r *Release) copyOf(m Module) string { return filepath.Join(r.root(), filepath.FromSlash(m.Name)) }
