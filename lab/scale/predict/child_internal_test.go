package predict

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// A report survives the way from the program that simulates, and what comes before it says
// how far that is.
func TestRead(t *testing.T) {
	want := &Report{
		Title: "predicted", Checks: []Check{{Name: "digest", OK: true}},
		Cells: []Cell{{Workload: "fib", Lost: map[Limit]float64{Ramp: 0.5}}}, Assumptions: []Assumption{},
	}
	var b strings.Builder
	print := json.NewEncoder(&b)
	for _, m := range []message{{Doing: "fib"}, {Doing: "tree", Done: 1}, {Report: want}} {
		if err := print.Encode(m); err != nil {
			t.Fatal(err)
		}
	}
	var watched []string
	got, err := read(strings.NewReader(b.String()), func(doing string, done int) { watched = append(watched, fmt.Sprint(doing, done)) })
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, error %v", got, err)
	}
	if !slices.Equal(watched, []string{"fib0", "tree1"}) {
		t.Errorf("watched %v", watched)
	}
	if _, err := read(strings.NewReader(b.String()), nil); err != nil {
		t.Errorf("with nobody that watches: %v", err)
	}
}

func TestReadMistakes(t *testing.T) {
	for printed, says := range map[string]string{
		`{"error": "off"}`: "off",
		`panic: index`:     "no report",
	} {
		if r, err := read(strings.NewReader(printed), nil); r != nil || err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: report %v, error %v, want %q", printed, r, err, says)
		}
	}
	for _, printed := range []string{"", `{"doing": "fib"}`} {
		if r, err := read(strings.NewReader(printed), nil); r != nil || !errors.Is(err, io.EOF) {
			t.Errorf("%q was printed: report %v, error %v", printed, r, err)
		}
	}
}
