package bench

import (
	"time"

	"github.com/rouse-go/rouse/lab/bench/work"
)

// A Workload is a job of one size, and what its answer must be.
type Workload struct {
	Name  string
	About string // one line
	// Unit is what the time is divided by, and Ops how many of them a run is:
	// a time is given for each fork, job or run. By default it is the run.
	Unit string
	Ops  int
	// Cost says that the rows are compared by the lower tenth: what an operation costs when nothing
	// else gets in its way. If not, it is by the median: a user waits for the run.
	Cost bool
	// Goals are bounds on what this repository takes, on its defaults.
	Goals []Goal
	// Outside are the words by which programs in other languages are asked
	// for this workload, and In the programs that have it.
	Outside string
	In      []string
	// Workers, if not nil, are the numbers of workers to measure with,
	// whatever is asked for.
	Workers []int
	// Program makes what implementations in Go run. It may take long and use
	// much memory.
	Program func() *work.Program
	// Want is the answer, where the program has no plain code that says it.
	Want uint64
}

// A Goal bounds what a workload takes. Goals are of the full sizes.
type Goal struct {
	// Most is how many times as long as Of it takes at most, or how many nanoseconds if there is no Of.
	Most float64
	// Of is an implementation, or Others. It has as many workers, whatever that means to plain code.
	Of string
	// Workers is the number of workers that the goal is about; 0 means each.
	Workers int
	// Tail says that the 99th percentile is bounded, too.
	Tail bool
}

// Others stands for the fastest of the implementations that are neither plain code nor this
// repository's.
const Others = "the fastest other one"

// answer is what all must say: what the plain code gives, where there is some.
func (w *Workload) answer(p *work.Program) uint64 {
	if p.Plain == nil {
		return w.Want
	}
	answer, _, _ := p.Run(func() (uint64, []time.Duration, error) { return p.Plain(), nil, nil })()
	return answer
}
