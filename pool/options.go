package pool

import (
	"math/rand/v2"

	"github.com/rouse-go/rouse/api"
	"github.com/rouse-go/rouse/api/prim"
)

// An Option changes how [New] makes a [Pool].
type Option func(*config)

// WithWorkers sets how many workers the pool has, that is how many jobs it runs at once of its own
// accord: 1 to [MaxWorkers]. The default is GOMAXPROCS as New is called. It may be
// larger or smaller than that.
//
// One worker is not one job at a time, where jobs fork, join, spawn or wait: do not use it
// for a lock. While a job waits, another one begins. While all workers have work for long, up to as
// many others as there are workers begin beside it. And each caller of [Run] runs its function at
// once.
//
// The number does not follow GOMAXPROCS, which Go 1.25 changes when the limit of the
// container changes. (The built-in pool is replaced then: see [Default].) A pool that has
// more workers than there are processors loses little. One that has fewer leaves processors
// to the rest of the program: if the limit may rise, set the number that you may come to
// have, or make another pool then, and close the old one.
func WithWorkers(n int) Option { return func(c *config) { c.workers = n } }

// WithDeque sets the function that makes the public deque of each seat. It is called once for each
// worker, by New, and later for each guest seat that is made: by any goroutine that runs something
// in the pool, and by several at once. It must return a new deque each time. If it returns nil later,
// the caller panics, and the pool never ends.
func WithDeque(f func() api.Deque[Job]) Option { return func(c *config) { c.deque = f } }

// WithSleep sets the function that makes the sleep backend. It is called
// once, with the number n of workers.
func WithSleep(f func(n int) (api.Sleep, error)) Option { return func(c *config) { c.sleep = f } }

// WithEagerPublish makes every fork visible to other workers at once, instead
// of when another worker wants work.
//
// It is right for few, coarse forks of very unequal length: a worker that runs a
// long one does not notice that others wait for its private forks. A fork costs
// ten times as much, and more when others take it.
func WithEagerPublish() Option { return func(c *config) { c.eager = true } }

// WithQueueLimit sets how many submitted jobs may be accepted and not have begun at
// once. It is at least 1; without the option, and with [math.MaxInt], there is no limit. [Submit] and [Go] return [ErrFull]
// while there is no room. [SubmitErr] waits for room, first come, first served, until its context
// ends. [Run] and its kin begin at once, and need no room: to bound callers take SubmitErr and
// [Handle.Wait].
//
// A job for which there is a worker without work, one that sleeps or looks for some, takes
// no room: as many more than n are accepted as there are such workers. Jobs that have begun
// take none: those in [Worker.Block], for one, are bounded by nothing. Neither do those that
// were taken back, by [Handle.Cancel] or the end of a context: the next job has their room at
// once. Forks and jobs of scopes and groups are not counted.
//
// So the memory of the queue is bounded by n, however many jobs are accepted and taken back.
// (Without a limit each job that was taken back leaves about 100 bytes, until a worker comes to
// it. None does while all have work.) The queue has a
// lock, which each Submit takes, and a worker for each job: a Submit with a limit costs more than
// one without, and more so if many goroutines submit at once.
func WithQueueLimit(n int) Option { return func(c *config) { c.queueLimit = n } }

// WithPanicHandler sets a function that is called with each panic that leaves a
// [Run] of the pool, and with each panic of a job of [Submit] or [Go] that nobody else is told of.
// It is meant for a log: when it returns, a panic that leaves Run goes on.
//
// Run panics with the job's own value, as a sequential program would. If another
// worker has raised the panic, the code that recovers it cannot see where. The
// handler can, in [PanicError.Stack].
//
// For Run it is called on every schedule, on the goroutine that called Run. By
// then the job and its forks have ended, and its seat is free. The handler is
// called once for each panic: of nested calls of Run, the innermost one does
// so whose pool has a handler. If a job recovers a panic that another worker,
// or a nested Run, has raised in it, and then panics with an equal value, the
// pool takes that for the same panic.
//
// If the handler itself panics or calls [runtime.Goexit], Run does that instead. If
// nobody else is told of a panic, the handler is called on a goroutine of its own,
// at any time until Close returns, and its own panic ends the program. A nil handler
// is none. A handler makes a panic cost the time of [debug.Stack] more.
func WithPanicHandler(f func(*PanicError)) Option { return func(c *config) { c.handler = f } }

// WithRandomSchedule is for tests of code that uses the pool. It makes every fork
// visible to all workers; has about every second one, and job of a scope or group, wait
// a while for a worker to take it, if one is without work; and has thieves choose at
// random. The choices depend on the seed, and on the schedule.
//
// A fork usually runs where it is joined, so that the race detector takes its work for
// a part of the caller, and a race between the two stays hidden. With this option, and
// some more workers than processors, the detector sees most such races in a few runs.
// A fork costs some microseconds.
func WithRandomSchedule(seed uint64) Option {
	return func(c *config) { c.eager, c.random = true, &randomness{seed: seed} }
}

type config struct {
	workers    int
	deque      func() api.Deque[Job]
	sleep      func(workers int) (api.Sleep, error)
	eager      bool
	handler    func(*PanicError)
	random     *randomness // nil without WithRandomSchedule
	queueLimit int         // MaxInt if there is none
}

// randomness is that of a pool with a random schedule.
type randomness struct {
	seed uint64
	// tosses counts those of the coin.
	tosses prim.Uint64
}

func (r *randomness) coin() bool { return rand.NewPCG(r.seed, r.tosses.Add(1)).Uint64()&1 == 0 }
