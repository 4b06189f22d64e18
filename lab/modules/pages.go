package modules

import (
	"errors"
	"fmt"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/semver"
)

// support is the page whose tables are checked here.
const support = "SUPPORT.md"

// A page is a text in Markdown, by lines.
type page struct {
	name  string
	lines []string
}

func readPage(root, name string) (page, error) {
	text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
	return page{name, strings.Split(string(text), "\n")}, err
}

// section returns the lines beneath a heading of the second level, up to the next one, and whether
// there is such a heading. What follows its first word, such as a date, is no part of it if the
// heading has one word.
func (p page) section(heading string) (lines []string, ok bool) {
	for _, line := range p.lines {
		title, is := strings.CutPrefix(line, "## ")
		switch {
		case is && ok:
			return lines, true
		case is:
			first, _, _ := strings.Cut(title, " ")
			ok = title == heading || first == heading
		case ok:
			lines = append(lines, line)
		}
	}
	return lines, ok
}

// table returns the cells, without backticks, of the table beneath a heading.
func (p page) table(heading string) (rows [][]string, err error) {
	lines, ok := p.section(heading)
	if !ok {
		return nil, fmt.Errorf("%s has no section %q", p.name, heading)
	}
	for _, line := range lines {
		if !strings.HasPrefix(line, "|") {
			continue
		}
		cells := strings.Split(strings.Trim(strings.ReplaceAll(line, "`", ""), "| "), "|")
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		rows = append(rows, cells)
	}
	if len(rows) < 2 {
		return nil, fmt.Errorf("%s has no table beneath %q", p.name, heading)
	}
	return rows[2:], nil
}

// compare returns an error that names the rows of a table which are wrong, and those that are
// missing. Only as many columns count as want has.
func (p page) compare(heading string, columns int, want [][]string) error {
	rows, err := p.table(heading)
	if err != nil {
		return err
	}
	line := func(row []string) string { return strings.Join(row[:min(columns, len(row))], " | ") }
	have, should := map[string]bool{}, map[string]bool{}
	for _, row := range rows {
		have[line(row)] = true
	}
	for _, row := range want {
		should[line(row)] = true
	}
	var wrong []error
	for _, row := range slices.Sorted(maps.Keys(should)) {
		if !have[row] {
			wrong = append(wrong, fmt.Errorf("%s, %q: no row %q", p.name, heading, row))
		}
	}
	for _, row := range slices.Sorted(maps.Keys(have)) {
		if !should[row] {
			wrong = append(wrong, fmt.Errorf("%s, %q: the row %q is not so", p.name, heading, row))
		}
	}
	return errors.Join(wrong...)
}

