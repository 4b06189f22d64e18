package results

import (
	"encoding/json"
	"io"
)

// WriteJSON prints everything.
func (r *Report) WriteJSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(r)
}
