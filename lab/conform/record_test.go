package conform

import (
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/lab/modules"
)

// record has go test write the events of a module, and returns the file.
func record(t *testing.T, dir string) (file string) {
	t.Helper()
	file = filepath.Join(t.TempDir(), "events.jsonl")
	out, err := os.Create(file)
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	cmd := exec.Command("go", "test", "-json", "./...")
	cmd.Dir, cmd.Stdout = dir, out
	cmd.Env = append(os.Environ(), "GOWORK=off")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait() // a test fails
	return file
}

const recorded = `
import "testing"

func TestPool(t *testing.T) {
	t.Run("passes", func(t *testing.T) { t.Attr("rule", "P1") })
	t.Run("fails", func(t *testing.T) { t.Error("it is broken") })
}

func TestRule(t *testing.T) { t.Attr("rule", "P3") }
`

// If this fails, the tables say something else if the tests were run before.
func TestRecordIsLikeRun(t *testing.T) {
	dir := module(t, recorded)
	other := filepath.Join(dir, "other")
	if err := os.Mkdir(other, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(other, "other_test.go"), []byte("package other\n"+recorded), 0o666); err != nil {
		t.Fatal(err)
	}
	r, err := ReadRecord(record(t, dir))
	if err != nil {
		t.Fatal(err)
	}
	s := Step{Name: "a step", Package: "example.com/m", Env: []string{"GOWORK=off"}}
	want, err := s.Run(t.Context(), dir, func(*Test) {})
	if err != nil {
		t.Fatal(err)
	}
	got, err := r.Tests(s)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range slices.Concat(want, got) {
		test.Output = "" // it has the time that a test takes
	}
	if !reflect.DeepEqual(got, want) || len(got) != 4 {
		t.Errorf("the record has %v, and a run %v, want 4 tests", names(got), names(want))
	}
	if tests, err := r.Tests(Step{Name: "a step", Package: "example.com/gone"}); err == nil {
		t.Errorf("the record has %v of a package that is gone", names(tests))
	}
}

func names(tests []*Test) (all []string) {
	for _, t := range tests {
		all = append(all, t.Name+": "+t.Result)
	}
	return all
}

// A record that says nothing about a step is an error, not a success.
func TestRecordLacks(t *testing.T) {
	const pkg = "example.com/m"
	line := func(action, test string) string {
		return `{"Action":"` + action + `","Package":"` + pkg + `","Test":"` + test + "\"}\n"
	}
	whole := line("start", "") + line("run", "TestPool") + line("pass", "TestPool") + line("pass", "")
	short := strings.Replace(whole, line("pass", "TestPool"), `{"Action":"attr","Package":"`+pkg+`","Test":"TestPool","Key":"short","Value":"true"}`+"\n"+line("pass", "TestPool"), 1)
	for _, test := range []struct{ text, says string }{
		{whole, ""},
		{short, "-short"},
		{strings.ReplaceAll(whole, pkg, "example.com/n"), "has no test of " + pkg},
		{strings.TrimSuffix(whole, line("pass", "")), "is cut off: the tests of " + pkg + " have not ended"},
		{whole[:len(whole)-5], "unexpected EOF"},
		{line("start", "") + line("skip", ""), "no test of " + pkg + " has run"},
		{line("start", "") + line("fail", ""), "has failed, and no test of it"},
		{"ok  	example.com/m	0.2s\n", "the output of go test -json"},
	} {
		file := filepath.Join(t.TempDir(), "events.jsonl")
		if err := os.WriteFile(file, []byte(test.text), 0o666); err != nil {
			t.Fatal(err)
		}
		r, err := ReadRecord(file)
		if err == nil {
			_, err = r.Tests(Step{Name: "a step", Package: pkg})
		}
		if (err == nil) != (test.says == "") || err != nil && !strings.Contains(err.Error(), test.says) {
			t.Errorf("%s\ngives the error %v, want one with %q", test.text, err, test.says)
		}
	}
}

// What one half of the scenarios leaves out, the other one runs.
func TestHalves(t *testing.T) {
	var args []string
	for _, group := range Steps(false) {
		for _, s := range group {
			if s.Plain != (len(s.Env) == 0) {
				t.Errorf("%+v runs as go test does, or not", s)
			}
			if s.Package == modules.Prefix+"lab/scenarios" {
				args = append(args, s.Args[len(s.Args)-1])
			}
		}
	}
	if want := []string{"-run=" + half, "-skip=" + half}; !reflect.DeepEqual(args, want) {
		t.Errorf("the scenarios are run with %v, want %v", args, want)
	}
}
