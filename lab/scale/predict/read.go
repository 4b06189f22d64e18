package predict

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
)

// Read reads a report that [Report.Write] has printed. The error says what is
// wrong with it.
func Read(from io.Reader) (*Report, error) {
	printed, err := io.ReadAll(from)
	if err != nil {
		return nil, err
	}
	// Of another version only these two are known to be there.
	var head struct {
		Version int
		Title   string
	}
	if err := json.Unmarshal(printed, &head); err != nil {
		return nil, fmt.Errorf("no report of lab predict in JSON: %w", err)
	}
	if !strings.HasPrefix(head.Title, begins) {
		return nil, errors.New("no report of lab predict: it does not say that it was predicted")
	}
	if head.Version != Version {
		return nil, fmt.Errorf("a report of version %d, and this command reads version %d: predict again", head.Version, Version)
	}
	r := new(Report)
	if err := json.Unmarshal(printed, r); err != nil {
		return nil, fmt.Errorf("no report of lab predict in JSON: %w", err)
	}
	return r, r.check()
}

// check returns an error if the report lacks what a page shows.
func (r *Report) check() error {
	if len(r.Cells) == 0 {
		return errors.New("a report that predicts nothing")
	}
	seen := map[[2]any]bool{}
	for _, c := range r.Cells {
		wrong := c.Workload == "" || c.Workers < 1 || seen[[2]any{c.Workload, c.Workers}]
		seen[[2]any{c.Workload, c.Workers}] = true
		for _, x := range []float64{c.Low, c.Base, c.High, c.Bound, c.OfBound, c.Elapsed} {
			wrong = wrong || !(x > 0) || math.IsInf(x, 0)
		}
		if wrong || c.Ramp < 0 {
			return fmt.Errorf("no report of lab predict: %q with %d workers is there twice, or lacks some of its numbers", c.Workload, c.Workers)
		}
	}
	return nil
}
