// Package pool runs fork-join work on a fixed number of workers that steal
// from each other.
//
// A job calls two functions, possibly at the same time, with [Invoke], or forks
// one with [Fork] and gets its result with [Forked.Join]. A fork costs about as
// much as a call: it stays private to its worker until another one wants work,
// and then the oldest ones, which tend to be the largest, are handed over. So
// there is no need for a cut-off below which to go on sequentially. [Join] is
// Invoke for closures, [Worker.Scope] runs any number of jobs, and [Submit] hands
// over one from anywhere.
//
// [Run] brings a function into the pool and returns its result. The caller
// works too: it takes the seat of a worker that sleeps and runs the function
// itself. Run may be called in a job, directly or through a library that knows
// nothing of it, and through other pools: it waits for no seat that its own
// goroutine holds.
//
// # Whose what is
//
// A [Pool], and [Handle.Wait], may be used by any goroutine. A [Worker] belongs
// to the goroutine that runs the job which it was handed to, while that job
// runs; a [Forked] to the job that forked it, which joins it once.
//
// # What is promised
//
// Work that is published, that is submitted, spawned or asked for by an idle
// worker, never waits while a worker sleeps. Private forks wait for their
// owner. It hands them over before it waits itself, and when it forks or joins
// while another worker is idle and none that it has published is left to take;
// [WithEagerPublish] publishes each at once. It hands over as many as there are
// idle workers, or more if others have taken what it handed over before, and forks
// that come later while that demand lasts. So 2W equal leaves, forked in a loop, a tree, a list or a scope, take at
// most three leaf times on W idle workers; that is checked on 2 to 256 workers,
// not proved. A worker that sleeps costs nothing.
//
// A panic does not depend on the schedule: it goes to whoever joins the job, and
// through [Run] to its caller, with its original value. [Handle.Wait] returns it
// as a [*PanicError], with the stack of where it was raised; [WithPanicHandler]
// reports that stack of panics that leave Run. When it leaves [Join], [Worker.Scope] or Run, or
// reaches [Handle.Wait], what was forked inside has ended, or will never start;
// [Forked.Join] says how it is with that and with [Invoke]. A job that calls [runtime.Goexit]
// takes its goroutine with it, and the jobs that were waiting beneath it there;
// whoever waits for one of those exits likewise, and the worker goes on.
//
// Once it is joined, nothing that was handed over is reachable from the pool.
//
// # What is not
//
// The pool does not interrupt a job: a context ends the wait for one, or
// withdraws it before it begins. A job that blocks, on a channel or in a system
// call, keeps its seat. While a job waits, in a join or a nested Run, its worker
// runs other jobs, which it then has to wait for; so a job that others need, by
// a lock that it holds or a channel that it is to serve, must not wait.
//
// # How
//
// The README explains the life of a fork, the flag by which idle workers ask
// for work, seats, and why no job is overlooked. It implements "Blitz: Thread
// Pool" and the design of rayon-core, with the private task stacks of Lace (van
// Dijk and van de Pol, 2014) and Wool (Faxén, 2008).
package pool
