package results

import (
	"fmt"
	"io"
	"strings"

	"golang.org/x/perf/benchfmt"
)

// WriteBenchfmt prints a line for each run in the format of Go benchmarks, for
// benchstat and its like. A wrong answer has no time.
func (r *Report) WriteBenchfmt(w io.Writer) error {
	out := benchfmt.NewWriter(w)
	config := []benchfmt.Config{
		{Key: "goos", Value: []byte(r.Machine.OS), File: true},
		{Key: "goarch", Value: []byte(r.Machine.Arch), File: true},
		{Key: "cpu", Value: []byte(r.Machine.CPU), File: true},
		{Key: "commit", Value: []byte(r.Machine.Commit), File: true},
	}
	for _, workload := range r.workloads {
		// Dashes would be taken for the number of processors.
		name := strings.ReplaceAll(workload.Name, "-", "_")
		name = strings.ToUpper(name[:1]) + name[1:]
		for _, row := range workload.rows {
			if !row.timed() {
				continue
			}
			full := benchfmt.Name(fmt.Sprintf("%s/impl=%s/workers=%d", name, row.name, row.Workers))
			for _, ns := range row.Nanos {
				values := []benchfmt.Value{seconds(ns*float64(workload.Ops), "op")}
				if workload.Ops > 1 {
					values = append(values, seconds(ns, workload.Unit))
				}
				if u := row.Usage; row.Counted > 0 {
					values = append(values, benchfmt.Value{Value: row.per(u.Bytes), Unit: "B/op"}, benchfmt.Value{Value: row.per(u.Allocs), Unit: "allocs/op"})
				}
				if err := out.Write(&benchfmt.Result{Config: config, Name: full, Iters: 1, Values: values}); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// seconds is a time as benchmarks print it, in nanoseconds.
func seconds(ns float64, unit string) benchfmt.Value {
	return benchfmt.Value{Value: ns / 1e9, Unit: "sec/" + unit, OrigValue: ns, OrigUnit: "ns/" + unit}
}
