package work

import (
	"context"
	"sync/atomic"

	"github.com/rouse-go/rouse/pool"
)

// A Job forks through the place where it runs. That costs an allocation or two, so programs whose
// forks are to be cheap do so by themselves.
type Job func(Place) uint64

// A Place is where a job runs.
type Place interface {
	// both runs both jobs, forked perhaps beside the other one, and adds up their results.
	both(here, forked Job) uint64
}

// A System takes jobs from callers that are not jobs.
type System interface {
	// enter runs a job, and returns its result.
	enter(Job) uint64
	// poster returns what hands a job over once, and does not wait for it.
	poster(Job) (post func())
	// recurse keeps all workers busy with a recursion, until it is over.
	recurse(over *atomic.Bool)
}

// OnPool is a pool.
func OnPool(p *pool.Pool) System { return aPool{p} }

type aPool struct{ *pool.Pool }

type aWorker struct{ *pool.Worker }

func runJob(w *pool.Worker, job Job) uint64 { return job(aWorker{w}) }

func (w aWorker) both(here, forked Job) uint64 {
	x, y := pool.Invoke(w.Worker, runJob, here, runJob, forked)
	return x + y
}

func (p aPool) enter(job Job) uint64 {
	return must(pool.Run(context.Background(), p.Pool, runJob, job))
}

func (p aPool) poster(job Job) func() {
	fn := func(w *pool.Worker) uint64 { return job(aWorker{w}) }
	return func() { must(pool.Submit(p.Pool, fn)) }
}

func (p aPool) recurse(over *atomic.Bool) {
	must(pool.Run(context.Background(), p.Pool, grow, branch{over, 60}))
}

// must is for calls that fail only if the pool is closed.
func must[T any](x T, err error) T {
	if err != nil {
		panic(err)
	}
	return x
}

// OnGoroutines is a goroutine for each fork, and for a recursion as many as there would be workers: with
// one for each node their number would have no bound.
func OnGoroutines(workers int) System { return goroutines(workers) }

type goroutines int

func (g goroutines) both(here, forked Job) uint64 {
	var x, y uint64
	goBoth(func() { y = forked(g) }, func() { x = here(g) })
	return x + y
}

func (g goroutines) enter(job Job) uint64 {
	result := make(chan uint64)
	go func() { result <- job(g) }()
	return <-result
}

func (g goroutines) poster(job Job) func() { return func() { go job(g) } }

func (g goroutines) recurse(over *atomic.Bool) {
	goSum(int(g), func(int) uint64 {
		for !over.Load() {
		}
		return 0
	})
}
