package modules

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/google/licensecheck"
)

// allowed are the licences that what the modules require may have, by SPDX's names. They ask for
// no more than that their text is passed on. MPL-2.0 also asks that changed files of its own stay
// free, and nothing here changes any.
var allowed = []string{"Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "ISC", "MIT", "MPL-2.0"}

var licenceName = regexp.MustCompile(`(?i)^(un)?(licen[sc]e|copying)([.-].*)?$`)

// checkLicences compares the table of dependencies with the licences in their zips. All of them
// must be allowed.
func (r *Release) checkLicences(ctx context.Context) error {
	var wanted []string
	for _, m := range r.modules {
		for _, require := range m.Mod.Require {
			if !strings.HasPrefix(require.Mod.Path, Prefix) {
				wanted = append(wanted, require.Mod.String())
			}
		}
	}
	slices.Sort(wanted)
	wanted = slices.Compact(wanted)
	if len(wanted) == 0 {
		return nil
	}
	dir := filepath.Join(r.dir, "licences")
	if err := write(filepath.Join(dir, "go.mod"), []byte("module example.com/consumer\n")); err != nil {
		return err
	}
	out, err := r.goCommand(ctx, dir, append([]string{"mod", "download", "-json"}, wanted...)...)
	if err != nil {
		return err
	}
	p, err := readPage(r.ws.Dir, support)
	if err != nil {
		return err
	}
	rows, err := p.table("Dependencies")
	if err != nil {
		return err
	}
	said := map[string]string{}
	for _, row := range rows {
		said[row[0]] = row[min(2, len(row)-1)]
	}
	var wrong []error
	for from := json.NewDecoder(strings.NewReader(out)); ; {
		var m struct{ Path, Version, Dir string }
		if err := from.Decode(&m); err == io.EOF {
			return errors.Join(wrong...)
		} else if err != nil {
			return err
		}
		licence, err := licenceOf(m.Dir)
		if err == nil && said[m.Path] != licence {
			err = fmt.Errorf("%s says that its licence is %q, and it is %s", support, said[m.Path], licence)
		}
		if err != nil {
			wrong = append(wrong, fmt.Errorf("%s %s: %w", m.Path, m.Version, err))
		}
	}
}

// licenceOf returns the licence of the module in a folder. It must be one that is allowed, and
// nothing else may stand beside it.
func licenceOf(dir string) (string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return "", err
	}
	var found []string
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
			if !slices.Contains(found, match.ID) {
				found = append(found, match.ID)
			}
		}
	}
	if len(found) == 0 {
		return "", errors.New("it has no licence")
	}
	return strings.Join(found, ", "), nil
}
