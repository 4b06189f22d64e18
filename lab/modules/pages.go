package modules

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/google/licensecheck"
)

// section returns what a page in Markdown has beneath a heading of the second level, up to the next
// one, and whether there is such a heading. A date may follow it.
func section(page, heading string) (text string, ok bool) {
	for _, s := range strings.Split("\n"+page, "\n## ")[1:] {
		title, text, _ := strings.Cut(s, "\n")
		if title == heading || strings.HasPrefix(title, heading+" ") {
			return strings.TrimSpace(text), true
		}
	}
	return "", false
}

// checkChangelogs returns an error if a changelog, that of the root or of a module that has one, has no section
// of the version or, in a rehearsal, nothing beneath Unreleased either.
func (r *Release) checkChangelogs(context.Context) error {
	var wrong []error
	for _, m := range append([]Module{{Name: "."}}, r.ws.Released...) {
		name := path.Join(m.Name, "CHANGELOG.md")
		text, err := os.ReadFile(filepath.Join(r.ws.Dir, name))
		if m.Name != "." && errors.Is(err, fs.ErrNotExist) {
			continue
		}
		_, has := section(string(text), r.Version)
		changes, _ := section(string(text), "Unreleased")
		switch {
		case err != nil:
			return err
		case !has && (!r.rehearsal || changes == ""):
			wrong = append(wrong, fmt.Errorf("%s does not say what is new in %s", name, r.Version))
		case !r.rehearsal && changes != "":
			wrong = append(wrong, fmt.Errorf("%s has changes beneath Unreleased that %s would have, too", name, r.Version))
		}
	}
	return errors.Join(wrong...)
}

// checkDependencies compares the table of dependencies in SUPPORT.md with what the go.mod files
// require from outside the repository, and with the licence of each, which must be allowed.
func (r *Release) checkDependencies(ctx context.Context) error {
	page, err := os.ReadFile(filepath.Join(r.ws.Dir, "SUPPORT.md"))
	if err != nil {
		return err
	}
	table, ok := section(string(page), "Dependencies")
	if !ok {
		return errors.New("SUPPORT.md has no section Dependencies")
	}
	of := map[string][]string{} // the modules that require one, by its path
	download := []string{"mod", "download", "-json"}
	for _, m := range r.ws.Released {
		for _, require := range m.Mod.Require {
			if !strings.HasPrefix(require.Mod.Path, Prefix) {
				of[require.Mod.Path] = append(of[require.Mod.Path], m.Name)
				download = append(download, require.Mod.String())
			}
		}
	}
	out := ""
	if len(of) > 0 {
		if out, err = run(ctx, r.dir, []string{"GOWORK=off"}, "go", download...); err != nil {
			return err
		}
	}
	var wrong []error
	for from := json.NewDecoder(strings.NewReader(out)); from.More(); {
		var m struct{ Path, Version, Dir string }
		if err := from.Decode(&m); err != nil {
			return err
		}
		licence, err := licenceOf(m.Dir)
		if err != nil {
			wrong = append(wrong, fmt.Errorf("%s %s: %w", m.Path, m.Version, err))
		}
		slices.Sort(of[m.Path])
		if row := fmt.Sprintf("| `%s` | %s | %s |", m.Path, strings.Join(of[m.Path], ", "), licence); !strings.Contains(table, "\n"+row) {
			wrong = append(wrong, fmt.Errorf("SUPPORT.md has no row that begins %s", row))
		}
	}
	if n := strings.Count(table, "\n| `"); n != len(of) {
		wrong = append(wrong, fmt.Errorf("SUPPORT.md has %d rows of dependencies, and the modules have %d", n, len(of)))
	}
	return errors.Join(wrong...)
}

// allowed are the licences that what the modules require may have, by SPDX's names. They ask for
// no more than that their text is passed on. MPL-2.0 also asks that changed files of its own stay
// free, and nothing here changes any.
var allowed = []string{"Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "ISC", "MIT", "MPL-2.0"}

var licenceName = regexp.MustCompile(`(?i)^(un)?(licen[sc]e|copying)([.-].*)?$`)

// licenceOf returns the licence of the module in a folder. It must be one that is allowed, and
// nothing else may stand beside it.
func licenceOf(dir string) (string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return "", err
	}
	found := map[string]bool{}
	for _, e := range entries {
		if e.IsDir() || !licenceName.MatchString(e.Name()) {
			continue
		}
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			return "", err
		}
		cover := licensecheck.Scan(text)
		if cover.Percent < 75 {
			return "", fmt.Errorf("%s is no licence that is known", e.Name())
		}
		for _, match := range cover.Match {
			if !slices.Contains(allowed, match.ID) {
				return "", fmt.Errorf("%s is %s, which is not allowed", e.Name(), match.ID)
			}
			found[match.ID] = true
		}
	}
	if len(found) == 0 {
		return "", errors.New("it has no licence")
	}
	return strings.Join(slices.Sorted(maps.Keys(found)), ", "), nil
}
