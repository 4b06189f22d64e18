package modules

import (
	"archive/tar"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"golang.org/x/mod/semver"
)

func (ws *Workspace) git(ctx context.Context, args ...string) (string, error) {
	return run(ctx, ws.Dir, nil, "git", args...)
}

// tag returns what the go command looks for in the repository of a module.
func tag(m Module, version string) string { return m.Name + "/" + version }

// versions returns, for each version that a module has a tag of, the modules that have.
func (ws *Workspace) versions(ctx context.Context, modules []Module) (map[string][]Module, error) {
	all, err := ws.git(ctx, "tag", "--list")
	if err != nil {
		return nil, err
	}
	versions := map[string][]Module{}
	for _, t := range strings.Fields(all) {
		for _, m := range modules {
			if v, ok := strings.CutPrefix(t, m.Name+"/"); ok && semver.IsValid(v) {
				versions[v] = append(versions[v], m)
			}
		}
	}
	return versions, nil
}

// before returns the newest of the versions that is older than the given one, and no pre-release;
// or "".
func before(versions map[string][]Module, version string) (last string) {
	for v := range versions {
		older := version == "" || semver.Compare(v, version) < 0
		if older && semver.Prerelease(v) == "" && (last == "" || semver.Compare(v, last) > 0) {
			last = v
		}
	}
	return last
}

// checkout writes into dir what a folder of the repository has at a revision.
func (ws *Workspace) checkout(ctx context.Context, revision, folder, dir string) (err error) {
	cmd := exec.CommandContext(ctx, "git", "archive", "--format=tar", revision+":"+folder)
	cmd.Dir = ws.Dir
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("git archive %s: %w\n%s", revision, err, stderr.String())
	}
	for files := tar.NewReader(&stdout); ; {
		header, err := files.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if header.Typeflag != tar.TypeReg {
			continue
		}
		text, err := io.ReadAll(files)
		if err != nil {
			return err
		}
		if err := write(filepath.Join(dir, filepath.FromSlash(header.Name)), text); err != nil {
			return err
		}
	}
}

// commit makes a commit on top of HEAD in which the given files, by their names in the repository,
// are those of the given paths. No branch leads to it, and nothing in the checkout changes.
func (ws *Workspace) commit(ctx context.Context, index, message string, files map[string]string) (hash string, err error) {
	env := []string{"GIT_INDEX_FILE=" + index}
	git := func(args ...string) (out string) {
		if err == nil {
			out, err = run(ctx, ws.Dir, env, "git", args...)
		}
		return out
	}
	git("read-tree", "HEAD")
	for name, path := range files {
		blob := git("hash-object", "-w", path)
		git("update-index", "--add", "--cacheinfo", "100644,"+blob+","+name)
	}
	tree := git("write-tree")
	return git("commit-tree", "-p", "HEAD", "-m", message, tree), err
}

// setTags makes all tags, or none.
func (ws *Workspace) setTags(ctx context.Context, tags []string, commit string) error {
	lines := ""
	for _, t := range tags {
		lines += "create refs/tags/" + t + " " + commit + "\n"
	}
	cmd := exec.CommandContext(ctx, "git", "update-ref", "--stdin")
	cmd.Dir, cmd.Stdin = ws.Dir, strings.NewReader(lines)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("git update-ref: %w\n%s", err, out)
	}
	return nil
}

// write writes a file, and makes its folder.
func write(path string, text []byte) error {
	return errors.Join(os.MkdirAll(filepath.Dir(path), 0o777), os.WriteFile(path, text, 0o666))
}
