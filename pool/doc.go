// Package pool runs fork-join work on a fixed number of workers that steal
// from each other.
//
// A job calls two functions, possibly at the same time, with [Invoke], or forks
// one with [Fork] and gets its result with [Forked.Join]. A fork costs about as
// much as a call: it stays private to its worker until another one wants work,
// and then the oldest ones, which tend to be the largest, are handed over. So
// there is no need for a cut-off below which to go on sequentially. [Join] is
// Invoke for closures, [Worker.Scope] runs any number of jobs, and [Submit] hands
// over one from anywhere, which can be waited for, selected on and canceled.
//
// [Run] brings a function into the pool and returns its result. The caller
// works too: it takes the seat of a worker that sleeps and runs the function
// itself. Run may be called in a job, directly or through a library that knows
// nothing of it, and through other pools: it waits for no seat that its own
// goroutine holds.
//
// A program makes a pool with [New] and closes it, or uses the one that [Default]
// returns.
//
// # Whose what is
//
// A [Pool], and [Handle.Wait], may be used by any goroutine. A [Worker] belongs
// to the goroutine that runs the job which it was handed to, while that job
// runs; a [Forked] to the job that forked it, which joins it once. So a function
// that is forked uses the worker that it is given, and none that it captures. The
// tool rouse-vet finds places that do not; at run time some of them panic with a text
// that says so, and others are data races.
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
// What is submitted, also by Run from outside, begins although all workers have work, if
// that work forks, joins or spawns. You need not wait for the end of a long recursion: see
// P32 below.
//
// A panic does not depend on the schedule: it goes to whoever joins the job, and
// through [Run] to its caller, with its original value. [Handle.Wait] returns it
// as a [*PanicError], with the stack of where it was raised; [WithPanicHandler]
// reports that stack of panics that leave Run. A panic of a job of [Submit] or [Go] of
// which nobody is told goes to that handler, or ends the program. When a panic leaves
// [Join], [Worker.Scope] or Run, or reaches [Handle.Wait], what was forked inside has
// ended, or will never start; [Forked.Join] says how it is with that and with [Invoke].
//
// A job that calls [runtime.Goexit] ends, and what it has forked with it, and no
// other job but those that join a fork or a scope of which it was one.
//
// Once it is joined, nothing that was handed over is reachable from the pool, but for
// the result of a job that was queued and begun out of its turn, by [Handle.Join]: the
// queue holds its handle until that place is reached.
//
// # Waiting
//
// A job that waits, in a join, a [Worker.Scope] or a [Handle.Join], gives up its
// seat and is set aside until that for which it waits has ended. On its goroutine
// runs meanwhile only the fork that it joins, or a job of the scope that it waits
// for: no job of a stranger. So a job may hold a lock while it waits:
//
// A program that would end if each fork, spawned and submitted job were a
// goroutine also ends here, whatever the number of workers, if each of its other
// waits is ended by something that has already begun: a lock by the job that holds
// it, a channel by a goroutine or a job that runs. That something must not itself
// wait to be admitted to the pool, as a Run from outside does, and neither must
// what it waits for in turn.
//
// What has not begun need not ever begin before somebody joins it. So do not wait
// for it in another way than by its join.
//
//	covered: whoever ends the wait has begun
//	  Mutex, RWMutex, Once, OnceFunc and singleflight; a semaphore that its
//	  taker releases; a Cond used as a lock, or for what a job that has begun
//	  will do
//	not covered: it may not have begun
//	  a WaitGroup, channel or Cond on which a fork of the job or a sibling is to
//	  signal; barriers of n jobs; a Mutex that another job unlocks; pipelines of
//	  jobs over bounded channels; spinning with TryLock
//
// [Worker.Block] is for the other waits: while its function runs, the seat is left
// to others, any number of jobs may be in it, and a goroutine for which it waits
// may call Run of the same pool. The README has the proof.
//
// Admission is a lock that comes before all locks that jobs take: Run from
// outside or from another pool, [Handle.Wait] from outside, and Handle.Join of
// another pool's job wait for a seat. So
//
//	once.Do(func() { pool.Run(ctx, p, f, x) })
//
// from outside can hang if jobs of p enter the same once: such a job waits for the
// once with a seat, and Run for that seat. Call Run first, and once.Do inside, as
// ExampleRun_once does.
//
// If a program hangs all the same, [Pool.Dump] writes who waits for whom.
//
// # Errors, contexts and the end
//
// [RunErr] and [SubmitContext] run functions that have a context and may fail, and
// [Worker.Group] any number of them: the first error ends the group's context and is
// returned, and jobs that have not begun are skipped. The context that a job is handed
// carries its worker ([FromContext]), for code that has no parameter for one.
//
//	returned by             an error of the function  ctx ends    pool closes  queue full
//	Run                     (has none)                ctx's       ErrClosed    waits
//	RunErr                  as it is                  ctx's       ErrClosed    waits
//	Submit, SubmitAll, Go   (has none)                (none)      ErrClosed    ErrFull
//	SubmitContext           from Wait, as it is       ctx's       ErrClosed    waits
//	Worker.Group            the first, as it is       ctx's       (in a job)   (in a job)
//
// A context that ends before a job has begun keeps it from beginning. It does not
// interrupt one that runs: that asks its context. Where ctx's error is to be told from
// one that a function has returned, the function wraps its own.
//
// [WithQueueLimit] bounds how many jobs wait to begin. [Pool.Close] waits for all that
// was accepted; [Pool.Shutdown] takes back what has not begun when its context ends.
//
// # Misuse, counts and reports
//
// Rules P1 to P25 stand in the README of package conformance, in a sentence each. These
// are about single functions, whose documentation has the details:
//
//   - P26. [Stats] counts each thing that has happened once, and nothing else. The
//     counts never go down, and are exact once the pool is at rest.
//   - P27. A job has the profiler labels of a context only as "What is not promised"
//     says, and keeps those that it has while it waits.
//   - P28. A call runs on the pool, and as the worker, that the documentation says:
//     [Default] is the built-in pool or the one that [SetDefault] was given last, and
//     [FromContext] returns the worker of the last [NewContext].
//   - P29. An option holds as documented. One that is out of range is refused by an
//     error that names it, and nothing is left behind. A nil function, context or pool,
//     and a [Worker] or a [Scope] that is used outside its job, are refused by a panic
//     that says what is wrong, before they do harm.
//   - P30. What the pool says of itself is true: [Pool.Dump] says of each job that has
//     begun whether it runs or waits, and for whom. A pool that was forgotten shows in
//     the profile goroutineleak, and one that is in use does not.
//   - P32. What is submitted, also by Run from outside, begins although all workers have
//     work, as long as that work forks, joins or spawns at least once a millisecond. It then
//     begins beside that work, on a goroutine of its own and without a seat. A worker that
//     sees a queued job lets it begin so after 0.1 ms, or after 16,384 forks or 1,024 jobs
//     that it has spawned or ended: that bound holds also in a synctest bubble, where the
//     clock stands still. It takes 64 times as long if its own job came from the queue, and
//     the queue has not been empty since: for that one is served. Jobs that a worker has taken from the queue along with another one
//     count as queued, and forks of a job without a seat do not stand before them. No job is
//     let begin while as many as the pool has workers run beside others; those that go on
//     after a wait count again. So behind as many endless jobs that run beside others the
//     next one waits. A job that has begun is never paused for another one.
//   - P33. The oldest job of a scope or a group begins although younger ones are spawned
//     without an end: a job that spawns itself again until an older one has run ends, on any
//     number of workers.
//
// # What is not promised
//
// The pool does not interrupt a job: a context ends the wait for one, or
// withdraws it before it begins, as [Handle.Cancel] does. A job that blocks
// otherwise than in a join or in Block, on a channel or in a system call, keeps its
// seat.
//
// At times more jobs run than the pool has workers. A job gives up its seat for a
// wait or for Block. If others have all seats as it goes on, it does not wait for
// one: it takes one when it forks or joins, and one is free. And what is queued begins
// beside jobs that fork for long, up to as many jobs as there are workers: see P32. [Stats]
// counts both. So one worker is not one job at a time, where jobs fork, join, spawn or wait.
//
// How soon a job begins that was submitted is not promised. With more workers than
// processors the goroutines take turns of up to 10 ms on each processor.
//
// The goroutines of the pool have no profiler labels of their own, but a job that
// Run has queued has those of its context. Who calls [runtime/pprof.Do] in a job
// labels that job; forks that others take have no labels.
//
// # How
//
// The README explains the life of a fork, how a job waits, the flag by which idle
// workers ask for work, seats, and why no job is overlooked. It implements "Blitz: Thread
// Pool" and the design of rayon-core, with the private task stacks of Lace (van
// Dijk and van de Pol, 2014) and Wool (Faxén, 2008).
package pool
