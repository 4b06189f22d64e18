package modules

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"
	"golang.org/x/mod/zip"
)

// copy copies what is to be released, where go.mod files may change: for a release what is committed, for a
// rehearsal what there is, without git.
func (r *Release) copy(ctx context.Context) error {
	if !r.rehearsal {
		return r.clone(ctx, r.root(), "HEAD")
	}
	return os.CopyFS(r.root(), os.DirFS(r.ws.Dir))
}

// clone makes a clone of the repository in a folder, as it was at a commit. It commits as the repository does.
func (r *Release) clone(ctx context.Context, dir, commit string) error {
	as := "include.path=" + filepath.Join(r.ws.Dir, ".git", "config")
	_, err := run(ctx, r.ws.Dir, nil, "git", "clone", "--quiet", "--shared", "--config", as, ".", dir)
	if err == nil {
		_, err = run(ctx, dir, nil, "git", "checkout", "--quiet", "--detach", commit)
	}
	return err
}

// pack puts a module of the copy into a folder that serves as a proxy, those that it requires being there. Its
// go.mod file then requires its siblings at the version, and go.sum has the sums of these. A zip has the licence
// of the root, as the go command would add it.
func (r *Release) pack(ctx context.Context, m Module) error {
	dir := r.copyOf(m)
	file := filepath.Join(dir, "go.mod")
	mod, err := read(file, modfile.Parse)
	if err != nil {
		return err
	}
	for _, require := range mod.Require {
		if strings.HasPrefix(require.Mod.Path, Prefix) {
			err = errors.Join(err, mod.AddRequire(require.Mod.Path, r.Version))
		}
	}
	for _, old := range slices.Clone(mod.Replace) {
		err = errors.Join(err, mod.DropReplace(old.Old.Path, old.Old.Version))
	}
	mod.Cleanup()
	text, err2 := mod.Format()
	licence, err3 := os.ReadFile(filepath.Join(r.ws.Dir, "LICENSE"))
	if err := errors.Join(err, err2, err3, write(file, text), write(filepath.Join(dir, "LICENSE"), licence)); err != nil {
		return err
	}
	if _, err := run(ctx, dir, r.env, "go", "mod", "tidy"); err != nil {
		return err
	}
	var zipped bytes.Buffer
	if err := zip.CreateFromDir(&zipped, module.Version{Path: m.Path, Version: r.Version}, dir); err != nil {
		return err
	}
	text, err = os.ReadFile(file)
	at := filepath.Join(r.dir, "proxy", m.Path, "@v")
	for name, text := range map[string][]byte{
		"list": []byte(r.Version), r.Version + ".info": fmt.Appendf(nil, "{\"Version\":%q}", r.Version),
		r.Version + ".mod": text, r.Version + ".zip": zipped.Bytes(),
	} {
		err = errors.Join(err, write(filepath.Join(at, name), text))
	}
	return err
}

// environment is that of somebody whose only modules of the repository are those of the proxy below dir, with
// an empty cache of modules. All others may also come from the user's cache.
func environment(ctx context.Context, ws *Workspace, dir string) ([]string, error) {
	usual, err := run(ctx, ws.Dir, nil, "go", "env", "GOPROXY", "GOMODCACHE")
	proxy, cache, _ := strings.Cut(usual, "\n")
	url := func(path ...string) string {
		return "file:///" + strings.TrimPrefix(filepath.ToSlash(filepath.Join(path...)), "/")
	}
	return []string{"GOWORK=off", "GONOPROXY=none", "GOSUMDB=off", "GOMODCACHE=" + filepath.Join(dir, "mod"), "GOBIN=" + filepath.Join(dir, "bin"),
		fmt.Sprintf("GOPROXY=%s,%s,%s", url(dir, "proxy"), url(cache, "cache", "download"), proxy),
		// The user's flags stay: with others all would be built anew.
		"GOFLAGS=" + os.Getenv("GOFLAGS") + " -mod=mod -modcacherw -buildvcs=false"}, err
}
