package results

import (
	"strings"

	"github.com/rouse-go/rouse/lab/bench"
)

// approaches are the names that the documents have, by those of the backends.
var approaches = []struct{ backend, name string }{
	{bench.SequentialName, "(none, for the floor)"},
	{"sleep=spin", "Pure spin"},
	{"sleep=condvar", "Mutex + condvar"},
	{"sleep=jec", "JEC + condvar"},
	{"sleep=futex-goroutine", "Lock-free, goroutine parked"},
	{"sleep=futex", "Lock-free futex"},
}

// sleeps compares the sleep backends alone, as "Blitz: Sleep/Wake Protocol" and
// "Blitz: Lock-Free Futex Wake" do. It returns nil if nothing of it was
// measured.
func (r *Report) sleeps() *comparison {
	c := comparison{
		ID: "sleep", Title: "sleep backends",
		About: "what the source documents compare, measured here: medians, of the backends alone",
		Texts: 1, Header: []string{""},
	}
	rows := make([][]string, len(approaches))
	for _, column := range []struct{ workload, title string }{
		{"post-awake", "post, nobody asleep"},
		{"post-asleep", "post, one asleep"},
		{"wake", "post to first instruction"},
		{"rest", "CPU of a second idle"},
	} {
		w := r.workload(column.workload)
		if w == nil {
			continue
		}
		c.Header = append(c.Header, column.title)
		for i, a := range approaches {
			rows[i] = append(rows[i], w.medianOf(a.backend))
		}
	}
	for i, cells := range rows {
		if strings.Join(cells, "") != "" {
			c.Rows = append(c.Rows, append([]string{approaches[i].name}, cells...))
		}
	}
	if len(c.Rows) < 2 { // of which one is the floor
		return nil
	}
	return &c
}

// medianOf returns the median of an implementation, as it is written.
func (w *Workload) medianOf(implementation string) string {
	for _, r := range w.Rows {
		if r.Implementation == implementation && r.Error == "" {
			return nanos(r.Median)
		}
	}
	return ""
}
