// Package simulate runs a concurrent Go program on up to 64 virtual processors, and
// says how long it takes there and where the time goes. It is a prediction, not a
// measurement.
//
// The program is the code that ships. It must synchronize through package api/prim,
// whose types are those of sync and sync/atomic in a normal build; with the build
// tag explore they ask this package before each operation. Computation is not
// simulated: the program says how long it takes, by [Work].
//
//	r, err := simulate.Run(simulate.Server(simulate.Base), func() {
//		p, _ := pool.New(pool.WithWorkers(64))
//		simulate.Measure(func() { pool.Run(ctx, p, fib, 30) })
//		p.Close()
//	})
//
// The program is the first virtual thread, and each call of prim.Go starts another
// one. Each thread has a clock. The thread with the least clock runs next, one at a
// time, so two runs of a program have the same [Report].
//
// The program must be deterministic. It may block on types of package prim only, with
// no context that can end. All of its threads must end. No other goroutine may use a
// primitive of package prim during a run. After an error, the threads of the program
// stay where they are.
//
// In a build without the tag, [Run] runs the program on the machine at hand, and
// measures it. So one definition of a program gives the prediction and what would
// refute it. The README says what the model is, and what it cannot show.
package simulate
