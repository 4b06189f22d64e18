package picture

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"time"

	"github.com/rouse-go/rouse/pool/record"
)

// A traceEvent is one of the Trace Event Format of Chrome. Times are in microseconds.
type traceEvent struct {
	Name  string         `json:"name"`
	Phase string         `json:"ph"`
	Cat   string         `json:"cat,omitempty"`
	TS    float64        `json:"ts"`
	PID   int            `json:"pid"`
	TID   int            `json:"tid"`
	ID    int            `json:"id,omitempty"`
	Bind  string         `json:"bp,omitempty"`
	Args  map[string]any `json:"args,omitempty"`
}

// The processes of a trace, in which Perfetto groups the lanes.
const (
	workersPID = 1
	jobsPID    = 2
)

// WriteTrace writes a recording as trace events in JSON, as Chrome's tracing has them ("Trace Event
// Format"): Perfetto opens the file. Lanes are threads. The slices of each begin and end one
// within the other; flows are steals, and jobs that go on with another worker. The title names
// the trace. If events were dropped, the metadata says between which times.
func WriteTrace(to io.Writer, r *record.Recording, title string) error {
	t := newTimeline(r)
	w := bufio.NewWriter(to)
	other, err := json.Marshal(map[string]any{
		"title": title, "workers": r.Workers, "processors": r.Processors, "began": r.Began.Format(time.RFC3339Nano), "length_us": us(r.Length),
		"complete_until_us": us(r.FullAfter()), "complete_from_us": us(r.Resumes()), "events": len(r.Events), "dropped_events": r.Dropped,
	})
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "{\"displayTimeUnit\":\"ns\",\"otherData\":%s,\"traceEvents\":[\n", other)
	first := true
	write := func(e traceEvent) {
		if err != nil {
			return
		}
		var b []byte
		if b, err = json.Marshal(e); err != nil {
			return
		}
		if !first {
			_, _ = w.WriteString(",\n")
		}
		first = false
		_, err = w.Write(b)
	}
	t.trace(r, title, write)
	if err != nil {
		return err
	}
	_, _ = w.WriteString("\n]}\n")
	return w.Flush()
}

func us(d time.Duration) float64 { return float64(d) / float64(time.Microsecond) }

func (t *timeline) trace(r *record.Recording, title string, write func(traceEvent)) {
	workers := "workers of the pool"
	if title != "" {
		workers = title + ": workers"
	}
	meta := func(pid, tid int, what string, args map[string]any) {
		write(traceEvent{Name: what, Phase: "M", PID: pid, TID: tid, Args: args})
	}
	meta(workersPID, 0, "process_name", map[string]any{"name": workers})
	if len(t.lanes) > r.Workers {
		meta(jobsPID, 0, "process_name", map[string]any{"name": "jobs without a worker"})
	}
	pid := func(n int) int {
		if n < r.Workers {
			return workersPID
		}
		return jobsPID
	}
	for n := range t.lanes {
		meta(pid(n), n+1, "thread_name", map[string]any{"name": t.lanes[n].name})
		meta(pid(n), n+1, "thread_sort_index", map[string]any{"sort_index": n})
	}
	for n := range t.lanes {
		at := func(phase string, when time.Duration, s *span) {
			e := traceEvent{Name: s.title(), Phase: phase, Cat: stateNames[s.state], TS: us(when), PID: pid(n), TID: n + 1}
			if phase == "B" && s.job > 0 {
				e.Args = map[string]any{"job": s.job, "state": stateNames[s.state]}
				if s.detail != "" {
					e.Args["about"] = s.detail
				}
				if at := t.where[s.name]; at != "" {
					e.Args["at"] = at
				}
			}
			write(e)
		}
		var open []*span
		spans := t.lanes[n].spans
		for i := range spans {
			s := &spans[i]
			for len(open) > s.depth {
				at("E", open[len(open)-1].to, open[len(open)-1])
				open = open[:len(open)-1]
			}
			at("B", s.from, s)
			open = append(open, s)
		}
		for len(open) > 0 {
			at("E", open[len(open)-1].to, open[len(open)-1])
			open = open[:len(open)-1]
		}
	}
	for i, a := range t.arrows {
		name := "goes on"
		if a.steal {
			name = "steal"
		}
		args := map[string]any{"job": a.job}
		write(traceEvent{Name: name, Cat: name, Phase: "s", TS: us(a.leaves), PID: pid(a.from), TID: a.from + 1, ID: i + 1, Args: args})
		write(traceEvent{Name: name, Cat: name, Phase: "f", Bind: "e", TS: us(a.arrives), PID: pid(a.to), TID: a.to + 1, ID: i + 1})
	}
}

// title is what a slice is called.
func (s *span) title() string {
	switch {
	case s.state == looking || s.state == asleep || s.state == closed || s.state == unknown:
		return stateNames[s.state]
	case s.state == loops || s.state == piece:
		return stateNames[s.state] + ": " + s.name
	}
	return s.name
}
