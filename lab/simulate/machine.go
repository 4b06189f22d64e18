package simulate

import (
	"fmt"
	"slices"
	"strings"
)

// MaxProcessors is the largest number of processors of a [Machine].
const MaxProcessors = 256

// A Machine is a description of virtual processors: how many there are, and what
// operations cost on them. [Load] makes one.
type Machine struct {
	Name string
	// Processors is how many there are, 1 to [MaxProcessors]. It may be lowered
	// before a run, as GOMAXPROCS may.
	Processors int

	// cluster and socket are how many processors share a cache and a socket.
	cluster, socket int
	constants       []Constant
	variation       Variation
}

// A Constant is one assumption about a machine: what one kind of operation
// costs.
type Constant struct {
	Name string
	// Low is the value that favours speed most, High the one that favours it
	// least, Base the one that is believed in.
	Low, Base, High Time
	// Source is the publication that the values are from, or the command that
	// measures them.
	Source string
}

// A Variation says which of the three values of a constant is in force.
type Variation uint8

// The variations. All constants are costs, so Low is the optimistic one.
const (
	Base Variation = iota
	Low
	High
)

// Machines returns the names that [Load] knows, in order.
func Machines() (names []string) {
	for _, m := range machines {
		names = append(names, m.Name)
	}
	return names
}

// Load returns one of the machines that come with the package. The error of an
// unknown name lists those that there are.
func Load(name string) (*Machine, error) {
	i := slices.IndexFunc(machines, func(m Machine) bool { return m.Name == name })
	if i < 0 {
		return nil, fmt.Errorf("simulate: no machine %q: there are %s", name, strings.Join(Machines(), ", "))
	}
	m := machines[i]
	return &m, nil
}

// With returns a copy of the machine in which each constant has the value of the
// variation.
func (m *Machine) With(v Variation) *Machine {
	varied := *m
	varied.variation = v
	return &varied
}

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
