package tape

import (
	"math"
	"runtime/metrics"
	"time"

	"github.com/rouse-go/rouse/pool/record"
)

// Go tells nobody the processor time of a goroutine. What it tells of the process, and what the system
// tells, is enough to say why jobs that have workers do not get on.

// sampled is of how many waits the runtime measures one (gTrackingPeriod in runtime2.go). It
// multiplies the wait for locks by that itself.
const sampled = 8

// used returns what the process has used until now.
func used() (u record.Usage) {
	all := []metrics.Sample{
		{Name: "/sync/mutex/wait/total:seconds"}, {Name: "/sched/latencies:seconds"},
		{Name: "/gc/cycles/total:gc-cycles"}, {Name: "/cpu/classes/gc/pause:cpu-seconds"},
		{Name: "/cpu/classes/gc/mark/assist:cpu-seconds"}, {Name: "/cpu/classes/gc/mark/dedicated:cpu-seconds"},
	}
	metrics.Read(all)
	u.Locks, u.Collecting = seconds(all[0]), seconds(all[3])+seconds(all[4])+seconds(all[5])
	if v := all[1].Value; v.Kind() == metrics.KindFloat64Histogram {
		u.Ready = sampled * sum(v.Float64Histogram())
	}
	if v := all[2].Value; v.Kind() == metrics.KindUint64 {
		u.Collections = int(v.Uint64())
	}
	u.CPU, u.Delay = processors()
	return u
}

// since returns what was used after before.
func since(before record.Usage) record.Usage {
	u := used()
	return record.Usage{
		CPU: u.CPU - before.CPU, Delay: max(0, u.Delay-before.Delay), Locks: u.Locks - before.Locks, Ready: u.Ready - before.Ready,
		Collections: u.Collections - before.Collections, Collecting: u.Collecting - before.Collecting,
	}
}

func seconds(s metrics.Sample) time.Duration {
	if s.Value.Kind() != metrics.KindFloat64 {
		return 0 // a release of Go that has another name for it
	}
	return time.Duration(s.Value.Float64() * float64(time.Second))
}

// sum adds up times that are known by their buckets: each counts as the least of its bucket.
func sum(h *metrics.Float64Histogram) time.Duration {
	var all float64
	for i, n := range h.Counts {
		if least := h.Buckets[i]; n > 0 && !math.IsInf(least, 0) {
			all += float64(n) * least
		}
	}
	return time.Duration(all * float64(time.Second))
}
