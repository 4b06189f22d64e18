package measure_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/rouse-go/rouse/lab/scale"
	"github.com/rouse-go/rouse/lab/scale/measure"
)

// Each file can be read, and each row says what was measured in today's terms.
func TestFiles(t *testing.T) {
	names, err := filepath.Glob("*.json")
	if err != nil || len(names) == 0 {
		t.Fatalf("error %v, files %v", err, names)
	}
	for _, name := range names {
		file, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		f, err := measure.Read(file)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for _, r := range f.Rows {
			if !slices.Contains(scale.Names(), r.Name) {
				t.Errorf("%s: there is no row %s", name, r.Name)
			}
		}
	}
}

// The simulator is validated by rows with one and two workers, and by leaves that
// sleep. If the file lacked some, the validation would pass without them.
func TestCalibration(t *testing.T) {
	f, err := measure.Calibration()
	if err != nil {
		t.Fatal(err)
	}
	for _, full := range scale.Rows(scale.Full) {
		r, err := f.Of(full)
		if err != nil {
			t.Errorf("%s: %v: measure again", full.Name, err)
			continue
		}
		if r.With(1) == nil || r.With(2) == nil {
			t.Errorf("%s was not measured with one and two workers", full.Name)
		}
	}
	if f.Machine.Processors != 2 || len(f.Sleeping) < 12 {
		t.Errorf("%d processors, %d measurements of leaves that sleep; want 2, and 4 shapes with 3 numbers of workers", f.Machine.Processors, len(f.Sleeping))
	}
}
