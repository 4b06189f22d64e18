// Pagerank ranks the pages of a web that it makes up: a few have most of the links, as in
// the real one. Each step multiplies a sparse matrix, whose rows are very unequal in
// length, by a vector.
//
//	pagerank -pages 1000000
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"time"
)

func main() {
	switch err := run(os.Args[1:], os.Stdout, os.Stderr); {
	case err == flag.ErrHelp:
		os.Exit(2) // The flag package has said what is wrong.
	case err != nil:
		fmt.Fprintln(os.Stderr, "pagerank:", err)
		os.Exit(1)
	}
}

// run is main with its arguments, for tests. It writes to log what it did.
func run(args []string, out, log io.Writer) error {
	flags := flag.NewFlagSet("pagerank", flag.ContinueOnError)
	flags.SetOutput(log)
	pages := flags.Int("pages", 300_000, "how many pages there are")
	links := flags.Int("links", 10, "how many links a page has, on average")
	seed := flags.Uint64("seed", 1, "another number makes another web")
	plain := flags.Bool("plain", false, "use goroutines in place of par")
	if err := flags.Parse(args); err != nil {
		return flag.ErrHelp
	}
	if flags.NArg() > 0 {
		fmt.Fprintln(flags.Output(), "pagerank takes no arguments")
		flags.Usage()
		return flag.ErrHelp
	}
	if *pages < 2 || *links < 1 {
		return errors.New("-pages must be 2 or more, and -links positive")
	}
	w := newWeb(*pages, *links, *seed)
	step := step
	if *plain {
		step = stepPlain
	}
	start := time.Now()
	rank, steps := w.rank(step)
	took := time.Since(start)
	fmt.Fprintf(log, "%d pages, %d links, the largest has %d: %d steps, %.2f s\n", *pages, len(w.from), w.largest(), steps, took.Seconds())
	for _, p := range best(rank, 5) {
		fmt.Fprintf(out, "%.6f page %d\n", rank[p], p)
	}
	return nil
}

// A web is a sparse matrix: from[first[p]:first[p+1]] are the pages with a link to p.
type web struct {
	first, from []int
	out         []int // how many links leave each page
}

// newWeb makes a web in which page p has a share of the links that falls with its number,
// as in Zipf's law.
func newWeb(pages, links int, seed uint64) *web {
	r := rand.New(rand.NewPCG(seed, 0))
	w := &web{first: make([]int, pages+1), out: make([]int, pages)}
	total := float64(pages*links) / (math.Log(float64(pages)) + 0.58)
	for p := range pages {
		n := min(pages/2, 1+int(total/float64(p+1)))
		for range n {
			q := r.IntN(pages)
			w.out[q]++
			w.from = append(w.from, q)
		}
		w.first[p+1] = len(w.from)
	}
	return w
}

func (w *web) pages() int { return len(w.out) }

func (w *web) largest() (most int) {
	for p := range w.pages() {
		most = max(most, w.first[p+1]-w.first[p])
	}
	return most
}

// damping is how likely it is to follow a link, and not to begin anywhere.
const damping = 0.85

// near is the change of all ranks at which the steps end.
const near = 1e-9

// rank steps until the ranks stay as they are.
func (w *web) rank(step func(w *web, next, rank, share []float64) float64) (rank []float64, steps int) {
	rank, next, share := make([]float64, w.pages()), make([]float64, w.pages()), make([]float64, w.pages())
	for p := range rank {
		rank[p] = 1 / float64(w.pages())
	}
	for change := 1.0; change > near; steps++ {
		change = step(w, next, rank, share)
		rank, next = next, rank
	}
	return rank, steps
}

// shareOf is what a page gives to each page to which it links.
func (w *web) shareOf(p int, rank float64) float64 {
	if w.out[p] == 0 {
		return 0
	}
	return rank / float64(w.out[p])
}

// gets is what a page gets from those that have a link to it. lost is what the pages
// without links would have given: all get the same of it.
func (w *web) gets(p int, share []float64, lost float64) (sum float64) {
	for _, q := range w.from[w.first[p]:w.first[p+1]] {
		sum += share[q]
	}
	return (1-damping)/float64(w.pages()) + damping*(sum+lost/float64(w.pages()))
}

// lostOf is what the page gives to none.
func (w *web) lostOf(p int, rank float64) float64 {
	if w.out[p] == 0 {
		return rank
	}
	return 0
}

// best returns the n pages of the highest rank, in order.
func best(rank []float64, n int) (pages []int) {
	for p, r := range rank {
		at := len(pages)
		for at > 0 && rank[pages[at-1]] < r {
			at--
		}
		if at < n {
			pages = append(pages[:at], append([]int{p}, pages[at:min(len(pages), n-1)]...)...)
		}
	}
	return pages
}
