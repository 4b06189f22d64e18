package conform

import (
	"fmt"
	"os"
)

// A Record is what an earlier call of go test -json has printed, of any packages.
type Record struct {
	name string
	events
}

// ReadRecord reads it from a file.
func ReadRecord(name string) (*Record, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	all, err := readEvents(f, func(*Test) {})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return &Record{name, all}, nil
}

// Tests returns what Run of the step would, if it is in the record. The error says what the
// record lacks: tests that are not there are not tests that have passed.
func (r *Record) Tests(s Step) ([]*Test, error) {
	var tests []*Test
	short := false
	for _, t := range r.tests {
		if t.Package == s.Package {
			tests = append(tests, t)
			short = short || t.Attrs["short"] != ""
		}
	}
	result, begun := r.packages[s.Package]
	switch {
	case !begun:
		return nil, fmt.Errorf("%s: %s has no test of %s; it is to be what go test -json prints for all packages", s.Name, r.name, s.Package)
	case result == "":
		return nil, fmt.Errorf("%s: %s is cut off: the tests of %s have not ended", s.Name, r.name, s.Package)
	case result == "fail" && !anyFailed(tests):
		return nil, fmt.Errorf("%s: in %s, %s has failed, and no test of it:\n%s", s.Name, r.name, s.Package, r.other)
	case short:
		return nil, fmt.Errorf("%s: in %s, the tests of %s have run with -short, which leaves some out", s.Name, r.name, s.Package)
	case len(tests) == 0:
		return nil, fmt.Errorf("%s: in %s, no test of %s has run", s.Name, r.name, s.Package)
	}
	return tests, nil
}
