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
	Version string
	Tags    []string

	ws        *Workspace
	dir       string // where it may write
	rehearsal bool
	tag       bool
	last      string   // the release before it, or ""
	past      []Module // those that had the last version
}

// A Check is one thing that must hold. Run returns an error that says what does not.
type Check struct {
	Name string
	Run  func(context.Context) error
}

// NewRelease returns the release that the options say. It writes below the folder dir, which is
// its own. Some mistakes it finds at once.
func (ws *Workspace) NewRelease(ctx context.Context, dir string, o Options) (*Release, error) {
	r := &Release{Version: o.Version, ws: ws, dir: dir, rehearsal: o.Version == "", tag: o.Tag}
	tags, err := ws.git(ctx, "tag", "--list")
	if err != nil && !r.rehearsal {
		return nil, err
	}
	// The last release is the newest that is older, and no pre-release.
	tagged := map[string]bool{}
	for _, t := range strings.Fields(tags) {
		tagged[t] = true
		v := t[strings.LastIndexByte(t, '/')+1:]
		older := r.rehearsal || semver.Compare(v, r.Version) < 0
		if semver.IsValid(v) && older && semver.Prerelease(v) == "" && semver.Compare(v, r.last) > 0 {
			r.last = v
		}
	}
	if r.rehearsal {
		r.Version = next(r.last)
	}
	for _, m := range ws.Released {
		if tagged[m.Name+"/"+r.last] {
			r.past = append(r.past, m)
		}
		r.Tags = append(r.Tags, m.Name+"/"+r.Version)
	}
	switch major := semver.Major(r.Version); {
	case semver.Canonical(r.Version) != r.Version:
		return nil, fmt.Errorf("%q is not a semantic version such as v0.2.0", r.Version)
	case major != "v0" && major != "v1":
		return nil, fmt.Errorf("the modules of %s would have paths that end in /%s, and these do not", r.Version, major)
	case r.tag && r.rehearsal:
		return nil, errors.New("--tag needs a version")
	}
	for _, t := range r.Tags {
		if tagged[t] {
			return nil, fmt.Errorf("%s exists: there is a tag %s", r.Version, t)
		}
	}
	return r, nil
}

// next returns the minor version that follows.
func next(last string) string {
	var major, minor int
	if _, err := fmt.Sscanf(last, "v%d.%d.", &major, &minor); err != nil {
		return "v0.1.0"
	}
	return fmt.Sprintf("v%d.%d.0", major, minor+1)
}

func (ws *Workspace) git(ctx context.Context, args ...string) (string, error) {
	return run(ctx, ws.Dir, nil, "git", args...)
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
	changed, err := r.ws.git(ctx, "status", "--porcelain")
	if err == nil && changed != "" {
		err = fmt.Errorf("the checkout has changes:\n%s", changed)
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
	env, err := r.environment(ctx)
	if err != nil {
		return err
	}
	if err := elsewhere.Types(ctx, r.copyOf(m), env, runtime.GOOS+"/"+runtime.GOARCH, "./..."); err != nil {
		return err
	}
	dir := filepath.Join(r.dir, "consumer", filepath.FromSlash(m.Name))
	mod := fmt.Sprintf("module example.com/consumer\n\ngo %s\n\nrequire %s %s\n", m.Mod.Go.Version, m.Path, r.Version)
	if err := write(filepath.Join(dir, "go.mod"), []byte(mod)); err != nil {
		return err
	}
	// What is in the cache go install looks into first: there tools would be taken for the module of tools/vet/cmd.
	steps := [][]string{{"mod", "download", m.Path + "@" + r.Version}}
	if !r.rehearsal {
		steps = append(steps, []string{"test", "-short", m.Path + "/..."})
	}
	commands, err := filepath.Glob(filepath.Join(r.copyOf(m), "cmd", "*"))
	if err != nil {
		return err
	}
	for _, c := range commands {
		steps = append(steps, []string{"install", m.Path + "/cmd/" + filepath.Base(c) + "@" + r.Version})
	}
	for _, step := range steps {
		if err := r.goCommand(ctx, dir, step...); err != nil {
			return err
		}
	}
	return nil
}

// makeTags commits the copy, and makes all tags at that commit, or none.
func (r *Release) makeTags(ctx context.Context) error {
	if !r.tag {
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

// Close takes away what the repository knows of the copy. The folder of the release is its caller's.
func (r *Release) Close() error {
	if r.rehearsal || !fileExists(r.root()) {
		return nil
	}
	_, err := r.ws.git(context.Background(), "worktree", "remove", "--force", r.root())
	return err
}

func (r *Release) root() string { return filepath.Join(r.dir, "copy") }

func (r *Release) copyOf(m Module) string { return filepath.Join(r.root(), filepath.FromSlash(m.Name)) }
