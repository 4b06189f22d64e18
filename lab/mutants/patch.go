package mutants

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/rouse-go/rouse/conformance/explore"
	"github.com/rouse-go/rouse/conformance/scenarios"
)

// A Patch makes a mutant of a module that ships: it changes a few lines of its
// source, in a copy that only the compiler sees.
type Patch struct {
	// Name is part, number and fault: "sleep/5_cascade_after_job".
	Name string
	// Numbers are those in the list of the README, if it is on it.
	Numbers []int
	// File is what is changed, from the root of the repository. Also has the
	// edits of further files.
	File  string
	Edits []Edit
	Also  map[string][]Edit
	// Harmless says why the patch is no mutant, if it is none: then the test
	// must pass with up to Bound preemptions, and Says is empty.
	Harmless string
	// Kills is the test that must fail: the full name of a scenario's
	// subtest, or, if Suite is set, of one of the public suite's in the
	// conformance module, or, if Own is set, of those of the package that File
	// is in.
	Kills      string
	Suite, Own bool
	// Says is part of what the failure says, so that the mutant dies of what
	// is wrong with it and of nothing else.
	Says string
	// Bound is the smallest number of preemptions of a schedule that kills
	// it. It has no meaning for a Suite, or for an Own.
	Bound int
	// Race says that only the race detector sees it, in the scenario that Kills
	// names, explored with up to Bound preemptions.
	Race bool
}

// An Edit replaces text that occurs exactly once in the file.
type Edit struct{ Old, New string }

// maxBound is the number of preemptions up to which a mutant may live. One that
// needs more says that its scenario is too weak.
const maxBound = 3

// apply returns the files that the patch changes, as it leaves them, by their
// names from the root.
func (p Patch) apply(root string) (map[string]string, error) {
	edits := make(map[string][]Edit)
	maps.Copy(edits, p.Also)
	if p.File != "" {
		edits[p.File] = p.Edits
	}
	changed := make(map[string]string)
	for name, list := range edits {
		b, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
		if err != nil {
			return nil, err
		}
		source := string(b)
		for _, e := range list {
			if n := strings.Count(source, e.Old); n != 1 {
				return nil, fmt.Errorf("%s has %d times, not once:\n%s", name, n, e.Old)
			}
			source = strings.Replace(source, e.Old, e.New, 1)
		}
		changed[name] = source
	}
	return changed, nil
}

// explored reports whether a scenario kills the patch, by what it asserts.
func (p Patch) explored() bool { return !p.Suite && !p.Own && !p.Race }

// A program is a test binary: of the scenarios, which are explored, of the public
// suite or of a package's own tests.
type program struct {
	path, dir string
	explored  bool
	flags     []string
}

// build compiles the program that kills the patch in dir, with what that changes
// in place of the real source.
func build(root, dir string, p Patch) (program, error) {
	changed, err := p.apply(root)
	if err != nil {
		return program{}, err
	}
	if err := p.leaveOut(root, changed); err != nil {
		return program{}, err
	}
	replace := make(map[string]string)
	for name, source := range changed {
		if source == "" {
			replace[filepath.Join(root, filepath.FromSlash(name))] = ""
			continue
		}
		file := filepath.Join(dir, strings.ReplaceAll(name, "/", "_"))
		if err := os.WriteFile(file, []byte(source), 0o666); err != nil {
			return program{}, err
		}
		replace[filepath.Join(root, filepath.FromSlash(name))] = file
	}
	overlay, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return program{}, err
	}
	overlayFile := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(overlayFile, overlay, 0o666); err != nil {
		return program{}, err
	}
	b := program{path: filepath.Join(dir, "program.test"), dir: filepath.Join(root, "conformance"), explored: p.explored()}
	// Without symbols it is linked sooner, without go vet it is built in two thirds of
	// the time, and scenarios that inline nothing are compiled in half of it.
	args := []string{"test", "-c", "-vet=off", "-ldflags=-s -w", "-overlay", overlayFile, "-o", b.path}
	switch {
	case p.Own:
		b.dir = filepath.Join(root, path.Dir(p.File))
		args = append(args, ".")
	case p.Suite:
		b.flags = []string{"-rapid.nofailfile"} // or it would leave files among the sources
		args = append(args, ".")
	default:
		args = append(args, "-tags", "explore", "-gcflags=-l", "./scenarios")
		if p.Race {
			args = append(args, "-race")
		}
	}
	cmd := exec.Command("go", args...)
	cmd.Dir = b.dir
	if out, err := cmd.CombinedOutput(); err != nil {
		return program{}, fmt.Errorf("go %s: %w\n%s", strings.Join(args, " "), err, out)
	}
	return b, nil
}

