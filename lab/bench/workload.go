package bench

import (
	"slices"

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
	// Judge is the statistic that the rows are compared by.
	Judge Judge
	// Outside are the words by which programs in other languages are asked
	// for this workload, and In the programs that have it.
	Outside string
	In      []string
	// Workers, if not nil, are the numbers of workers to measure with,
	// whatever is asked for.
	Workers []int
	// Beside, if not nil, are the implementations to measure it on, where
	// nobody asks for some by name; More are rare ones that it is measured on as well.
	Beside, More []string
	// Runs is how many runs each cell gets at least. Fewer than three means
	// three.
	Runs int
	// Program makes what implementations in Go run. It may take long and use
	// much memory.
	Program func() *work.Program
	// Want is the answer, where the program has no plain code that says it.
	Want uint64

	last bool // measured with the greatest number of workers only
}

// A Judge is the statistic that stands for the times of many runs.
type Judge int

const (
	// Wait judges by the median: a user waits for the run.
	Wait Judge = iota
	// Cost judges by the lower tenth: what an operation costs when nothing
	// else gets in its way.
	Cost
)

// String returns the name of the statistic.
func (j Judge) String() string { return [...]string{"median", "p10"}[j] }

// wants reports whether the workload is measured on an implementation that
// nobody has asked for by name.
func (w *Workload) wants(impl *Implementation) bool {
	if w.Beside != nil {
		return slices.Contains(w.Beside, impl.Name)
	}
	return !impl.Rare || slices.Contains(w.More, impl.Name)
}

// answer is what all must say: what the plain code gives, where there is some.
func (w *Workload) answer(p *work.Program) uint64 {
	if p.Sequential == nil {
		return w.Want
	}
	if p.Prepare != nil {
		p.Prepare()
	}
	answer := p.Sequential()
	if p.Digest != nil {
		answer = p.Digest()
	}
	return answer
}
