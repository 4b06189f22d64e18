package simulate

// MaxProcessors is the largest number of processors of a [Machine]: a set of them is
// one word.
const MaxProcessors = 64

// A Machine describes virtual processors: how many there are, and what operations
// cost on them. [Server] makes one.
type Machine struct {
	// Processors is how many there are, 1 to [MaxProcessors]. It may be lowered
	// before a run, as GOMAXPROCS may.
	Processors int
	// cluster is how many processors share a cache.
	cluster int
	costs   costs
}

// A Variation says which of the three values of each constant is in force.
type Variation int

// The variations. All constants are costs, so Low favours speed most, High favours it
// least, and Base is what is believed in.
const (
	Low Variation = iota
	Base
	High
)

// Server is a server of one socket with 64 processors, in clusters of eight that share
// a cache, such as an AMD EPYC. None was at hand: the constants are from publications
// where two processors cannot show them. An idle processor is in a shallow state; one
// that leaves a deep state (C6) takes 133 µs.
func Server(v Variation) Machine {
	m := Machine{Processors: MaxProcessors, cluster: 8}
	for i, c := range constants {
		m.costs[i] = Time(c.nanoseconds[v] * float64(Nanosecond))
	}
	return m
}

// A cost is one kind of operation that takes time.
type cost int

const (
	load          cost = iota // a read, once the line is here
	atomicOp                  // a write or a read-modify-write, once the line is here
	instructions              // around each operation
	spin                      // each step of prim.Spin
	callers                   // prim.Callers, with a slice for what it returns
	near                      // a line that comes from the same cluster
	far                       // a line that comes from another one
	share                     // how long a line is busy when it was read
	hold                      // how long a line stays when it was written
	yield                     // prim.Yield, without the lock
	schedulerLock             // holding the lock of Go's scheduler
	spawn                     // prim.Go and prim.Expose, for the caller
	ready                     // making a goroutine ready
	switching                 // parking a goroutine; starting the next one there
	startThread               // waking a thread for a goroutine, for the caller
	threadLatency             // from then until that thread runs
	mutexSpin                 // how long a locker spins before it parks
	syscall                   // a futex call that does nothing
	futexWait                 // a futex call that blocks
	futexWake                 // a futex call that wakes, for the caller
	futexLatency              // from then until the woken thread runs
	kindsOfCost
)

type costs [kindsOfCost]Time

// bench begins what was measured on two processors, by the benchmark Constants, which this package
// has at that commit. No check depends on it: what refutes a prediction is a measurement of the
// same program, by the command lab predict.
const bench = "commit 7651515, go -C lab test -run - -bench Constants ./simulate: "

// A constant is an assumption about a machine: what one kind of operation costs.
type constant struct {
	name        string
	nanoseconds [3]float64 // by variation
	source      string
}

// constants are those of [Server].
//
// hold, and the base of near, follow from two measurements on two processors, of 15.0
// ns (transfer: a line that goes to and fro) and 5.4 ns (contended: adds of two
// processors to one word):
//
//	15.0 = (2*near + atomic + hold + load + op) / 2
//	 5.4 = (near + atomic + hold) / (1 + (atomic+hold)/(atomic+op))
var constants = [kindsOfCost]constant{
	load:          {"load", [3]float64{0.3, 0.3, 0.5}, bench + "load"},
	atomicOp:      {"atomic", [3]float64{1.7, 1.8, 4.6}, bench + "add, less op"},
	instructions:  {"op", [3]float64{0.2, 0.5, 1.3}, "low: one instruction; base: go test -run - -bench ForkCost ./pool, a fifth of invoke-over less two loads; high: " + bench + "call, less load"},
	spin:          {"spin", [3]float64{0.25, 0.5, 0.55}, bench + "spin; low: one step a cycle at 4 GHz"},
	callers:       {"callers", [3]float64{800, 950, 1300}, bench + "callers"},
	near:          {"near", [3]float64{11, 17, 40}, bench + "transfer; AnandTech, AMD Zen 4 Ryzen 9 7950X and Ryzen 5 7600X Review, 2022, Core-to-Core Latency: 15 to 19 ns within an L3; high: Chips and Cheese, Core to Core Latency Data on Large Systems, 2023, older clusters and meshes"},
	far:           {"far", [3]float64{80, 110, 140}, "AnandTech, as for near: up to 79.5 ns between chiplets of a desktop; Chips and Cheese, as for near: between chiplets of servers"},
	share:         {"share", [3]float64{2, 8, 20}, "low: 64 bytes at 32 a cycle, AMD, Software Optimization Guide for the Zen4 Microarchitecture; high: one transfer after the other, as near; base: assumed between"},
	hold:          {"hold", [3]float64{1, 3.4, 15}, bench + "transfer and contended: see above"},
	yield:         {"yield", [3]float64{46, 60, 130}, bench + "yield"},
	schedulerLock: {"scheduler-lock", [3]float64{20, 60, 90}, "high: " + bench + "yield-on-all, where the lock alone limits yields; low: a third of yield less its instructions"},
	spawn:         {"spawn", [3]float64{72, 100, 190}, bench + "spawn"},
	ready:         {"ready", [3]float64{40, 50, 70}, bench + "ready"},
	switching:     {"switch", [3]float64{35, 45, 60}, bench + "half of switch less ready"},
	startThread:   {"start-thread", [3]float64{1200, 2400, 5000}, bench + "wake, less ready"},
	threadLatency: {"thread-latency", [3]float64{3000, 5000, 15000}, "Linux, drivers/idle/intel_idle.c, skx_cstates: a processor leaves C1 in 2 us, C1E in 10; and 1, 3, 5 us to schedule"},
	mutexSpin:     {"mutex-spin", [3]float64{500, 2000, 5600}, "Go, runtime/proc.go and internal/sync/mutex.go: 4 times 30 PAUSE; of 10, 60 and 140 cycles: Intel 64 and IA-32 Architectures Optimization Reference Manual, Skylake"},
	syscall:       {"syscall", [3]float64{180, 300, 500}, bench + "syscall"},
	futexWait:     {"futex-wait", [3]float64{500, 1500, 4000}, "E. Bendersky, Measuring context switching and memory overheads for Linux threads, 2018: 1.2 to 2.2 us a switch"},
	futexWake:     {"futex-wake", [3]float64{1000, 2000, 5000}, "half of a switch and a switch, as for futex-wait"},
	futexLatency:  {"futex-latency", [3]float64{3000, 5000, 15000}, "as thread-latency"},
}
