package results

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// WriteJSON prints everything.
func (r *Report) WriteJSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(r)
}

// Read returns the report that WriteJSON has printed.
func Read(from io.Reader) (*Report, error) {
	r := new(Report)
	d := json.NewDecoder(from)
	if err := d.Decode(r); err != nil {
		return nil, fmt.Errorf("no report in JSON: %w", err)
	}
	if len(r.Workloads) == 0 {
		return nil, errors.New("no report in JSON: it has no workloads")
	}
	for _, w := range r.Workloads {
		for _, row := range w.Rows {
			if err := row.check(); err != nil {
				return nil, fmt.Errorf("%s, %s: %w", w.Name, row.Implementation, err)
			}
		}
	}
	return r, nil
}

// check returns an error if the row has some of its times, but not all.
func (r *Row) check() error {
	all := r.Median != nil && r.P10 != nil && r.P99 != nil
	if any := r.Judged != nil || r.MedianLow != nil || r.MedianHigh != nil; any && !all {
		return errors.New("lacks some of its times")
	}
	return nil
}
