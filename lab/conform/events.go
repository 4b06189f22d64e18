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

// events are what go test -json has printed.
type events struct {
	tests []*Test // in the order of their beginning
	// packages says how each has ended: pass, fail or skip, or empty if it has begun and
	// not ended.
	packages map[string]string
	other    string // what belongs to no test, such as the errors of the compiler
}

// readEvents reads the output of go test -json. ended is called with each test that has.
func readEvents(r io.Reader, ended func(*Test)) (all events, err error) {
	byName := map[string]*Test{}
	all.packages = map[string]string{}
	var rest strings.Builder
	for d := json.NewDecoder(r); ; {
		var e event
		if err := d.Decode(&e); err != nil {
			all.other = rest.String()
			if err == io.EOF {
				return all, nil
			}
			return all, fmt.Errorf("the output of go test -json: %w", err)
		}
		if e.Test == "" {
			switch e.Action {
			case "output", "build-output":
				rest.WriteString(e.Output)
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