// changelogs returns the pages that say what has changed: that of the root, and of the modules that
// have one.
func (ws *Workspace) changelogs(modules []Module) (pages []page, err error) {
	root, err := readPage(ws.Dir, "CHANGELOG.md")
	if err != nil {
		return nil, err
	}
	pages = []page{root}
	for _, m := range modules {
		p, err := readPage(ws.Dir, m.Name+"/CHANGELOG.md")
		if errors.Is(err, os.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		pages = append(pages, p)
	}
	return pages, nil
}

// unreleasedChanges is the heading of what the next version will have.
const unreleasedChanges = "Unreleased"

// checkChangelogs returns an error if a changelog has no section of the version, or, where that is
// enough, of what is unreleased; or if a section is of anything else.
func checkChangelogs(pages []page, version string, rehearsal bool) error {
	var wrong []error
	for _, p := range pages {
		for _, line := range p.lines {
			title, is := strings.CutPrefix(line, "## ")
			first, _, _ := strings.Cut(title, " ")
			if is && first != unreleasedChanges && !semver.IsValid(first) {
				wrong = append(wrong, fmt.Errorf("%s: the section %q is neither %q nor a version's", p.name, title, unreleasedChanges))
			}
		}
		_, has := p.section(version)
		changes, open := p.section(unreleasedChanges)
		open = open && strings.TrimSpace(strings.Join(changes, "")) != ""
		switch {
		case !has && !rehearsal:
			wrong = append(wrong, fmt.Errorf("%s has no section %q", p.name, version))
		case !has && !open:
			wrong = append(wrong, fmt.Errorf("%s has neither a section %q nor anything beneath %q", p.name, version, unreleasedChanges))
		case open && !rehearsal:
			wrong = append(wrong, fmt.Errorf("%s has changes beneath %q that %s would have, too", p.name, unreleasedChanges, version))
		}
	}
	return errors.Join(wrong...)
}

// notes returns what the changelogs say of the version, or of what is unreleased.
func notes(pages []page, version string) string {
	text := "# Rouse " + version + "\n"
	for _, p := range pages {
		lines, ok := p.section(version)
		if !ok {
			lines, _ = p.section(unreleasedChanges)
		}
		folder, _ := strings.CutSuffix(p.name, "CHANGELOG.md")
		if folder != "" {
			text += "\n## " + strings.TrimSuffix(folder, "/") + "\n"
		}
		text += "\n" + strings.TrimSpace(strings.Join(lines, "\n")) + "\n"
	}
	return text
}

// checkUnsafe compares the table of files that import unsafe, without those of tests, with the
// files. Of explore, which no program runs with, it has the packages.
func (ws *Workspace) checkUnsafe(p page, modules []Module) error {
	var want [][]string
	for _, m := range modules {
		if err := goFiles(m.Dir, func(path string) error {
			file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
			if err != nil || strings.HasSuffix(path, "_test.go") {
				return err
			}
			for _, spec := range file.Imports {
				if spec.Path.Value == `"unsafe"` {
					rel, err := filepath.Rel(ws.Dir, path)
					if err != nil {
						return err
					}
					if m.Name == "explore" {
						rel = filepath.Dir(rel)
					}
					want = append(want, []string{filepath.ToSlash(rel)})
				}
			}
			return nil
		}); err != nil {
			return err
		}
	}
	return p.compare("Files that import unsafe", 1, want)
}

// checkDependencies compares the table of dependencies with what the go.mod files require from
// outside the repository.
func checkDependencies(p page, modules []Module) error {
	of := map[string][]string{}
	for _, m := range modules {
		for _, r := range m.Mod.Require {
			if !strings.HasPrefix(r.Mod.Path, Prefix) {
				of[r.Mod.Path] = append(of[r.Mod.Path], m.Name)
			}
		}
	}
	var want [][]string
	for path, names := range of {
		slices.Sort(names)
		want = append(want, []string{path, strings.Join(names, ", ")})
	}
	return p.compare("Dependencies", 2, want)
}

var (
	machine  = regexp.MustCompile(`(?m)^\w+(\*?) *\|[^|\n]*\| *GOOS=(\w+) GOARCH=(\w+)`)
	goarch   = regexp.MustCompile(`CGO_ENABLED=0 GOARCH=(\w+)`)
	compiled = regexp.MustCompile(`(?m)^\s*run .* lab types (.*)$`)
	goUsed   = regexp.MustCompile(`(?m)^(?:newest|oldest)=go(\S+)$`)
)

// checkPlatforms compares the tables of platforms and of Go versions with what CI does.
func (ws *Workspace) checkPlatforms(p page, modules []Module) error {
	ci, err := os.ReadFile(filepath.Join(ws.Dir, ".ci", "run"))
	if err != nil {
		return err
	}
	machines, err := os.ReadFile(filepath.Join(ws.Dir, "lab", "elsewhere", "run.sh"))
	if err != nil {
		return err
	}
	platforms := map[string]string{}
	if list := compiled.FindSubmatch(ci); list != nil {
		for platform := range strings.FieldsSeq(string(list[1])) {
			if !strings.Contains(platform, ",") {
				platforms[platform] = "compiled"
			}
		}
	}
	for _, m := range machine.FindAllStringSubmatch(string(machines), -1) {
		platform := m[2] + "/" + m[3]
		if m[1] == "*" {
			platforms[platform] = "run"
		} else if platforms[platform] == "" {
			platforms[platform] = "run by hand"
		}
	}
	for _, m := range goarch.FindAllStringSubmatch(string(ci), -1) {
		platforms["linux/"+m[1]] = "run"
	}
	platforms["linux/amd64"] = "run" // where .ci/run runs
	var want, used [][]string
	for platform, how := range platforms {
		want = append(want, []string{platform, how})
	}
	oldest := ""
	for _, m := range goUsed.FindAllStringSubmatch(string(ci), -1) {
		used = append(used, []string{m[1]})
		if oldest == "" || semver.Compare("v"+m[1], "v"+oldest) < 0 {
			oldest = m[1]
		}
	}
	var wrong []error
	for _, m := range modules {
		if m.Mod.Go == nil || m.Mod.Go.Version != oldest {
			wrong = append(wrong, fmt.Errorf("%s/go.mod does not say go %s, the oldest that CI runs", m.Name, oldest))
		}
	}
	return errors.Join(append(wrong, p.compare("Platforms", 2, want), p.compare("Go versions", 1, used))...)
}

// checkReplaced returns an error unless all siblings that a module requires are replaced by their
// folders, and nothing else is: the release drops these lines.
func (ws *Workspace) checkReplaced(m Module) error {
	replaced := map[string]*modfile.Replace{}
	var wrong []error
	for _, r := range m.Mod.Replace {
		replaced[r.Old.Path] = r
		name, ours := strings.CutPrefix(r.Old.Path, Prefix)
		to := filepath.Join(m.Dir, filepath.FromSlash(r.New.Path))
		if !ours || r.New.Version != "" || to != filepath.Join(ws.Dir, filepath.FromSlash(name)) {
			wrong = append(wrong, fmt.Errorf("%s/go.mod replaces %s by %s, which is not its folder", m.Name, r.Old.Path, r.New.Path))
		}
	}
	for _, r := range m.Mod.Require {
		if strings.HasPrefix(r.Mod.Path, Prefix) && replaced[r.Mod.Path] == nil {
			wrong = append(wrong, fmt.Errorf("%s/go.mod has no replace line for %s", m.Name, r.Mod.Path))
		}
	}
	return errors.Join(wrong...)
}
