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
//   - a function that forks, and no worker yet: [Run]; if it may fail, [RunErr];
//   - an errgroup: [RunGroup], with [Group.SetLimit];
//   - go f(), and its result later: [Submit], and [Handle.Wait]; if it may fail, [SubmitErr];
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
// Each function is handed its worker, and uses that one, never the worker of the function around it: the
// tool rouse-vet finds places that do not. A program makes a pool with [New] and closes it, or uses the
// one that [Default] returns; a library takes the pool of its user. A pool is for work that computes:
// for work that waits most of the time a goroutine for each piece is as good.
//
// Run never waits for a worker: without one that sleeps it goes on beside them, as a goroutine would.
// To bound how many callers are at work, take [SubmitErr], with [WithQueueLimit], and Handle.Wait.
//
// # Waiting
//
// A job that waits for jobs leaves its worker to others, and its goroutine runs nothing unrelated: so a
// job may hold a lock over a fork and its join, and over a Run. A fork may not begin before it is
// joined: wait for it only by joining. Any other wait must be for what has begun, or in [Worker.Block].
// What may wait for jobs that have not begun is never called with a lock held that jobs take:
// Handle.Wait outside of jobs, SubmitErr, [Pool.Close] and [Pool.Shutdown].
//
// # Panics
//
// A panic goes to whoever joins the job, and through Run to its caller, with its value; Handle.Wait
// returns it as a [*PanicError]. By then all forks inside have ended. If nobody is told of it, it goes to
// the handler of [WithPanicHandler], or ends the program. A job that calls [runtime.Goexit] ends, and so
// do those that join it as a fork.
//
// # More
//
// If a program hangs, [Pool.Dump] says which job waits for which; [Pool.Stats] says what the pool does,
// [Pool.Record] what it has done, and [Pool.Measure] how much of a function can run at the same time.
// Package loops is for those who build loops of their own. Beside this file, RULES.md has the promises
// in full, and INTERNALS.md says how they are kept. The package implements "Blitz: Thread Pool", which
// DESIGN.md of the repository links, and the design of rayon-core, with the private task stacks of
// Lace (van Dijk and van de Pol, 2014) and Wool (Faxén, 2008).
package pool
