package forms

//lint:file-ignore S1000 A form that must be rewritten.

import (
	"io"
	"log"
	"os"
	"runtime"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/explore"
	"github.com/rouse-go/rouse/explore/internal/planted"
)

var forms = map[string]struct {
	f    func() string
	want string
}{
	"Channels":    {Channels, "3 3<nil> bad true <nil> true <nil> false0256false 0"},
	"Sync":        {Sync, "2 3 3 2 4 1"},
	"Maps":        {Maps, "12 3 {z 2} 1q1 true"},
	"Assignments": {Assignments, "[10 3 5 0 0 0 0] map[b:4 c:6 d:7] [1 2 0] false 0 64 named true 6 1 <nil> 6 12-yzyzdeaabc22 3 3yz[45 121] 3 true 6"},
	"Typed":       {Typed, "24 false true false falseabc"},
	"Dots":        {Dots, "1"},
	"Pulled":      {Pulled, "a1 true false 2"},
	"Times":       {Times, "false context canceled 1 true false 0"},
}

// Rewritten code does what it did.
func TestSame(t *testing.T) {
	for name, x := range forms {
		if got := x.f(); got != x.want {
			t.Errorf("%s: %q, want %q", name, got, x.want)
		}
	}
	if n := Goroutines(); n != 1+6+3+1+1+1+1+6+9+2+7+8+2+1+2 {
		t.Error("Goroutines", n)
	}
	if s := Selects(); !strings.HasPrefix(s, "default{1 true}") || !strings.HasSuffix(s, "false") {
		t.Error("Selects", s)
	}
	global = 0
	if s := Plain(); s != "4 {1 2} 3 f [z2 y] map[a:1 c:8] [0 7 2] 25 <nil> 8 7" {
		t.Error("Plain", s)
	}
}

// So it does in an execution.
func TestDriven(t *testing.T) {
	for _, name := range []string{"Channels", "Typed", "Maps", "Sync", "Assignments", "Dots", "Pulled"} {
		explore.Test(t, func(t *testing.T) {
			x := forms[name]
			if got := x.f(); got != x.want {
				t.Errorf("%s: %q, want %q", name, got, x.want)
			}
		})
	}
	explore.Test(t, func(t *testing.T) {
		if s := Selects(); !strings.HasPrefix(s, "default{1 true}") || !strings.HasSuffix(s, "false") {
			t.Error("Selects", s)
		}
	})
	explore.Test(t, func(t *testing.T) {
		if s := Times(); !strings.HasSuffix(s, " 0") {
			t.Error("Times", s)
		}
	})
}

// What would end the process fails the execution.
func TestFatals(t *testing.T) {
	log.SetOutput(io.Discard)
	defer log.SetOutput(os.Stderr)
	for name, f := range Fatals() {
		t.Run(name, func(t *testing.T) { planted.Fault(t, func(*testing.T) { f() }) })
	}
}

// Lines are those of this file, after a select, too.
func TestLines(t *testing.T) {
	src, err := os.ReadFile("forms_test.go")
	if err != nil {
		t.Fatal(err)
	}
	lineOf := func(text string) int {
		before, _, _ := strings.Cut(string(src), text)
		return strings.Count(before, "\n") + 1
	}
	ch := make(chan int, 1)
	line := func() int { _, _, n, _ := runtime.Caller(1); return n }
	select {
	case ch <- line(): // in a case
	}
	if got, want := <-ch, lineOf("// in "+"a case"); got != want {
		t.Error(got, want)
	}
	if got, want := line(), lineOf("// after "+"it"); got != want { // after it
		t.Error(got, want)
	}
	_, file, _, _ := runtime.Caller(0)
	if !strings.HasSuffix(file, "forms/forms_test.go") {
		t.Error(file)
	}
}
