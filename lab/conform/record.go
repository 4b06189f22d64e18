// Package conform runs the tests of the conformance module and makes tables of
// what they say: which rules were checked on which combination of backends,
// which scenarios were explored how far, and what has killed each mutant.
//
// The tests tell it by attributes in the output of go test -json (testing.T.Attr): rule is that
// of a check of the suite; short says that a check ran with -short; explored is the result of a
// scenario, in JSON.
package conform

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
)

// A Test is what go test -json says of one test.
type Test struct {
	Package, Name string
	// Result is pass, fail or skip, or empty if the test never ended.
	Result string
	Attrs  map[string]string
	Output string
}

// event is a line of go test -json; see go doc test2json.
type event struct {
	Action, Package, Test, Output, Key, Value string
}

// keptOutput is how much of a test's output is kept, in bytes: enough for a
// trace.
const keptOutput = 1 << 16

// A Record is what a call of go test -json has printed, of any packages.
type Record struct {
	name  string  // of the file
	tests []*Test // in the order of their beginning
	// packages says how each has ended: pass, fail or skip, or empty if it has begun and
	// not ended.
	packages map[string]string
	other    string // what belongs to no test, such as the errors of the compiler
}

// ReadRecord reads it from a file.
func ReadRecord(name string) (*Record, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	r, err := read(f, func(*Test) {})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	r.name = name
	return r, nil
}

// read reads the output of go test -json. ended is called with each test that has.
func read(in io.Reader, ended func(*Test)) (*Record, error) {
	all := &Record{packages: map[string]string{}}
	byName := map[string]*Test{}
	for d := json.NewDecoder(in); ; {
		var e event
		if err := d.Decode(&e); err != nil {
			if err == io.EOF {
				return all, nil
			}
			return all, fmt.Errorf("the output of go test -json: %w", err)
		}
		if e.Test == "" {
			switch e.Action {
			case "output", "build-output":
				all.other += e.Output
			case "start":
				all.packages[e.Package] = ""
			case "pass", "fail", "skip":
				all.packages[e.Package] = e.Action
			}
			continue
		}
		name := key(e.Package, e.Test)
		t := byName[name]
		if t == nil {
			t = &Test{Package: e.Package, Name: e.Test, Attrs: map[string]string{}}
			byName[name] = t
			all.tests = append(all.tests, t)
		}
		switch e.Action {
		case "attr":
			t.Attrs[e.Key] = e.Value
		case "output":
			if len(t.Output) < keptOutput {
				t.Output += e.Output
			}
		case "pass", "fail", "skip":
			t.Result = e.Action
			ended(t)
		}
	}
}

// Tests returns those of a step. The error says what the record lacks: a test that is not there
// has not passed.
func (r *Record) Tests(s Step) ([]*Test, error) {
	var tests []*Test
	short, failed := false, false
	for _, t := range r.tests {
		if t.Package == s.Package {
			tests = append(tests, t)
			short = short || t.Attrs["short"] != ""
			failed = failed || t.Result != "pass" && t.Result != "skip"
		}
	}
	result, begun := r.packages[s.Package]
	switch {
	case !begun:
		return nil, fmt.Errorf("%s: %s has no test of %s; it is to be what go test -json prints for all packages\n%s", s.Name, r.name, s.Package, r.other)
	case result == "":
		return nil, fmt.Errorf("%s: %s is cut off: the tests of %s have not ended", s.Name, r.name, s.Package)
	case result == "fail" && !failed:
		return nil, fmt.Errorf("%s: in %s, %s has failed, and no test of it:\n%s", s.Name, r.name, s.Package, r.other)
	case short:
		return nil, fmt.Errorf("%s: in %s, the tests of %s have run with -short, which leaves some out", s.Name, r.name, s.Package)
	case len(tests) == 0:
		return nil, fmt.Errorf("%s: in %s, no test of %s has run", s.Name, r.name, s.Package)
	}
	return tests, nil
}
