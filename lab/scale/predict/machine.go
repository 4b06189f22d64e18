package predict

import (
	"fmt"
	"math"
	"os"
	"slices"
	"strings"

	"github.com/rouse-go/rouse/lab/simulate"
)

// Calibrated is the machine of the simulator that the first file of package
// measured was measured on.
const Calibrated = "this-2"

// Machine returns the machine of the given name, or the one that a file
// describes if file is not empty. The error lists the names, or says which line
// of the file is wrong.
func Machine(name, file string) (*simulate.Machine, error) {
	if file == "" {
		if !slices.Contains(simulate.Machines(), name) {
			return nil, fmt.Errorf("unknown machine %q; there are: %s", name, strings.Join(simulate.Machines(), ", "))
		}
		return simulate.Load(name)
	}
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return simulate.Parse(file, f)
}

// Fit returns the machine of the simulator for a real one with so many
// processors, and whether it has exactly as many. Otherwise it is the one whose
// number is nearest, as a ratio.
func Fit(processors int) (m *simulate.Machine, exact bool, err error) {
	nearest := math.Inf(1)
	for _, name := range simulate.Machines() {
		candidate, err := simulate.Load(name)
		if err != nil {
			return nil, false, err
		}
		if off := math.Abs(math.Log(float64(candidate.Processors) / float64(processors))); off < nearest {
			m, nearest = candidate, off
		}
	}
	return m, nearest == 0, nil
}
