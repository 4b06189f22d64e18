package modules

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/mod/module"
	"golang.org/x/mod/semver"
	"golang.org/x/mod/sumdb/dirhash"
)

// Options say what a release is to be.
type Options struct {
	// Version is such as v0.2.0. Without it the release of the next one is rehearsed: the
	// checkout may have changes, nothing need stand under the version's own heading, and of the
	// tests only examples run.
	Version string
	// Prefix is what the paths of the modules are to begin with, in place of [Prefix].
	Prefix string
	// Out is a folder that gets the proxy and the notes, and does not exist.
	Out string
	// Tag makes the tags. Without it nothing is made that a later command would find.
	Tag bool
}

// A Release is all released modules at one version.
type Release struct {
	Options
	Notes string // what the changelogs say
	Tags  []string
	// Commit is what the tags are to be at: HEAD with other go.mod and go.sum files. It is empty
	// if the checkout cannot be tagged.
	Commit string

	ws        *Workspace
	dir       string // where it may write
	rehearsal bool
	last      string // the release before it, or ""
	modules   []Module
	rest      []Module // of the workspace, without a version
	past      []Module // those that had the last version
	proxies   string   // GOPROXY
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
	var err error
	if r.modules, r.rest, err = ws.Released(); err != nil {
		return nil, err
	}
	versions, err := ws.versions(ctx, r.modules)
	if err != nil && !r.rehearsal {
		return nil, err
	}
	if r.rehearsal {
		r.Version = next(before(versions, ""))
	}
	r.last = before(versions, r.Version)
	for _, m := range r.modules {
		if has(versions[r.last], m) {
			r.past = append(r.past, m)
		}
		r.Tags = append(r.Tags, tag(m, r.Version))
	}
	switch major := semver.Major(r.Version); {
	case semver.Canonical(r.Version) != r.Version:
		return nil, fmt.Errorf("%q is not a semantic version such as v0.2.0", r.Version)
	case major != "v0" && major != "v1":
		return nil, fmt.Errorf("the modules of %s would have paths that end in /%s, and these do not", r.Version, major)
	case len(versions[r.Version]) > 0:
		return nil, fmt.Errorf("%s exists: there is a tag %s", r.Version, tag(versions[r.Version][0], r.Version))
	case r.Tag && r.rehearsal:
		return nil, errors.New("--tag needs a version")
	case r.Tag && r.other():
		return nil, fmt.Errorf("--tag cannot be with --prefix: the repository has modules of %s", strings.TrimSuffix(Prefix, "/"))
	}
	if err := module.CheckPath(r.path("api")); err != nil {
		return nil, fmt.Errorf("--prefix: %w", err)
	}
	if _, err := os.Lstat(r.Out); r.Out != "" && err == nil {
		return nil, fmt.Errorf("--out: %s exists", r.Out)
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

// other reports whether the modules get other paths than they have.
func (r *Release) other() bool { return r.Prefix+"/" != Prefix }

// path returns what the module of a name is called in the release.
func (r *Release) path(name string) string { return r.Prefix + "/" + name }

// Checks returns what must hold, in steps: those of one step need that all before them have
// passed. The last one makes what is to stay.
func (r *Release) Checks() [][]Check {
	steps := [][]Check{r.checkout(), nil, nil, nil, {{"what is to stay", r.finish}}}
	for _, m := range r.modules {
		steps[1] = append(steps[1], Check{"zip of " + m.Name, func(ctx context.Context) error { return r.pack(ctx, m) }})
	}
	steps[2] = append(steps[2], Check{"licences", r.checkLicences})
	if breaks, adds := mayChange(r.last, r.Version); r.last != "" && !(breaks && adds) {
		steps[2] = append(steps[2], Check{"API since " + r.last, r.checkAPI})
	}
	for _, m := range r.modules {
		steps[3] = append(steps[3], Check{m.Name + " alone", func(ctx context.Context) error { return r.checkAlone(ctx, m) }})
	}
	for _, m := range r.rest {
		steps[3] = append(steps[3], Check{m.Name + " without the workspace", func(ctx context.Context) error { return checkRest(ctx, m) }})
	}
	return steps
}

// checkout returns what can be seen from the text of the checkout.
func (r *Release) checkout() []Check {
	all := []Check{{"changelogs", func(context.Context) error {
		pages, err := r.ws.changelogs(r.modules)
		if err != nil {
			return err
		}
		r.Notes = notes(pages, r.Version)
		return checkChangelogs(pages, r.Version, r.rehearsal)
	}}}
	if !r.rehearsal {
		all = append(all, Check{"nothing is uncommitted", func(ctx context.Context) error {
			changed, err := r.ws.git(ctx, "status", "--porcelain")
			if err == nil && changed != "" {
				err = fmt.Errorf("the checkout has changes:\n%s", changed)
			}
			return err
		}})
	}
	for _, m := range r.ws.Modules {
		all = append(all, Check{"arrows " + m.Name, func(context.Context) error {
			return errors.Join(r.ws.checkArrows(m), r.ws.checkReplaced(m))
		}})
	}
	all = append(all, Check{"arrows outside the workspace", func(context.Context) error { return r.ws.checkOutside() }})
	return append(all, Check{"tables of " + support, func(context.Context) error {
		p, err := readPage(r.ws.Dir, support)
		if err != nil {
			return err
		}
		return errors.Join(r.ws.checkUnsafe(p, r.modules), checkDependencies(p, r.modules), r.ws.checkPlatforms(p, r.modules))
	}})
}

// finish makes a commit of what was tested, where that can be, and what the options ask for.
func (r *Release) finish(ctx context.Context) error {
	if !r.rehearsal && !r.other() {
		files := map[string]string{}
		for _, m := range r.modules {
			for _, name := range []string{"go.mod", "go.sum"} {
				path := filepath.Join(r.copy(m, r.Version), name)
				if _, err := os.Stat(path); err == nil {
					files[m.Name+"/"+name] = path
				}
			}
		}
		commit, err := r.ws.commit(ctx, filepath.Join(r.dir, "index"), "Release "+r.Version, files)
		if err != nil {
			return err
		}
		for _, m := range r.modules {
			if err := r.checkCommit(ctx, m, commit); err != nil {
				return err
			}
		}
		r.Commit = commit
	}
	if r.Out != "" {
		// Beside it, so that all of it appears at once.
		part, err := os.MkdirTemp(filepath.Dir(r.Out), ".release-")
		if err != nil {
			return err
		}
		defer os.RemoveAll(part)
		if err := errors.Join(os.Chmod(part, 0o755), write(filepath.Join(part, "notes.md"), []byte(r.Notes)),
			os.CopyFS(filepath.Join(part, "proxy"), os.DirFS(r.proxy())), os.Rename(part, r.Out)); err != nil {
			return err
		}
	}
	if r.Tag {
		return r.ws.setTags(ctx, r.Tags, r.Commit)
	}
	return nil
}

// checkCommit returns an error unless the commit has the very module that was tested.
func (r *Release) checkCommit(ctx context.Context, m Module, commit string) error {
	dir := filepath.Join(r.dir, "commit", filepath.FromSlash(m.Name))
	if err := r.ws.checkout(ctx, commit, m.Name, dir); err != nil {
		return err
	}
	file := dir + ".zip"
	if err := r.zip(m, r.Version, dir, file); err != nil {
		return err
	}
	tested, err := dirhash.HashZip(r.served(m, r.Version)+".zip", dirhash.Hash1)
	if err != nil {
		return err
	}
	committed, err := dirhash.HashZip(file, dirhash.Hash1)
	if err == nil && committed != tested {
		err = fmt.Errorf("%s of the commit is %s, and what was tested %s: are there files that git ignores?", m.Name, committed, tested)
	}
	return err
}
