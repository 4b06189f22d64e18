package simulate

import "slices"

// The machines that come with the package.
var machines = []Machine{
	// The one on which this repository was measured: a virtual machine with two
	// processors of an AMD EPYC of the Zen 4 family, linux/amd64, Go 1.26.8.
	{"this-2", 2, 2, 2, slices.Concat(alike, here), Base},
	// A server of one socket in clusters of eight that share a cache, such as an AMD
	// EPYC, and one of two sockets. None was at hand: what can be measured on two
	// processors was, the rest is from publications.
	//
	// A processor is idle in a shallow state. One that leaves a deep one (C6) takes
	// 133 µs: see the README.
	{"one-socket-64", 64, 8, 64, slices.Concat(alike, servers), Base},
	{"two-sockets-256", 256, 8, 128, slices.Concat(alike, servers), Base},
}

// bench measures constants on the machine at hand.
const bench = "go -C lab test -run - -bench Constants -benchtime 1x ./simulate"

// Units of the tables.
const (
	ns = 1000.0
	us = 1000 * ns
	ms = 1000 * us
)

// alike are on all machines as on the one at hand.
//
// hold, and near of that one, are solved from two measurements, of 15.0 ns (near: a line
// that goes to and fro) and 5.4 ns (contended: adds of two processors to one word):
//
//	15.0 = (2*near + atomic + hold + load + op) / 2
//	 5.4 = (near + atomic + hold) / (1 + (atomic+hold)/(atomic+op))
var alike = []Constant{
	{"load", 0.3 * ns, 0.3 * ns, 0.5 * ns, bench + ", load"},
	{"atomic", 1.7 * ns, 1.8 * ns, 4.6 * ns, bench + ", atomic and atomic-store, less op"},
	{"op", 0.2 * ns, 0.5 * ns, 1.3 * ns, "low: one instruction; base: go test -run - -bench ForkCost ./pool, a fifth of invoke-over less two loads; high: " + bench + ", op less load"},
	{"spin", 0.25 * ns, 0.5 * ns, 0.55 * ns, bench + ", spin; low: one step a cycle at 4 GHz"},
	{"callers", 0.8 * us, 0.95 * us, 1.3 * us, bench + ", callers"},
	{"share", 2 * ns, 8 * ns, 20 * ns, "low: 64 bytes at 32 a cycle, AMD, Software Optimization Guide for the Zen4 Microarchitecture; high: one transfer after the other, as near; base: assumed between"},
	{"hold", 1 * ns, 3.4 * ns, 15 * ns, bench + ", near and contended: see above"},
	{"yield", 46 * ns, 60 * ns, 130 * ns, bench + ", yield"},
	{"scheduler-lock", 20 * ns, 60 * ns, 90 * ns, bench + ", scheduler-lock is the high one, at which the lock alone limits yields; low: a third of yield less its instructions"},
	{"spawn", 72 * ns, 100 * ns, 190 * ns, bench + ", spawn"},
	{"ready", 40 * ns, 50 * ns, 70 * ns, bench + ", ready"},
	{"park", 35 * ns, 45 * ns, 60 * ns, bench + ", half of park+dispatch less ready"},
	{"dispatch", 35 * ns, 45 * ns, 60 * ns, bench + ", half of park+dispatch less ready"},
	{"mutex-spin", 0.5 * us, 2 * us, 5.6 * us, "Go, runtime/proc.go and internal/sync/mutex.go: 4 times 30 PAUSE; of 10, 60 and 140 cycles: Intel 64 and IA-32 Architectures Optimization Reference Manual, Skylake"},
	{"time-slice", 10 * ms, 10 * ms, 10 * ms, "Go, runtime/proc.go, forcePreemptNS"},
	{"sleep", 0.2 * us, 0.7 * us, 1.4 * us, bench + ", spawn+dispatch+sleep+park+ready+dispatch less these"},
	{"syscall", 180 * ns, 300 * ns, 500 * ns, bench + ", syscall"},
}

var here = []Constant{
	{"near", 10 * ns, 12 * ns, 80 * ns, bench + ", near and contended: see above; high: near when the host has put the two processors into different clusters"},
	{"far", 10 * ns, 12 * ns, 80 * ns, "there is one cluster, so it is not used"},
	{"across", 10 * ns, 12 * ns, 80 * ns, "there is one socket, so it is not used"},
	{"start-thread", 1.2 * us, 3 * us, 11 * us, bench + ", ready+start-thread less ready"},
	{"thread-latency", 5 * us, 50 * us, 120 * us, bench + ", start-thread+thread-latency; go -C lab run ./cmd/lab bench --workload wake"},
	{"timer", 100 * us, 125 * us, 190 * us, bench + ", timer+thread-latency less thread-latency"},
	{"futex-wait", 3 * us, 5 * us, 7 * us, bench + ", futex-wait"},
	{"futex-wake", 3.2 * us, 5 * us, 13 * us, bench + ", futex-wake"},
	{"futex-latency", 5 * us, 30 * us, 105 * us, bench + ", futex-wake+futex-latency; go -C lab run ./cmd/lab bench --workload wake"},
}

var servers = []Constant{
	{"near", 11 * ns, 17 * ns, 40 * ns, bench + ", near, on two processors; AnandTech, AMD Zen 4 Ryzen 9 7950X and Ryzen 5 7600X Review, 2022, Core-to-Core Latency: 15 to 19 ns within an L3; high: Chips and Cheese, Core to Core Latency Data on Large Systems, 2023, older clusters and meshes"},
	{"far", 80 * ns, 110 * ns, 140 * ns, "AnandTech, AMD Zen 4 Ryzen 9 7950X and Ryzen 5 7600X Review, 2022, Core-to-Core Latency: 15 to 19 ns within an L3, up to 79.5 ns between chiplets of a desktop; Chips and Cheese, Core to Core Latency Data on Large Systems, 2023, between chiplets of servers"},
	{"across", 140 * ns, 200 * ns, 270 * ns, "Chips and Cheese, Core to Core Latency Data on Large Systems, 2023, between sockets of Xeon and EPYC servers; with one socket not used"},
	{"start-thread", 1.2 * us, 2.4 * us, 5 * us, bench + ", ready+start-thread less ready"},
	{"thread-latency", 3 * us, 5 * us, 15 * us, "Linux, drivers/idle/intel_idle.c, skx_cstates: a processor leaves C1 in 2 us, C1E in 10; and 1, 3, 5 us to schedule"},
	{"timer", 0, 50 * us, 125 * us, "Linux, prctl(2), PR_SET_TIMERSLACK: 50 us unless a process says otherwise; high: " + bench + ", timer+thread-latency less thread-latency"},
	{"futex-wait", 0.5 * us, 1.5 * us, 4 * us, "E. Bendersky, Measuring context switching and memory overheads for Linux threads, 2018: 1.2 to 2.2 us a switch; high: " + bench + ", futex-wait, in a virtual machine"},
	{"futex-wake", 1 * us, 2 * us, 5 * us, "half of a switch and a switch as for futex-wait; high: " + bench + ", futex-wake, in a virtual machine"},
	{"futex-latency", 3 * us, 5 * us, 15 * us, "Linux, drivers/idle/intel_idle.c, skx_cstates: a processor leaves C1 in 2 us, C1E in 10; and 1, 3, 5 us to schedule"},
}
