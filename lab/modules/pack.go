package modules

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"
	"golang.org/x/mod/zip"
)

// copy copies what is to be released, where go.mod files may change: for a release as a work tree of what is
// committed, for a rehearsal as it is, without git.
func (r *Release) copy(ctx context.Context) error {
	if !r.rehearsal {
		_, err := r.ws.git(ctx, "worktree", "add", "--quiet", "--detach", r.root(), "HEAD")
		return err
	}
	return filepath.WalkDir(r.ws.Dir, func(path string, d fs.DirEntry, err error) error {
		name, rel := filepath.Rel(r.ws.Dir, path)
		switch {
		case err != nil || rel != nil:
			return errors.Join(err, rel)
		case d.Name() == ".git":
			return fs.SkipDir
		case !d.Type().IsRegular():
			return nil
		}
		text, err := os.ReadFile(path)
		return errors.Join(err, write(filepath.Join(r.root(), name), text))
	})
}

// pack puts a module of the copy into the proxy, those that it requires being there. Its go.mod file then
// requires its siblings at the version, and go.sum has the sums of these. A zip has the licence of the root,
// as the go command would add it.
func (r *Release) pack(ctx context.Context, m Module) error {
	dir := r.copyOf(m)
	file := filepath.Join(dir, "go.mod")
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	mod, err := modfile.Parse(file, text, nil)
	if err != nil {
		return err
	}
	for _, old := range slices.Clone(mod.Replace) {
		if err := mod.DropReplace(old.Old.Path, old.Old.Version); err != nil {
			return err
		}
	}
	for _, require := range mod.Require {
		if strings.HasPrefix(require.Mod.Path, Prefix) {
			if err := mod.AddRequire(require.Mod.Path, r.Version); err != nil {
				return err
			}
		}
	}
	mod.Cleanup()
	if text, err = mod.Format(); err != nil {
		return err
	}
	licence, err := os.ReadFile(filepath.Join(r.ws.Dir, "LICENSE"))
	if err := errors.Join(err, write(file, text), write(filepath.Join(dir, "LICENSE"), licence)); err != nil {
		return err
	}
	if err := r.goCommand(ctx, dir, "mod", "tidy"); err != nil {
		return err
	}
	if text, err = os.ReadFile(file); err != nil {
		return err
	}
	return r.serve(m, r.Version, text, func(out io.Writer, v module.Version) error { return zip.CreateFromDir(out, v, dir) })
}

// serveTag puts a module into the proxy as it was at a version.
func (r *Release) serveTag(ctx context.Context, m Module, version string) error {
	tag := m.Name + "/" + version
	mod, err := r.ws.git(ctx, "show", tag+":"+m.Name+"/go.mod")
	if err != nil {
		return err
	}
	return r.serve(m, version, []byte(mod), func(out io.Writer, v module.Version) error {
		return zip.CreateFromVCS(out, v, r.ws.Dir, tag, m.Name)
	})
}

// serve writes the files that a proxy has of a version, into the folder that serves as one.
func (r *Release) serve(m Module, version string, mod []byte, zip func(io.Writer, module.Version) error) error {
	at := filepath.Join(r.dir, "proxy", filepath.FromSlash(m.Path), "@v", version)
	if err := errors.Join(write(at+".mod", mod), write(at+".info", fmt.Appendf(nil, "{\"Version\":%q}\n", version)),
		write(filepath.Join(filepath.Dir(at), "list"), []byte(version+"\n"))); err != nil {
		return err
	}
	out, err := os.Create(at + ".zip")
	if err != nil {
		return err
	}
	return errors.Join(zip(out, module.Version{Path: m.Path, Version: version}), out.Close())
}

// environment is that of somebody whose only modules of the repository are those of the proxy, with
// an empty cache of modules. All others may also come from the user's cache.
func (r *Release) environment(ctx context.Context) ([]string, error) {
	usual, err := run(ctx, r.ws.Dir, nil, "go", "env", "GOPROXY", "GOMODCACHE")
	if err != nil {
		return nil, err
	}
	proxy, cache, _ := strings.Cut(usual, "\n")
	return []string{"GOWORK=off", "GONOPROXY=none", "GOSUMDB=off", "GOMODCACHE=" + filepath.Join(r.dir, "mod"), "GOBIN=" + filepath.Join(r.dir, "bin"),
		fmt.Sprintf("GOPROXY=%s,%s,%s", fileURL(filepath.Join(r.dir, "proxy")), fileURL(filepath.Join(cache, "cache", "download")), proxy),
		// The user's flags stay: with others all would be built anew.
		"GOFLAGS=" + os.Getenv("GOFLAGS") + " -mod=mod -modcacherw -buildvcs=false"}, nil
}

func fileURL(path string) string { return "file:///" + strings.TrimPrefix(filepath.ToSlash(path), "/") }

// goCommand runs the go command as somebody with the proxy would.
func (r *Release) goCommand(ctx context.Context, dir string, args ...string) error {
	env, err := r.environment(ctx)
	if err == nil {
		_, err = run(ctx, dir, env, "go", args...)
	}
	return err
}
