package predict

import (
	"bytes"
	"reflect"
	"strings"
	"testing"
)

// A report survives the way from the command that simulates.
func TestRead(t *testing.T) {
	want := &Report{
		Title: "predicted", Checks: []Check{{Name: "digest", OK: true}},
		Cells: []Cell{{Workload: "fib", Lost: map[Limit]float64{Ramp: 0.5}}}, Assumptions: []Assumption{}, Thumbs: []Thumb{},
	}
	var b bytes.Buffer
	if err := Print(&b, want, nil); err != nil {
		t.Fatal(err)
	}
	if got, err := read(b.Bytes()); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, error %v", got, err)
	}
}

func TestReadMistakes(t *testing.T) {
	for printed, says := range map[string]string{
		`{"error": "off"}`: "off",
		`{}`:               "no report",
		`panic: index`:     "no report",
	} {
		if r, err := read([]byte(printed)); r != nil || err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: report %v, error %v, want %q", printed, r, err, says)
		}
	}
	if r, err := read(nil); r != nil || err != nil {
		t.Errorf("nothing was printed: report %v, error %v", r, err)
	}
}
