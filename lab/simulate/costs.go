package simulate

// costs are the constants of a machine, by name. The README says what each one
// is charged for.
type costs struct {
	// Of a processor and its cache.
	load    Time // an operation that only reads a line which is here
	atomic  Time // one that writes, beyond the time until the line is here
	op      Time // the instructions around each operation and each declared plain access
	spin    Time // a step of prim.Spin
	callers Time // prim.Callers, with the slice for what it returns

	// Of lines that come from elsewhere.
	near   Time // from a processor of the same cluster
	far    Time // from another cluster of the same socket
	across Time // from another socket
	share  Time // how long a line that is read keeps others away
	hold   Time // how long a line that was obtained for writing stays

	// Of Go's scheduler.
	yield         Time // prim.Yield with nothing else to run
	schedulerLock Time // how long its lock is held
	spawn         Time // prim.Go, for the caller
	ready         Time // making a goroutine ready, for the one that does
	park          Time // parking, for the goroutine that does
	dispatch      Time // from the end of one goroutine on a processor to the next
	startThread   Time // waking a thread for a goroutine, for the one that does
	threadLatency Time // until that thread runs the goroutine
	mutexSpin     Time // how long a locker of a mutex spins before it parks
	timeSlice     Time // how long a goroutine keeps its processor from others
	sleep         Time // the timer of a sleep, beyond park and ready: half when it is set, half at its end
	timer         Time // from the end of a sleep until that is noticed

	// Of the operating system.
	syscall      Time // a futex call that neither blocks nor wakes
	futexWait    Time // one that blocks, until the processor is free
	futexWake    Time // one that wakes, for the one that does
	futexLatency Time // until the woken thread runs
}

// fields names the costs as the tables of machines do.
func (c *costs) fields() map[string]*Time {
	return map[string]*Time{
		"load": &c.load, "atomic": &c.atomic, "op": &c.op, "spin": &c.spin, "callers": &c.callers,
		"near": &c.near, "far": &c.far, "across": &c.across, "share": &c.share, "hold": &c.hold,
		"yield": &c.yield, "scheduler-lock": &c.schedulerLock, "spawn": &c.spawn,
		"ready": &c.ready, "park": &c.park, "dispatch": &c.dispatch,
		"start-thread": &c.startThread, "thread-latency": &c.threadLatency,
		"mutex-spin": &c.mutexSpin, "time-slice": &c.timeSlice,
		"sleep": &c.sleep, "timer": &c.timer,
		"syscall": &c.syscall, "futex-wait": &c.futexWait,
		"futex-wake": &c.futexWake, "futex-latency": &c.futexLatency,
	}
}

// costs returns the values in force.
func (m *Machine) costs() (c costs) {
	fields := c.fields()
	for _, k := range m.constants {
		*fields[k.Name] = [...]Time{Base: k.Base, Low: k.Low, High: k.High}[m.variation]
	}
	return c
}
