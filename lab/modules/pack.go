package modules

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"
	"golang.org/x/mod/zip"
)

// copy is the folder of what a module is at a version.
func (r *Release) copy(m Module, version string) string {
	return filepath.Join(r.dir, "copies", version, filepath.FromSlash(m.Name))
}

// proxy is the folder that serves as a module proxy.
func (r *Release) proxy() string { return filepath.Join(r.dir, "proxy") }

// served is what the names of a version's files in the proxy begin with.
func (r *Release) served(m Module, version string) string {
	path, err := module.EscapePath(r.path(m.Name))
	if err != nil {
		panic(err) // its prefix was checked
	}
	return filepath.Join(r.proxy(), filepath.FromSlash(path), "@v", version)
}

// environment is that of somebody whose only modules of the repository are those of the proxy, with
// an empty cache of modules. All others may also come from the user's cache. The go.sum files of the
// modules have their sums.
func (r *Release) environment(ctx context.Context) ([]string, error) {
	if r.proxies == "" {
		usual, err := run(ctx, r.ws.Dir, nil, "go", "env", "GOPROXY", "GOMODCACHE")
		if err != nil {
			return nil, err
		}
		proxy, cache, _ := strings.Cut(usual, "\n")
		r.proxies = fmt.Sprintf("GOPROXY=%s,%s,%s", fileURL(r.proxy()), fileURL(filepath.Join(cache, "cache", "download")), proxy)
	}
	// With paths trimmed, what was compiled for one release is good for the next.
	return []string{"GOWORK=off", r.proxies, "GONOPROXY=none", "GOSUMDB=off", "GOMODCACHE=" + filepath.Join(r.dir, "mod"),
		"GOBIN=" + filepath.Join(r.dir, "bin"), flags("-mod=mod -modcacherw -buildvcs=false")}, nil
}

func fileURL(path string) string {
	return "file:///" + strings.TrimPrefix(filepath.ToSlash(path), "/")
}

// go runs the go command as somebody with the proxy would.
func (r *Release) goCommand(ctx context.Context, dir string, args ...string) (string, error) {
	env, err := r.environment(ctx)
	if err != nil {
		return "", err
	}
	return run(ctx, dir, env, "go", args...)
}

// pack puts a module into the proxy, those that it requires being there.
func (r *Release) pack(ctx context.Context, m Module) error {
	dir := r.copy(m, r.Version)
	if err := r.ws.copyModule(ctx, m, dir); err != nil {
		return err
	}
	if err := r.rewrite(dir, r.Version); err != nil {
		return err
	}
	if err := r.tidy(ctx, dir); err != nil {
		return err
	}
	return r.serve(m, r.Version)
}

// serve makes the files of the proxy from the copy of a module.
func (r *Release) serve(m Module, version string) error {
	dir, at := r.copy(m, version), r.served(m, version)
	mod, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	if err != nil {
		return err
	}
	return errors.Join(write(at+".mod", mod), write(at+".info", fmt.Appendf(nil, "{\"Version\":%q}\n", version)),
		write(filepath.Join(filepath.Dir(at), "list"), []byte(version+"\n")), r.zip(m, version, dir, at+".zip"))
}

// zip makes the zip of a module from a folder of its files, as the go command does from a tag: with
// the licence of the root, if it has none.
func (r *Release) zip(m Module, version, dir, file string) (err error) {
	if _, err := os.Stat(filepath.Join(dir, "LICENSE")); errors.Is(err, os.ErrNotExist) {
		text, err := os.ReadFile(filepath.Join(r.ws.Dir, "LICENSE"))
		if err != nil {
			return err
		}
		if err := write(filepath.Join(dir, "LICENSE"), text); err != nil {
			return err
		}
	}
	out, err := os.Create(file)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, out.Close()) }()
	return zip.CreateFromDir(out, module.Version{Path: r.path(m.Name), Version: version}, dir)
}

// copyModule copies the files of a module to a folder: what git has, or would have; or all if there
// is no git.
func (ws *Workspace) copyModule(ctx context.Context, m Module, dir string) error {
	var names []string
	listed, err := run(ctx, m.Dir, nil, "git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
	if err == nil {
		names = strings.FieldsFunc(listed, func(c rune) bool { return c == 0 })
	} else if names, err = below(m.Dir); err != nil {
		return err
	}
	for _, name := range names {
		from := filepath.Join(m.Dir, filepath.FromSlash(name))
		if info, err := os.Lstat(from); err != nil || !info.Mode().IsRegular() || ofAnother(m.Dir, from) {
			continue
		}
		text, err := os.ReadFile(from)
		if err != nil {
			return err
		}
		if err := write(filepath.Join(dir, filepath.FromSlash(name)), text); err != nil {
			return err
		}
	}
	return nil
}

// below returns the names of the files below a folder.
func below(dir string) (names []string, err error) {
	err = filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		name, err := filepath.Rel(dir, path)
		names = append(names, name)
		return err
	})
	return names, err
}

// ofAnother reports whether a file below the folder of a module is part of another one.
func ofAnother(module, file string) bool {
	for dir := filepath.Dir(file); len(dir) > len(module); dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return true
		}
	}
	return false
}

var ours = regexp.MustCompile(regexp.QuoteMeta(strings.TrimSuffix(Prefix, "/")) + `\b`)

// rewrite has the module in a folder require its siblings at the version, wherever they are, and
// gives it and them the prefix of the release. Strings may be names of packages, and documents
// have them, so it changes all texts.
func (r *Release) rewrite(dir, version string) error {
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
			if err := mod.AddRequire(require.Mod.Path, version); err != nil {
				return err
			}
		}
	}
	mod.Cleanup()
	if text, err = mod.Format(); err != nil {
		return err
	}
	if err := write(file, text); err != nil || !r.other() {
		return err
	}
	names, err := below(dir)
	for _, name := range names {
		name = filepath.Join(dir, name)
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		if utf8.Valid(text) {
			if err := write(name, ours.ReplaceAllLiteral(text, []byte(r.Prefix))); err != nil {
				return err
			}
		}
	}
	return err
}

// tidy adds the sums of its siblings to the go.sum file of the module in a folder. It returns an
// error if more had to change.
func (r *Release) tidy(ctx context.Context, dir string) error {
	read := func() (lines map[string]bool, err error) {
		lines = map[string]bool{}
		for _, name := range []string{"go.mod", "go.sum"} {
			text, err := os.ReadFile(filepath.Join(dir, name))
			if err != nil && !errors.Is(err, os.ErrNotExist) {
				return nil, err
			}
			for line := range strings.Lines(string(text)) {
				if name == "go.mod" || !strings.HasPrefix(line, r.Prefix+"/") {
					lines[name+": "+strings.TrimSpace(line)] = true
				}
			}
		}
		return lines, nil
	}
	had, err := read()
	if err != nil {
		return err
	}
	if _, err := r.goCommand(ctx, dir, "mod", "tidy"); err != nil {
		return err
	}
	has, err := read()
	if err != nil {
		return err
	}
	var wrong []error
	for line := range had {
		if !has[line] {
			wrong = append(wrong, fmt.Errorf("it is not tidy, and has a line too many: %s", line))
		}
	}
	for line := range has {
		if !had[line] {
			wrong = append(wrong, fmt.Errorf("it is not tidy, and lacks a line: %s", line))
		}
	}
	return errors.Join(wrong...)
}
