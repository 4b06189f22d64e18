package simulate

// costs are the constants of a machine, by name. The README says what each one
// is charged for.
type costs struct {
	load, atomic, op, spin, callers Time // of a processor and its cache
	near, far, across, share, hold  Time // of lines that come from elsewhere

	// Of Go's scheduler.
	yield, schedulerLock, spawn, ready, park, dispatch             Time
	startThread, threadLatency, mutexSpin, timeSlice, sleep, timer Time

	syscall, futexWait, futexWake, futexLatency Time // of the operating system
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
