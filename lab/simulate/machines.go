package simulate

import (
	"math"
	"slices"
)

// The machines that come with the package.
var machines = []Machine{
	// The one on which this repository was measured: a virtual machine with two
	// processors of an AMD EPYC of the Zen 4 family, linux/amd64, Go 1.26.8.
	{"this-2", 2, 2, 2, constants(alike, here)},
	// A server of one socket in clusters of eight that share a cache, such as an AMD
	// EPYC, and one of two sockets. Nobody here has one: what can be measured on two
	// processors was, the rest is from publications.
	//
	// A processor is idle in a shallow state. One that leaves a deep one (C6) takes
	// 133 µs: see the README.
	{"one-socket-64", 64, 8, 64, constants(alike, servers)},
	{"two-sockets-256", 256, 8, 128, constants(alike, servers)},
}

// bench measures constants on the machine at hand.
const bench = "go -C lab test -run - -bench Constants -benchtime 1x ./simulate"

// An assumption is a constant of a machine: its low, base and high value in a unit, and
// where they are from.
type assumption struct {
	name            string
	unit            Time
	low, base, high float64
	source          string
}

func constants(parts ...[]assumption) (all []Constant) {
	for _, a := range slices.Concat(parts...) {
		in := func(value float64) Time { return Time(math.Round(value * float64(a.unit))) }
		all = append(all, Constant{a.name, in(a.low), in(a.base), in(a.high), in(a.base), a.source})
	}
	return all
}

// alike are on all machines as on the one at hand.
//
// hold, and near of that one, are solved from two measurements, of 15.0 ns (near: a line
// that goes to and fro) and 5.4 ns (contended: adds of two processors to one word):
//
//	15.0 = (2*near + atomic + hold + load + op) / 2
//	 5.4 = (near + atomic + hold) / (1 + (atomic+hold)/(atomic+op))
var alike = []assumption{
	{"load", Nanosecond, 0.3, 0.3, 0.5, bench + ", load"},
	{"atomic", Nanosecond, 1.7, 1.8, 4.6, bench + ", atomic and atomic-store, less op"},
	{"op", Nanosecond, 0.2, 0.5, 1.3, "low: one instruction; base: go test -run - -bench ForkCost ./pool, a fifth of invoke-over less two loads; high: " + bench + ", op less load"},
	{"spin", Nanosecond, 0.25, 0.5, 0.55, bench + ", spin; low: one step a cycle at 4 GHz"},
	{"callers", Microsecond, 0.8, 0.95, 1.3, bench + ", callers"},
	{"share", Nanosecond, 2, 8, 20, "low: 64 bytes at 32 a cycle, AMD, Software Optimization Guide for the Zen4 Microarchitecture; high: one transfer after the other, as near; base: assumed between"},
	{"hold", Nanosecond, 1, 3.4, 15, bench + ", near and contended: see above"},
	{"yield", Nanosecond, 46, 60, 130, bench + ", yield"},
	{"scheduler-lock", Nanosecond, 20, 60, 90, bench + ", scheduler-lock is the high one, at which the lock alone limits yields; low: a third of yield less its instructions"},
	{"spawn", Nanosecond, 72, 100, 190, bench + ", spawn"},
	{"ready", Nanosecond, 40, 50, 70, bench + ", ready"},
	{"park", Nanosecond, 35, 45, 60, bench + ", half of park+dispatch less ready"},
	{"dispatch", Nanosecond, 35, 45, 60, bench + ", half of park+dispatch less ready"},
	{"mutex-spin", Microsecond, 0.5, 2, 5.6, "Go, runtime/proc.go and internal/sync/mutex.go: 4 times 30 PAUSE; of 10, 60 and 140 cycles: Intel 64 and IA-32 Architectures Optimization Reference Manual, Skylake"},
	{"time-slice", Millisecond, 10, 10, 10, "Go, runtime/proc.go, forcePreemptNS"},
	{"sleep", Microsecond, 0.2, 0.7, 1.4, bench + ", spawn+dispatch+sleep+park+ready+dispatch less these"},
	{"syscall", Nanosecond, 180, 300, 500, bench + ", syscall"},
}

var here = []assumption{
	{"near", Nanosecond, 10, 12, 80, bench + ", near and contended: see above; high: near when the host has put the two processors into different clusters"},
	{"far", Nanosecond, 10, 12, 80, "there is one cluster, so it is not used"},
	{"across", Nanosecond, 10, 12, 80, "there is one socket, so it is not used"},
	{"start-thread", Microsecond, 1.2, 3, 11, bench + ", ready+start-thread less ready"},
	{"thread-latency", Microsecond, 5, 50, 120, bench + ", start-thread+thread-latency; go -C lab run ./cmd/lab bench --workload wake"},
	{"timer", Microsecond, 100, 125, 190, bench + ", timer+thread-latency less thread-latency"},
	{"futex-wait", Microsecond, 3, 5, 7, bench + ", futex-wait"},
	{"futex-wake", Microsecond, 3.2, 5, 13, bench + ", futex-wake"},
	{"futex-latency", Microsecond, 5, 30, 105, bench + ", futex-wake+futex-latency; go -C lab run ./cmd/lab bench --workload wake"},
}

var servers = []assumption{
	{"near", Nanosecond, 11, 17, 40, bench + ", near, on two processors; AnandTech, AMD Zen 4 Ryzen 9 7950X and Ryzen 5 7600X Review, 2022, Core-to-Core Latency: 15 to 19 ns within an L3; high: Chips and Cheese, Core to Core Latency Data on Large Systems, 2023, older clusters and meshes"},
	{"far", Nanosecond, 80, 110, 140, "AnandTech, AMD Zen 4 Ryzen 9 7950X and Ryzen 5 7600X Review, 2022, Core-to-Core Latency: 15 to 19 ns within an L3, up to 79.5 ns between chiplets of a desktop; Chips and Cheese, Core to Core Latency Data on Large Systems, 2023, between chiplets of servers"},
	{"across", Nanosecond, 140, 200, 270, "Chips and Cheese, Core to Core Latency Data on Large Systems, 2023, between sockets of Xeon and EPYC servers; with one socket not used"},
	{"start-thread", Microsecond, 1.2, 2.4, 5, bench + ", ready+start-thread less ready"},
	{"thread-latency", Microsecond, 3, 5, 15, "Linux, drivers/idle/intel_idle.c, skx_cstates: a processor leaves C1 in 2 us, C1E in 10; and 1, 3, 5 us to schedule"},
	{"timer", Microsecond, 0, 50, 125, "Linux, prctl(2), PR_SET_TIMERSLACK: 50 us unless a process says otherwise; high: " + bench + ", timer+thread-latency less thread-latency"},
	{"futex-wait", Microsecond, 0.5, 1.5, 4, "E. Bendersky, Measuring context switching and memory overheads for Linux threads, 2018: 1.2 to 2.2 us a switch; high: " + bench + ", futex-wait, in a virtual machine"},
	{"futex-wake", Microsecond, 1, 2, 5, "half of a switch and a switch as for futex-wait; high: " + bench + ", futex-wake, in a virtual machine"},
	{"futex-latency", Microsecond, 3, 5, 15, "Linux, drivers/idle/intel_idle.c, skx_cstates: a processor leaves C1 in 2 us, C1E in 10; and 1, 3, 5 us to schedule"},
}
