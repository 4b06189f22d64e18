// Package measured has the files that lab scale --json has printed on machines
// of all kinds. The README says how to add one.
package measured

import (
	"embed"
	"fmt"
	"io/fs"

	"github.com/rouse-go/rouse/lab/scale/measure"
)

//go:embed *.json
var files embed.FS

// Calibration is the name of the file that the simulator is validated by. Its
// machine is this-2 of package simulate.
const Calibration = "amd-epyc-2.json"

// Names returns the names of all files.
func Names() ([]string, error) { return fs.Glob(files, "*.json") }

// Load returns a file.
func Load(name string) (*measure.File, error) {
	f, err := files.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	m, err := measure.Read(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return m, nil
}