// cases is where a file of the scenarios has some.
var cases = regexp.MustCompile(`(?m)^var (\w+) = \[\]poolCase\{$`)

// noPar is in place of the part of the suite that is about par.
const noPar = `package conformance

import (
	"testing"

	"github.com/rouse-go/rouse/pool"
)

func TestPar(*testing.T, func(...pool.Option) (*pool.Pool, error), ...Option) {}
`

// leaveOut adds to the changed files those that are about par and do not kill the patch,
// with nothing in them: for their types the compiler makes most of par once more, which
// takes longer than all the rest.
func (p Patch) leaveOut(root string, changed map[string]string) error {
	folder := "conformance/scenarios"
	switch {
	case p.Own || p.Kills == "" || strings.HasPrefix(p.Kills, "TestPar/"):
		return nil
	case p.Suite:
		folder = "conformance"
	}
	files, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(folder), "par*.go"))
	if err != nil {
		return err
	}
	for _, file := range files {
		source, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		name, list := path.Join(folder, filepath.Base(file)), cases.FindSubmatch(source)
		switch {
		case p.Suite && filepath.Base(file) == "par.go":
			changed[name] = noPar
		case p.Suite:
			changed[name] = ""
		case list != nil && !bytes.Contains(source, fmt.Appendf(nil, "name: %q", path.Base(p.Kills))):
			changed[name] = fmt.Sprintf("package scenarios\n\nvar %s []poolCase\n", list[1])
		}
	}
	return nil
}

// test runs one test. failed is nil if it passed. Calls may run side by side.
func (b program) test(name string, bound int) (failed *explore.Failure, err error) {
	dir, err := os.MkdirTemp(filepath.Dir(b.path), "report")
	if err != nil {
		return nil, err
	}
	report := filepath.Join(dir, "report.jsonl")
	flags := append([]string{"-test.run=" + exactly(name), "-test.short", "-test.failfast", "-test.timeout=300s"}, b.flags...)
	cmd := exec.Command(b.path, flags...)
	cmd.Env = append(os.Environ(), fmt.Sprintf("ROUSE_DEPTH=%d", bound), "ROUSE_REPORT="+report)
	cmd.Dir = b.dir
	out, failure := cmd.CombinedOutput()
	if !b.explored {
		if failure == nil {
			return nil, nil
		}
		return &explore.Failure{Message: head(out)}, nil
	}
	result, err := resultOf(report, name)
	if err != nil {
		return nil, fmt.Errorf("%w\n%s", err, head(out))
	}
	if (result.Failure != nil) != (failure != nil) {
		return nil, fmt.Errorf("the program ends with %v, and reports the failure %v:\n%s", failure, result.Failure, head(out))
	}
	return result.Failure, nil
}

// exactly returns the pattern for -test.run that matches one test.
func exactly(name string) string {
	parts := strings.Split(name, "/")
	for i, p := range parts {
		parts[i] = "^" + regexp.QuoteMeta(p) + "$"
	}
	return strings.Join(parts, "/")
}

// resultOf finds a test in a report.
func resultOf(report, name string) (r scenarios.Result, err error) {
	f, err := os.Open(report)
	if err != nil {
		return r, fmt.Errorf("no scenario %s: %w", name, err)
	}
	defer f.Close()
	lines := bufio.NewReader(f)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return r, fmt.Errorf("no scenario %s: %w", name, err)
		}
		if err := json.Unmarshal(line, &r); err != nil {
			return r, err
		}
		if r.Test == name {
			return r, nil
		}
	}
}

// head returns the first lines of a long output.
func head(out []byte) string {
	lines := strings.SplitAfterN(string(out), "\n", 30)
	return strings.Join(lines[:min(len(lines), 29)], "")
}
