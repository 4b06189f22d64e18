package simulate

// A Report says how a run went.
type Report struct {
	// Elapsed is from the start of the program to its return.
	Elapsed Time
	// Digest is of the whole run: of each operation, its thread, its cell and its
	// time. A second run of the same program on the same machine has the same
	// digest.
	Digest uint64
	// Sections has one entry for each name that was given to [Mark], in order of
	// first use. What came before the first Mark is the section "".
	Sections []Section
}

// A Section is the account of a part of a run. If a name was marked more than
// once, it is the sum of all those parts.
//
// What the processors did adds up: Work + Local + Miss + Pause + Wake + Idle =
// Processors × Elapsed, exactly.
type Section struct {
	Name       string
	Elapsed    Time
	Processors int
	// Work is the time in calls of [Work].
	Work Time
	// Local is the time of operations on lines that the processor had.
	Local Time
	// Miss is the time until lines came from other processors, with the waits of
	// those that came to a busy line.
	Miss Time
	// Pause is the time in prim.Spin, in prim.Yield, and in the spinning of a
	// mutex.
	Pause Time
	// Wake is the time that running threads spent on the scheduler: parking,
	// waking others, starting goroutines, taking turns on a processor; and in
	// prim.Callers.
	Wake Time
	// Idle is the time in which processors had no thread.
	Idle Time
	// Parks counts threads that blocked, Wakes those that were made ready again.
	Parks, Wakes int
	// FirstWork has for each thread that called [Work] or [Sleep] the time of its first call,
	// counted from the start of the section, sorted: the ramp. Of a section that
	// was marked again, it is the last part's.
	FirstWork []Time
	// Lines has the lines that missed, hottest first. Lines of one name are one
	// entry.
	Lines []Line
}

// A Line is the account of the cache lines of one name.
type Line struct {
	// Name is made of the type and the fields of a declared struct, such as
	// "Worker.wanted". A cell that was not declared is named for the
	// function that missed it first: "undeclared in counters.(*Counters).Post".
	Name string
	// Waited is the time of accesses that had to get the line from elsewhere.
	Waited Time
}
