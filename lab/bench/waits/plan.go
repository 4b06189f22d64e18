// Package waits runs programs whose jobs wait: with a lock held across a join,
// and beside the long jobs of other callers. Each program ends when every fork
// is a thread. The package says which implementation hangs or is late.
//
// An implementation is a child process, so that one that hangs can be killed. It
// speaks the protocol of lab/peers. [Serve] is its side for those in Go.
package waits

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"time"

	"github.com/rouse-go/rouse/lab/internal/child"
)

// An Implementation is a command that speaks the protocol of lab/peers.
type Implementation struct {
	Name    string
	Command []string
}

// A Plan says what to run.
type Plan struct {
	Programs        []*Program
	Implementations []Implementation
	Workers         []int
	// Tries is how often each program runs on each implementation.
	Tries int
	// Patience is how long an implementation may take for a run. One that takes
	// longer hangs.
	Patience time.Duration
	// Watch is called before each try, if it is not nil.
	Watch func(row *Row, done int)
}

// A Row says what a program did on an implementation with some workers.
type Row struct {
	Program        string `json:"program"`
	Workers        int    `json:"workers"`
	Implementation string `json:"implementation"`
	// Tries is how many there were, Hangs how many of them had no end.
	Tries int `json:"tries"`
	Hangs int `json:"hangs"`
	// Late is how many of the times are as long as if another caller's job had
	// been waited for; null if there are no other callers.
	Late *int `json:"late"`
	// Nanos are the times of the tries that ended, in their order; beside a
	// recursion those of all requests.
	Nanos []int64 `json:"ns"`
	// These are null if none ended.
	Median  *float64 `json:"median_ns"`
	P99     *float64 `json:"p99_ns"`
	Largest *float64 `json:"largest_ns"`
	// Requests is how many requests a second were answered beside a recursion, and
	// Loss the part of its work that it lost to them: medians of the tries, null if
	// there was no recursion.
	Requests *float64 `json:"requests_per_second"`
	Loss     *float64 `json:"loss"`
	// Error says why there are no more tries; "" if all were made.
	Error string `json:"error,omitempty"`

	rates, losses []float64
}

// TriesInAll is how many tries the plan has.
func (p *Plan) TriesInAll() int {
	return p.Tries * len(p.Programs) * len(p.Implementations) * len(p.Workers)
}

// Run makes all tries, one at a time. A row has the error of an implementation
// that is not there, dies, or answers wrongly. Run returns an error if ctx ends.
func (p *Plan) Run(ctx context.Context) (rows []*Row, err error) {
	done := 0
	for _, prog := range p.Programs {
		answers := p.answers(prog)
		for _, workers := range p.Workers {
			for _, i := range p.Implementations {
				row := &Row{Program: prog.Name, Workers: workers, Implementation: i.Name, Nanos: []int64{}}
				p.try(ctx, row, prog, i, answers, done)
				if ctx.Err() != nil {
					return nil, ctx.Err()
				}
				done += p.Tries
				row.summarize(prog)
				rows = append(rows, row)
			}
		}
	}
	return rows, nil
}

// An answer is what an implementation must say but for the time.
type answer struct {
	digest uint64
	forks  int64
}

// answers returns those of each try.
func (p *Plan) answers(prog *Program) (all []answer) {
	for n := range p.Tries {
		digest, forks := prog.expect(prog.size(n))
		all = append(all, answer{digest, forks})
	}
	return all
}

// try makes the tries of a row in one process, as long as that does not hang.
func (p *Plan) try(ctx context.Context, row *Row, prog *Program, i Implementation, answers []answer, done int) {
	if _, err := exec.LookPath(i.Command[0]); err != nil {
		row.Error = "not installed: " + err.Error()
		return
	}
	c := child.New(ctx, p.Patience, i.Command...)
	defer c.Close()
	for n, want := range answers {
		if p.Watch != nil {
			p.Watch(row, done+n)
		}
		ns, more, err := ask(c, prog.beside, fmt.Sprintf("run %s %d %d", prog.Name, row.Workers, prog.size(n)), want)
		var hangs child.NoAnswer
		switch {
		case errors.As(err, &hangs):
			row.Hangs++
		case err != nil:
			row.Error = err.Error()
			return
		case more != nil:
			row.add(ns, more)
		default:
			row.Nanos = append(row.Nanos, ns)
		}
		row.Tries++
	}
}

// add adds what came of a recursion with requests beside it, for so long.
func (r *Row) add(ns int64, more *recursion) {
	for _, t := range more.requests {
		r.Nanos = append(r.Nanos, t.Nanoseconds())
	}
	r.rates = append(r.rates, float64(len(more.requests))/(float64(ns)/1e9))
	r.losses = append(r.losses, 1-float64(more.beside)/float64(more.alone))
}

// ask returns the time of a run with the right answer, and if it has a recursion what came
// of that.
func ask(c *child.Program, beside bool, line string, want answer) (ns int64, more *recursion, err error) {
	if err := c.Start(); err != nil {
		return 0, nil, err
	}
	reply, err := c.Ask(line)
	if err != nil {
		return 0, nil, err
	}
	var got answer
	if _, err := fmt.Sscan(reply, &ns, &got.digest, &got.forks); err != nil || ns <= 0 {
		return 0, nil, fmt.Errorf("says %q, must be NS RESULT FORKS", reply)
	}
	if got != want {
		return 0, nil, fmt.Errorf("the answer of %q is %d with %d forks, must be %d with %d", line, got.digest, got.forks, want.digest, want.forks)
	}
	if beside {
		more, err = parseRecursion(strings.Fields(reply)[3:])
	}
	return ns, more, err
}
