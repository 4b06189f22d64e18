package cluster

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"
	"time"
)

// earlierRun stands for all workers of processes that did not end this run.
const earlierRun = "earlier"

// A share is what a worker did.
type share struct {
	ended                   string
	restarts                int
	keys, bytes             int
	redelivered, duplicates int
}

// shares returns what each worker did, by name.
func (r *run) shares() map[string]*share {
	all := map[string]*share{}
	of := func(worker string) *share {
		if all[worker] == nil {
			all[worker] = &share{}
		}
		return all[worker]
	}
	for _, result := range r.results {
		s := of(result.worker)
		s.keys++
		s.bytes += len(result.data)
		if result.deliveries > 1 {
			s.redelivered++
		}
	}
	for worker, n := range r.again {
		of(worker).duplicates = n
	}
	for _, m := range r.crew.all {
		s := of(m.name)
		s.ended, s.restarts = m.ended, m.restarts
	}
	return all
}

const legend = `ended        how its process ended, if early; it is started again, unless it ends too often without a result
redelivered  keys that were in another worker's hands before, or in this one's
duplicates   keys that this worker was given, and whose result was there already
`

// report prints who did what.
func (r *run) report() error {
	var table strings.Builder
	t := tabwriter.NewWriter(&table, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "worker\tended\trestarts\tkeys\tkB\tredelivered\tduplicates")
	row := func(name string, s *share) {
		fmt.Fprintf(t, "%s\t%s\t%8d\t%4d\t%.1f\t%11d\t%10d\n", name, s.ended, s.restarts, s.keys, float64(s.bytes)/1e3, s.redelivered, s.duplicates)
	}
	shares := r.shares()
	var all share
	for _, name := range slices.Sorted(maps.Keys(shares)) {
		s := shares[name]
		all.restarts += s.restarts
		all.keys += s.keys
		all.bytes += s.bytes
		all.redelivered += s.redelivered
		all.duplicates += s.duplicates
		row(name, s)
	}
	row("all", &all)
	if err := t.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(r.stdout, "\n%s\n%s%s\n%.2f s with %s on %s each\n", &table, legend, r.traffic,
		time.Since(r.began).Seconds(), count(r.workers, "worker"), count(r.procs, "processor"))
	return err
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
