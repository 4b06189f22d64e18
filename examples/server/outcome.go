package main

import (
	"errors"
	"fmt"
	"io"
	"runtime"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
	"github.com/jedib0t/go-pretty/v6/table"
)

// An outcome is what became of the load on one server.
type outcome struct {
	kind   string
	limits limits

	// peak is how many requests a second succeed when as many clients as it has workers and
	// half its queue wait for their answers; offered, how many a second were then sent,
	// and throughput, how many of these succeeded.
	peak, offered, throughput float64

	sent, inTime, failed int
	ok, refused          *hdrhistogram.Histogram // in microseconds
	late                 *hdrhistogram.Histogram // how long after they were due requests were sent
	before, after        int                     // goroutines of the server
}

// bound is what the 99th percentile must keep: twice the time in which the workers get
// through a full queue.
func (o *outcome) bound() time.Duration {
	service := float64(o.limits.workers) / o.peak // seconds
	return time.Duration(2 * float64(o.limits.queue) * service / float64(o.limits.workers) * 1e9)
}

// percentile returns one of a histogram, or 0 of an empty one.
func percentile(h *hdrhistogram.Histogram, p float64) time.Duration {
	return time.Duration(h.ValueAtPercentile(p)) * time.Microsecond
}

// refusal is how long a refusal may take.
const refusal = 5 * time.Millisecond

// missed returns an error that says which limits were not kept.
func (o *outcome) missed() error {
	var errs []error
	miss := func(bad bool, format string, args ...any) {
		if bad {
			errs = append(errs, fmt.Errorf("%s: "+format, append([]any{o.kind}, args...)...))
		}
	}
	miss(o.throughput < 0.9*o.peak, "throughput is %.2f of the peak, want 0.9", o.throughput/o.peak)
	miss(percentile(o.ok, 99) > o.bound(), "p99 is %v, want at most %v", percentile(o.ok, 99), o.bound())
	miss(percentile(o.refused, 99) > refusal, "p99 of the refusals is %v, want at most %v", percentile(o.refused, 99), refusal)
	miss(o.failed > 0, "%d requests failed", o.failed)
	miss(o.after > o.before, "%d goroutines, %d before", o.after, o.before)
	return errors.Join(errs...)
}

func printOutcomes(out io.Writer, l limits, d time.Duration, all []*outcome) {
	fmt.Fprintf(out, "%d workers, queue of %d, deadline %v, load for %v; load and server share %d processors (%s, %s/%s)\n",
		l.workers, l.queue, l.timeout, d, runtime.NumCPU(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
	t := table.NewWriter()
	t.AppendHeader(table.Row{"", "peak /s", "load /s", "done /s", "of peak", "p50", "p99", "bound", "503s", "their p50", "p99", "max", "sent late, p99", "failed", "goroutines"})
	for _, o := range all {
		ms := func(d time.Duration) string { return fmt.Sprintf("%.1f ms", d.Seconds()*1e3) }
		row := table.Row{o.kind, fmt.Sprintf("%.0f", o.peak), fmt.Sprintf("%.0f", o.offered), fmt.Sprintf("%.0f", o.throughput),
			fmt.Sprintf("%.2f", o.throughput/o.peak), ms(percentile(o.ok, 50)), ms(percentile(o.ok, 99)), ms(o.bound())}
		if o.refused.TotalCount() > 0 {
			row = append(row, o.refused.TotalCount(), ms(percentile(o.refused, 50)), ms(percentile(o.refused, 99)), ms(percentile(o.refused, 100)))
		} else {
			row = append(row, 0, "", "", "")
		}
		t.AppendRow(append(row, ms(percentile(o.late, 99)), o.failed, fmt.Sprintf("%d → %d", o.before, o.after)))
	}
	fmt.Fprintln(out, t.RenderMarkdown())
}
