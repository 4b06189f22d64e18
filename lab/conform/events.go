package conform

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
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

// readEvents reads the output of go test -json. It returns the tests in the
// order of their beginning, and what was printed that belongs to none, such as
// the errors of the compiler. ended is called with each test that has.
func readEvents(r io.Reader, ended func(*Test)) (tests []*Test, other string, err error) {
	byName := map[string]*Test{}
	var rest strings.Builder
	for d := json.NewDecoder(r); ; {
		var e event
		if err := d.Decode(&e); err == io.EOF {
			return tests, rest.String(), nil
		} else if err != nil {
			return tests, rest.String(), fmt.Errorf("the output of go test -json: %w", err)
		}
		if e.Test == "" {
			if e.Action == "output" || e.Action == "build-output" {
				rest.WriteString(e.Output)
			}
			continue
		}
		name := key(e.Package, e.Test)
		t := byName[name]
		if t == nil {
			t = &Test{Package: e.Package, Name: e.Test, Attrs: map[string]string{}}
			byName[name] = t
			tests = append(tests, t)
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
