package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/rouse-go/rouse/tools/census"
	"github.com/rouse-go/rouse/tools/cli"
)

// earlierRun stands for all workers of processes that did not end this run.
const earlierRun = "earlier"

// A share is what a worker did.
type share struct {
	parts                   int
	directories, files      int64
	bytes                   int64
	redelivered, duplicates int
}

func (s *share) add(t share) {
	s.parts += t.parts
	s.directories += t.directories
	s.files += t.files
	s.bytes += t.bytes
	s.redelivered += t.redelivered
	s.duplicates += t.duplicates
}

// shares returns what each worker did, by name.
func (r *run) shares() map[string]share {
	all := map[string]share{}
	note := func(worker string, t share) {
		s := all[worker]
		s.add(t)
		all[worker] = s
	}
	for _, f := range r.found {
		c := f.Piece.Total()
		t := share{parts: 1, directories: c.Directories, files: c.Files, bytes: c.Bytes}
		if f.Deliveries > 1 {
			t.redelivered = 1
		}
		note(f.Worker, t)
	}
	for worker, n := range r.again {
		note(worker, share{duplicates: n})
	}
	for _, m := range r.crew.all {
		note(m.name, share{})
	}
	return all
}

const legend = `directories  whole ones; what was divided among workers, the parent folds
redelivered  parts that were in another worker's hands before, or in this one's
duplicates   parts that this worker was given, and whose total was there already
`

// report prints what was found, and who did what.
func (r *run) report(c *census.Census) error {
	var table strings.Builder
	t := tabwriter.NewWriter(&table, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "worker\tended\tparts\tdirectories\tfiles\tMB\tredelivered\tduplicates")
	row := func(name, ended string, s share) {
		fmt.Fprintf(t, "%s\t%s\t%5d\t%11d\t%5d\t%.1f\t%11d\t%10d\n", name, ended, s.parts, s.directories, s.files, float64(s.bytes)/1e6, s.redelivered, s.duplicates)
	}
	shares := r.shares()
	var all share
	for _, name := range slices.Sorted(maps.Keys(shares)) {
		all.add(shares[name])
		row(name, r.ended[name], shares[name])
	}
	divided := share{directories: c.Total().Directories - all.directories}
	all.add(divided)
	row("parent", "", divided)
	row("all", "", all)
	if err := t.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(r.stdout, "%s\n%sdigest %s\n\n%s\n%s\n%.2f s with %s on %s each\n", cli.Printable(r.dir), c.Summary(), c.Total().Digest, &table, legend,
		time.Since(r.began).Seconds(), count(r.workers, "worker"), count(r.procs, "processor"))
	return err
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
