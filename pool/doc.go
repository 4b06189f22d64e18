// Package pool runs jobs on a fixed number of workers. A job forks functions, possibly at each
// call of a recursion, and joins them; a worker without work takes forks of others. A fork that
// nobody takes costs about as much as a call, and allocates nothing. So you need no size below
// which to go on sequentially:
//
//	func sum(w *pool.Worker, t *Tree) int {
//		if t == nil {
//			return 0
//		}
//		left, right := pool.Invoke(w, sum, t.Left, sum, t.Right) // possibly at the same time
//		return left + t.Value + right
//	}
//
//	total, err := pool.Run(ctx, pool.Default(), sum, tree)
//
// # What to take, and when
//
// Outside of jobs you have
//
//   - a loop over elements: take package par;
//   - a function that forks, and no worker yet: [Run]; if it may fail, or wants its context,
//     [RunErr];
//   - an errgroup: [RunGroup], with [Group.SetLimit];
//   - go f(), and its result later: [Submit], and [Handle.Wait]; if it may fail, or a context
//     may end it, [SubmitErr];
//   - go f(), and nobody waits for it: [Go].
//
// In a job you have
//
//   - two calls, possibly at the same time: take [Invoke], or [Both] for two closures;
//   - forks in a loop, joined in any order: [Fork], and [Forked.Join];
//   - any number of jobs, without a result: [Worker.Scope]; if they may fail, [Worker.Group];
//   - a handle to wait for: [Handle.Join];
//   - a wait for anything but a job: [Worker.Block], or [BlockHere] in a function without a
//     worker.
//
// A pool is for work that computes. For work that waits most of the time, for a disk or a
// network, a goroutine for each piece is as good, or package par with a limit.
//
// The names are regular. A call that runs at once or forks takes a function and its argument,
// so that nothing is allocated; one that queues takes a closure. Each function is handed its
// worker, and uses that one, never the worker of the function around it. A call whose name ends
// in Err takes a context, hands it to the function, and returns the function's error as it is.
// Run, Submit and Go never wait for a worker or for room; [SubmitErr] may wait for room until its
// context ends.
//
// A program makes a pool with [New] and closes it, or uses the one that [Default] returns. A
// library takes the pool of its user: see LIBRARIES.md of the repository, which also has a
// table of what to write for each wait of a program with goroutines. If a program hangs,
// [Pool.Dump] writes which job waits for which. [Pool.Stats] says what the pool does. If a program
// is not as fast as you hoped, [Measure] says how much of it can run at the same time.
//
// Four words:
//
//   - A seat is what a job runs on. A pool has one for each worker. A job that runs although no
//     worker sleeps has a guest seat, and is a guest: "No guarantees" says when.
//   - A fork is published when other workers can take it. Until then it is private.
//   - A job that waits is set aside: its goroutine is blocked, its seat is left to others.
//   - A pool is at rest when nothing is queued, no job runs, and all workers sleep.
//
// # Ownership
//
// A [Pool], a [Handle], and [Handle.Wait], may be used by any goroutine. A [Worker] belongs to
// the goroutine that runs the job which it was handed to, while that job runs; a [Forked]
// belongs to the job that forked it, which joins it once. The tool rouse-vet finds places that
// use another worker than their own. At run time some of them panic with a text that says so,
// and others are data races.
//
// # Guarantees
//
// Published work (submitted, spawned, or requested by an idle worker) never waits while a
// worker sleeps. Private forks wait for the job that made them. It publishes them before it waits
// itself, and when it forks or joins while another worker is idle and nothing else that it
// has published is left to take: as many as there are idle workers, or more if others have
// taken most of the last ones. [WithEagerPublish] publishes each at once. A worker that
// sleeps costs nothing.
//
// Balance: 2W equal jobs of time t, forked in a loop, a tree, a list or a scope, end within 3t
// on W idle workers; ideal is 2t. That is checked on 2 to 256 workers, not proved.
//
// A submitted job begins although all workers have work without an end: rule P32, at the end, says
// how long you wait.
//
// A panic does not depend on the schedule: it goes to the goroutine that joins the job, and
// through [Run] to its caller, with its original value. [Handle.Wait] returns it
// as a [*PanicError], with the stack of where it was raised; [WithPanicHandler]
// reports that stack of panics that leave Run. If nobody is told of a panic in a job of
// [Submit] or [Go], it goes to that handler, or ends the program. When a panic leaves
// [Both], [Worker.Scope] or Run, or reaches [Handle.Wait], all forks inside have ended, or
// will never start; [Forked.Join] says what holds for that and for [Invoke].
//
// A job that calls [runtime.Goexit] ends, and so do its forks. Of other jobs,
// only those end that join it as a fork, or as a job of a scope.
//
// Once it is joined, nothing that was handed over is reachable from the pool, but for
// the result of a job that was queued and begun out of its turn, by [Handle.Join]: the
// queue holds its handle until that place is reached.
//
// # Waiting
//
// A job that waits, in a join, a [Worker.Scope] or a [Handle.Join], gives up its seat and is
// set aside until the awaited job or scope has ended. Meanwhile its goroutine runs only the
// fork that it joins, or jobs of the scope that it waits for, and no unrelated job. So a job
// may hold a lock while it waits.
//
// A program that would end if each fork, spawned and submitted job were a
// goroutine also ends here, whatever the number of workers, if each of its other
// waits is ended by something that has already begun: a lock by the job that holds
// it, a channel by a goroutine or a job that runs. The same holds for everything that
// it waits for in turn. A Run has begun when it is called. A submitted job may not have.
//
// A fork may not start until it is joined. Wait for it only by joining.
//
// Covered, since the job or goroutine that ends the wait has begun:
//
//   - Mutex, RWMutex, Once, OnceFunc and singleflight;
//   - a semaphore that its taker releases;
//   - a Cond used as a lock, or for something that a job will do which has begun.
//
// Not covered, since the job that ends the wait may not have begun:
//
//   - a WaitGroup, channel or Cond on which a fork of the job or a sibling is to signal;
//   - barriers of n jobs, and pipelines of jobs over bounded channels;
//   - a Mutex that another job unlocks, and spinning with TryLock.
//
// [Worker.Block] is for the other waits: while its function runs, the seat is left
// to others, and any number of jobs may be in it. [BlockHere] is the same for a function that
// has no worker. INTERNALS.md, in the folder of this package, has the proof.
//
// Run never waits for a worker, so hold over it what you would hold over a call: also a lock
// or a once that jobs of the pool take (ExampleRun_once). Handle.Wait and Handle.Join in a job begin
// a job that has not begun, also one of another pool, so they may be called under a lock, too.
// Other calls may wait for jobs that have not begun: Handle.Wait outside of jobs, [SubmitErr] where
// [WithQueueLimit] leaves no room, [Pool.Close] and [Pool.Shutdown]. Never call these while you
// hold a lock that jobs of the pool take.
//
// # Jobs that begin beside others
//
// A queued job waits for a worker whose job has ended. If for 45 to 90 ms no worker has taken one, and
// none looks for work, the oldest queued jobs begin beside the work of the workers, each on a
// goroutine of its own, as a guest.
//
//   - At most as many jobs as the pool has workers run beside others. A job that goes on after a
//     wait counts again. So behind that many endless jobs the next one waits.
//   - A queue from which jobs are taken, however slowly, needs none of this.
//   - In a synctest bubble it does not happen: the clock stands still while anything runs. If you
//     use the built-in pool in a bubble, let it be at rest for a tenth of a second before.
//
// # Errors, contexts and the end
//
// [RunErr], [SubmitErr], [RunGroup] and [Worker.Group] run functions that have a context and
// may fail. The first error of a group ends the group's context and is returned, and jobs that
// have not begun are skipped. The context that a job is handed carries its worker
// ([FromContext]), for code that has no parameter for one.
//
//   - A function's own error comes back as it is: from RunErr, and from Wait of SubmitErr. RunGroup
//     and Worker.Group return the first one.
//   - If ctx has ended before the job begins, Run, RunErr, RunGroup, SubmitErr and Worker.Group
//     return ctx's error. So does Shutdown if ctx ends before the pool does.
//   - If the pool is closed or closing, all that run or submit return [ErrClosed], but in a job of
//     the pool Run, RunHere and their kin still work. Close and Shutdown return nil again.
//   - If the queue is full, Submit and Go return [ErrFull]; SubmitErr waits for room. Run and its
//     kin are not queued.
//
// A context that ends before a job has begun keeps it from beginning. It does not
// interrupt one that runs: that asks its context. To tell ctx's error from a
// function's own, let the function wrap its own.
//
// [WithQueueLimit] bounds how many submitted jobs wait to begin. [Pool.Close] waits for all accepted
// jobs; [Pool.Shutdown] takes back those that have not begun when its context ends. Both say
// what they do in a job, in a panic handler and in a finalizer.
//
// # No guarantees
//
// The pool does not interrupt a job: a context ends the wait for one, or
// withdraws it before it begins, as [Handle.Cancel] does. A job that blocks
// otherwise than in a join or in Block, on a channel or in a system call, keeps its
// seat.
//
// At times more jobs run than the pool has workers. These run as guests, which share the
// processors with the workers as goroutines do:
//
//   - each Run from outside that finds no worker asleep, on the goroutine of its caller;
//   - a job that goes on after a wait or Block, if others have all seats by then;
//   - a submitted job that begins because another job waits for it;
//   - queued jobs beside work that takes long, up to as many as there are workers.
//
// A guest forks, joins and waits as any job does. It takes the seat of a worker that sleeps
// when it forks or spawns. [Stats] counts guests. So one worker is not one job at a time, and
// nothing bounds how many callers are in Run at once. To bound them take [SubmitErr], with
// WithQueueLimit, and Handle.Wait. Callers that each run one thing after another may take a third
// to a half of the processors from a recursion, as goroutines would.
//
// The pool does not promise how soon a submitted job begins. With more workers
// than processors the goroutines take turns of up to 10 ms on each processor. Beside callers that
// Run all the time a submitted job may wait for some such turns: Run is for requests.
//
// The goroutines of the pool have no profiler labels of their own. The function of a Run has those
// of its caller, and the job of SubmitErr those of its context. If a job calls
// [runtime/pprof.Do], that labels the job; forks that others take have no labels. Labels that a job
// sets, and does not take off, end with it, unless it ran on its caller's goroutine: in a Run, where
// it was forked and joined, or by the Scope or Group that waits for it.
//
// # Implementation
//
// INTERNALS.md, in the folder of this package, explains the life of a fork, how a job waits, the
// flag by which idle workers ask for work, seats, and why no job is overlooked. The package
// implements "Blitz: Thread Pool", which DESIGN.md of the repository links, and the design of
// rayon-core, with the private task stacks of Lace (van Dijk and van de Pol, 2014) and Wool
// (Faxén, 2008).
//
// # Rules
//
// These are for checkers: a test that fails begins with the label of the rule that is broken.
// The README of package conformance says which test checks which.
//
//   - P1. Run, Both, Invoke, Scope and Submit give the results that a sequential program would.
//     A call whose context has ended never begins. A fork is joined once, by its worker, or
//     run at the end of its job.
//   - P2. A panic reaches the caller with its value, through Run too; [Handle.Wait] returns it
//     as a [*PanicError] with its stack. Before it leaves Both, Scope, Run, a job that another
//     worker has taken, or the job that recovers it, what was forked inside has ended or will
//     never start.
//   - P3. [runtime.Goexit] ends the job that calls it, hangs nothing and loses no worker.
//   - P4. Nested calls of Run reuse the caller's worker, so they cannot deadlock on it. That is so
//     if the context carries it, of a pool that is closing, and while anything is measured. Other
//     calls take a seat of their own.
//   - P5. Fewer blocked jobs than workers never stop the others.
//   - P6. [Pool.Close] runs what was accepted, and later calls are refused. It returns, or
//     returns an error, wherever it is called, as its documentation says.
//   - P7. A call that races with Close runs or is refused.
//   - P8. Nothing is left behind after Close: no goroutine and no memory. Nothing that was
//     handed over is reachable once it was joined.
//   - P9. A million nested forks work.
//   - P10. One worker, one processor, and garbage collections while workers sleep work.
//   - P11. Any number of goroutines may call Run, and each goes on at once. Of the jobs that the
//     pool begins itself, at most as many run at once as there are workers, and as many beside
//     them. Not among these are jobs that went on after a wait or Block, or that a join has begun.
//   - P12. A panic while a panic is handled is a panic like any other.
//   - P13. Balance: 2W equal jobs of time t end within 3t on W idle workers, and each worker
//     runs some. Now and then a worker may run none, if it would have to take the
//     job from one that is too short to be taken.
//   - P14. A lock may be held across a join, and across a Run. What ends with a goroutine for each
//     job ends on any number of workers, if what has begun ends each other wait.
//   - P15. A job that waits runs no unrelated job: a Run does not take longer than it would
//     on one worker of its own, if there is a processor for it.
//   - P16. Goexit ends no other job that waits and no other Run, except those that join the job
//     as a fork, a scope or a Run.
//   - P17. On a goroutine a job lies only above one that waits for exactly it: a stack grows by
//     the program's own recursion alone.
//   - P18. A pool at rest keeps at most one goroutine a worker, however many jobs have waited.
//   - P19. A job in [Worker.Block] leaves its worker and its forks to others, and goes on when
//     the function has ended, whatever the workers do then.
//   - P20. A submitted job that is taken back before it begins, or whose context has ended by
//     then, never begins, and what waits for it is told.
//   - P21. A panic of a job that nobody is told of goes to the panic handler, once, or ends the
//     program.
//   - P22. A pool whose sleep backend is an api.Starter has no goroutine at rest, and is
//     collected if it is forgotten then.
//   - P23. Of the submitted jobs that are accepted and have not begun there are never more than the
//     queue limit. What waits for room gets it in the order of coming, or the error of its context.
//   - P24. The first error of a group ends the group's context, and the group returns it. Jobs
//     that have not begun by then are skipped, and all jobs have ended when the group returns.
//     With a limit of n ([Group.SetLimit]) at most n jobs have begun and not ended: the others
//     wait, and begin in the order of Spawn, and so does the body, until its job has a place.
//   - P25. Once [Pool.Shutdown] has returned the error of its context, no job begins that had not
//     begun: none that was submitted, and none of a group. A caller that waits for such a job
//     learns that it never will, and the contexts of groups end. Jobs that run go on, with their
//     forks and scopes, and the pool ends with the last of them.
//   - P26. [Stats] counts each event once, and counts nothing that did not happen. The counts
//     never go down, and never are more jobs counted as ended than as submitted. Fields of type
//     int are no counts: they say what is so at the moment, of guests, too. Once the pool is at rest all are
//     exact, and after Close too.
//   - P27. A job has profiler labels of others only as "No guarantees" says, and keeps those that it
//     has while it waits.
//   - P28. A call runs on the pool, and as the worker, that the documentation says:
//     [Default] is the built-in pool or the one that [SetDefault] was given last. The built-in
//     one has as many workers as GOMAXPROCS when Default returns it, if it was at rest just
//     before, or its workers look for work; while a job of it runs, waits or is queued it stays
//     what it is. [FromContext] returns the worker of the last [NewContext].
//   - P29. An option holds as documented. One that is out of range is refused by an
//     error that names it, and so is a nil one; nothing is left behind. A nil function,
//     context or pool, and a [Worker] or a [Scope] that is used outside its job, are
//     refused by a panic that says what is wrong, before they do harm. A nil function of [Fork] or [Invoke]
//     panics where it would run.
//   - P30. What the pool says of itself is true: [Pool.Dump] says of each job that has
//     begun whether it runs or waits, and for which; a trace has calls of Run as tasks, and stolen
//     jobs as regions. A pool that was forgotten shows in
//     the profile goroutineleak, and one that is in use does not.
//   - P31. [RunHere] goes on as the worker of a job around it, which it finds by the stack.
//     [BlockHere] leaves the worker of its job to others as long as its function runs.
//     [Loops] says when a fork is of use. A key of [Pool.Note] is brief after two short calls
//     in a row. [Pool.Idle] is true while a worker has nothing to do.
//   - P32. A submitted job begins although all workers have work without an end: if for a tenth
//     of a second no queued job has been taken, the oldest begin beside that work, as many at a
//     time as the pool has workers. In a bubble of testing/synctest, whose clock stands still
//     while anything runs, they do not. A job that has begun is never paused for another one.
//   - P34. [Measure] returns what [Run] does, or ends as that. In a bubble of testing/synctest work,
//     span, waits, forks and the shares of call sites are exact. The pool then works on unmeasured,
//     however the measured function has ended.
package pool
