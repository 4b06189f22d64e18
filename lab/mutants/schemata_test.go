package mutants

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/lab/internal/planted"
)

// plant writes a module whose test fails unless its function does what it ships with.
func plant(t *testing.T) (root string) {
	t.Helper()
	t.Setenv("GOWORK", "off")
	return planted.Tree(t, map[string]string{
		"go.mod": "module shop\n\ngo 1.25.0\n",
		"api/a.go": `package api

const most = 2

// Sum adds up to most numbers.
func Sum(all []int) (sum int) {
loop:
	for i, x := range all {
		if i == most {
			break loop
		}
		sum += x
	}
	return sum
}

func note(log *[]string) {
	defer func() {
		if recover() != nil {
			*log = append(*log, "panic")
		}
	}()
	*log = append(*log, "begun")
	panic(0)
}
`,
		"api/a_test.go": `package api

import (
	"slices"
	"testing"
)

func TestSum(t *testing.T) {
	if got := Sum([]int{1, 2, 3}); got != 3 {
		t.Errorf("A1: the sum is %d", got)
	}
}

func TestNote(t *testing.T) {
	var log []string
	note(&log)
	if !slices.Equal(log, []string{"begun", "panic"}) {
		t.Errorf("A2: %v", log)
	}
}

func TestSkipped(t *testing.T) { t.Skip() }
`,
	})
}

var faults = []Mutant{
	{"sum/one_more", in("api/a.go", "Sum").replace("i == most", "i == most+1"), own("TestSum", "A1: the sum is 6")},
	{"sum/goes_on", in("api/a.go", "Sum").replace("break loop", "sum *= 2; continue loop"), own("TestSum", "A1: ")},
	{"note/silent", in("api/a.go", "note").drop("*log = append(*log, \"begun\")"), own("TestNote", "A2: [panic]")},
}

// Mutants of one program die of what each must die of.
func TestJudge(t *testing.T) {
	verdicts, err := Judge(t.Context(), plant(t), faults, Options{})
	if err != nil {
		t.Fatal(err)
	}
	controls := 0
	for _, v := range verdicts {
		if v.Err != nil {
			t.Errorf("%s: %v", v.Name, v.Err)
		}
		if v.Control {
			controls++
		}
	}
	if len(verdicts)-controls != len(faults) || controls == 0 {
		t.Errorf("%d verdicts, of which %d are controls", len(verdicts), controls)
	}
}

// What is wrong with a row is an error, or a verdict, that names it.
func TestJudgeMistakes(t *testing.T) {
	root := plant(t)
	wrong := in("api/a.go", "Sum").replace("break loop", "sum *= 2; continue loop")
	for _, test := range []struct {
		mutant Mutant
		says   string
	}{
		{Mutant{"m/file", in("api/gone.go", "Sum").drop("x"), own("TestSum", "A1: ")}, "m/file: open "},
		{Mutant{"m/function", in("api/a.go", "Gone").drop("x"), own("TestSum", "A1: ")}, "m/function: api/a.go has no Gone"},
		{Mutant{"m/fragment", in("api/a.go", "Sum").drop("gone()"), own("TestSum", "A1: ")}, `m/fragment: api/a.go, Sum: there is no "gone()"`},
		{Mutant{"m/constant", in("api/a.go", "const most").replace("2", "3"), own("TestSum", "A1: ")}, "m/constant: api/a.go: it has another const most"},
		{Mutant{"m/compiles_not", in("api/a.go", "Sum").replace("i == most", "i == nothing"), own("TestSum", "A1: ")}, "m/compiles_not"},
		{Mutant{"m/killer", wrong, own("TestGone", "A1: ")}, "there is no test TestGone"},
		{Mutant{"m/skipped", wrong, own("TestSkipped", "A1: ")}, "there is no test TestSkipped"},
		{Mutant{"m/survives", wrong, own("TestNote", "A1: ")}, "it survives"},
		{Mutant{"m/says", wrong, own("TestSum", "A7: ")}, `does not say "A7: "`},
	} {
		verdicts, err := Judge(t.Context(), root, []Mutant{test.mutant}, Options{})
		text := fmt.Sprint(err)
		for _, v := range verdicts {
			text += fmt.Sprintf("\n%s: %v", v.Name, v.Err)
		}
		if !strings.Contains(text, test.says) || !strings.Contains(text, test.mutant.Name) {
			t.Errorf("%s: want %q, got %s", test.mutant.Name, test.says, text)
		}
	}
	if _, err := Judge(t.Context(), root, nil, Options{}); err == nil {
		t.Error("no mutants, and no error")
	}
}

// A switch that names no mutant ends the program.
func TestSwitch(t *testing.T) {
	root := plant(t)
	programs, err := schemata(root, faults)
	if err != nil {
		t.Fatal(err)
	}
	p, err := faults[0].target().build(t.Context(), root, t.TempDir(), programs[faults[0].target()])
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []string{"5", "-1", "0", "sum/one_more"} {
		t.Setenv(Switch, s)
		o, err := p.run(t.Context(), run{tests: []string{"TestSum"}})
		if err == nil || !strings.Contains(o.output, "there is no such mutant") {
			t.Errorf("%s=%s: error %v, output %s", Switch, s, err, o.output)
		}
	}
}
