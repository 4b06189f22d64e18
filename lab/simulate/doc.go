// Package simulate runs a concurrent Go program on virtual processors, as many as
// you like, and says how long it takes there and where the time goes. It is a
// prediction, not a measurement.
//
// The program is the code that ships. It must synchronize through package
// api/prim, whose types are those of sync and sync/atomic in a normal build; with
// the build tag explore they ask this package before each operation. Computation
// is not simulated: the program says how long it takes, by [Work].
//
//	m, err := simulate.Load("two-sockets-256")
//	...
//	r, err := simulate.Run(m, func() {
//		var n prim.Int64
//		var all prim.WaitGroup
//		simulate.Mark("count")
//		for range 256 {
//			all.Go(func() {
//				simulate.Work(simulate.Microsecond)
//				n.Add(1)
//			})
//		}
//		all.Wait()
//	})
//
// The program is the first virtual thread, and what it starts by prim.Go are
// further ones. Each has a clock. The one with the least clock runs next, on one
// goroutine at a time, so a run is the same each time: [Report] has a digest of all
// operations. A run takes memory for each primitive that was used, until it ends.
//
// The program must be deterministic, and may block on nothing but types of package
// prim, with no context that can end. [Work], [Now] and [Mark] are for the threads of
// a run. No other goroutine may use a primitive of package prim meanwhile, and no
// exploration of package explore be under way in the same process.
//
// A [Machine] is a table of constants, each with its source. Three come with the
// package. Each constant has a low, a base and a high value, so that a result can be
// given as a range: [Machine.With].
//
// The README beside the code says what the model is, what it is checked by, and what
// it cannot show.
package simulate
