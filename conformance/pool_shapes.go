package conformance

import (
	"context"
	"slices"

	"github.com/rouse-go/rouse/pool"
)

// A shape is a way to run leaves in a job, and to wait for them: each is called with one of the
// given numbers. In virtual time that is for how long it sleeps.
type (
	leaf  = func(w *pool.Worker, length int) int
	shape = func(r *run, w *pool.Worker, leaf leaf, lengths []int)
)

func forkLeaves(w *pool.Worker, leaf leaf, lengths []int) []pool.Forked[int, int] {
	forks := make([]pool.Forked[int, int], len(lengths))
	for i, n := range lengths {
		forks[i] = pool.Fork(w, leaf, n)
	}
	return forks
}

func newestFirst(_ *run, w *pool.Worker, leaf leaf, lengths []int) {
	for _, f := range slices.Backward(forkLeaves(w, leaf, lengths)) {
		f.Join(w)
	}
}

func oldestFirst(_ *run, w *pool.Worker, leaf leaf, lengths []int) {
	for _, f := range forkLeaves(w, leaf, lengths) {
		f.Join(w)
	}
}

// inTree forks leaves by halves.
func inTree(_ *run, w *pool.Worker, leaf leaf, lengths []int) {
	var node func(w *pool.Worker, lengths []int) int
	node = func(w *pool.Worker, lengths []int) int {
		switch n := len(lengths); n {
		case 0:
		case 1:
			leaf(w, lengths[0])
		default:
			pool.Invoke(w, node, lengths[:n/2], node, lengths[n/2:])
		}
		return 0
	}
	node(w, lengths)
}

// inSpine walks a list and forks a leaf for each element.
func inSpine(_ *run, w *pool.Worker, leaf leaf, lengths []int) {
	var walk func(w *pool.Worker, lengths []int) int
	walk = func(w *pool.Worker, lengths []int) int {
		if len(lengths) > 0 {
			pool.Invoke(w, walk, lengths[1:], leaf, lengths[0])
		}
		return 0
	}
	walk(w, lengths)
}

func inScope(_ *run, w *pool.Worker, leaf leaf, lengths []int) {
	w.Scope(func(w *pool.Worker, s *pool.Scope) {
		for _, n := range lengths {
			s.Spawn(w, func(w *pool.Worker) { leaf(w, n) })
		}
	})
}

// submitLeaves submits leaves, in a job or from outside.
func submitLeaves(r *run, p *pool.Pool, leaf leaf, lengths []int) (handles []*pool.Handle[int]) {
	for _, n := range lengths {
		h, err := pool.Submit(p, func(w *pool.Worker) int { return leaf(w, n) })
		if err != nil {
			r.Report("P1", "Submit returned the error %v", err)
			return handles
		}
		handles = append(handles, h)
	}
	return handles
}

func byHandles(r *run, w *pool.Worker, leaf leaf, lengths []int) {
	for _, h := range submitLeaves(r, w.Pool(), leaf, lengths) {
		if _, err := h.Join(w); err != nil {
			r.Report("P1", "Join of a handle returned the error %v", err)
		}
	}
}

// inNestedRun takes no other seat: it goes on as the job that calls it.
func inNestedRun(r *run, w *pool.Worker, leaf leaf, lengths []int) {
	runOn(r, pool.NewContext(background, w), w.Pool(), func(w *pool.Worker) { inTree(r, w, leaf, lengths) })
}

// inRuns takes another seat for each leaf, as if from outside.
func inRuns(r *run, w *pool.Worker, leaf leaf, lengths []int) {
	for _, n := range lengths {
		runOn(r, background, w.Pool(), func(w *pool.Worker) { leaf(w, n) })
	}
}

// runOn calls Run, also in a job of another pool.
func runOn(r *run, ctx context.Context, p *pool.Pool, job func(w *pool.Worker)) {
	if _, err := pool.Run(ctx, p, func(w *pool.Worker, _ int) int { job(w); return 0 }, 0); err != nil {
		r.Report("P1", "Run returned the error %v", err)
	}
}
