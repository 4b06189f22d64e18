package simulate

import (
	"fmt"
	"maps"
	"math"
	"slices"
)

// CostNames returns the names of all constants, sorted.
func CostNames() []string { return slices.Sorted(maps.Keys(new(costs).fields())) }

// Constants returns all constants, in the order of the tables.
func (m *Machine) Constants() []Constant { return m.constants }

// InForce returns the value of a constant that a run would use.
func (m *Machine) InForce(name string) Time {
	c := m.costs()
	return *c.fields()[name]
}

// Plain is a machine whose costs are all different, so that one that is charged for
// another shows. Each change is "name value unit".
func Plain(changes ...string) *Machine {
	units := map[string]float64{"count": 1, "ns": ns, "us": us}
	values := map[string]float64{
		"processors": 8, "cluster": 4, "socket": 8,
		"load": 0.3 * ns, "atomic": 5 * ns, "op": 0.7 * ns, "callers": 1.7 * us, "spin": 1.1 * ns,
		"near": 31 * ns, "far": 101 * ns, "across": 211 * ns, "share": 13 * ns, "hold": 0,
		"yield": 71 * ns, "scheduler-lock": 43 * ns, "spawn": 301 * ns, "ready": 151 * ns, "park": 161 * ns,
		"dispatch": 171 * ns, "start-thread": 1.9 * us, "thread-latency": 4.7 * us, "mutex-spin": 1.3 * us,
		"time-slice": 10_000 * us, "syscall": 181 * ns, "futex-wait": 1.2 * us, "futex-wake": 2.3 * us,
		"futex-latency": 5.9 * us, "sleep": 190 * ns, "timer": 37 * us,
	}
	for _, c := range changes {
		var name, unit string
		var value float64
		if _, err := fmt.Sscan(c, &name, &value, &unit); err != nil || units[unit] == 0 {
			panic(fmt.Sprintf("simulate: %q is no change: %v", c, err))
		}
		if _, ok := values[name]; !ok {
			panic("simulate: there is no constant " + name)
		}
		values[name] = value * units[unit]
	}
	m := &Machine{Name: "test", Processors: int(values["processors"]), cluster: int(values["cluster"]), socket: int(values["socket"])}
	for _, name := range CostNames() {
		value := Time(math.Round(values[name]))
		m.constants = append(m.constants, Constant{name, value, value, value, "test"})
	}
	return m
}
