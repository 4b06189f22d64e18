package results

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"golang.org/x/perf/benchfmt"
)

// WriteBenchfmt prints a line for each run in the format of Go benchmarks, for
// benchstat and its like.
func (r *Report) WriteBenchfmt(w io.Writer) error {
	out := benchfmt.NewWriter(w)
	config := []benchfmt.Config{
		{Key: "goos", Value: []byte(r.Machine.OS), File: true},
		{Key: "goarch", Value: []byte(r.Machine.Arch), File: true},
		{Key: "cpu", Value: []byte(r.Machine.CPU), File: true},
		{Key: "commit", Value: []byte(r.Machine.Commit), File: true},
	}
	for _, workload := range r.Workloads {
		for _, row := range workload.Rows {
			if row.Error != "" {
				continue // A wrong answer has no time.
			}
			name := fmt.Sprintf("%s/impl=%s/workers=%d", capital(workload.Name), row.Implementation, row.Workers)
			for _, ns := range row.Nanos {
				values := []benchfmt.Value{seconds(ns*float64(workload.Ops), "op")}
				if workload.Ops > 1 {
					values = append(values, seconds(ns, workload.Unit))
				}
				if row.Bytes != nil && row.Allocs != nil {
					values = append(values, benchfmt.Value{Value: *row.Bytes, Unit: "B/op"}, benchfmt.Value{Value: *row.Allocs, Unit: "allocs/op"})
				}
				err := out.Write(&benchfmt.Result{Config: config, Name: benchfmt.Name(name), Iters: 1, Values: values})
				if err != nil {
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

// capital makes a name one of a benchmark, whose dashes would be taken for the
// number of processors.
func capital(name string) string {
	name = strings.ReplaceAll(name, "-", "_")
	return strings.ToUpper(name[:1]) + name[1:]
}

// Formats are the names of the formats that Write knows.
func Formats() []string { return []string{"table", "json", "benchstat"} }

// Write prints the report in one of the [Formats].
func (r *Report) Write(w io.Writer, format string) error {
	switch format {
	case "table":
		return r.WriteTable(w)
	case "json":
		return r.WriteJSON(w)
	case "benchstat":
		return r.WriteBenchfmt(w)
	}
	return fmt.Errorf("unknown format %s; there are: %s", strconv.Quote(format), strings.Join(Formats(), ", "))
}
