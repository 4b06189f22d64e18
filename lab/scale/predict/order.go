package predict

import (
	"cmp"
	"slices"

	"github.com/rouse-go/rouse/lab/scale"
	"github.com/rouse-go/rouse/lab/scale/measure"
	"github.com/rouse-go/rouse/lab/simulate"
	"github.com/rouse-go/rouse/tools/backends"
	"github.com/rouse-go/rouse/tools/pick"
)

// Calibrated is the machine of the simulator that [measure.Calibration] is of.
const Calibrated = "this-2"

// An Order is what a user asks to be predicted.
type Order struct {
	// Machine names a machine of the simulator.
	Machine string
	// Workers are in order. If there are none, they are 1, 2, 4 and so on, up to the
	// processors of the machine.
	Workers []int
	// Workloads are names of rows of package scale; all if there are none.
	Workloads []string
	// Sleep names a sleep backend that can be simulated.
	Sleep string
	// Quick has small sizes.
	Quick bool
}

// Plan returns what to do. The error says what the order names that does not exist.
func (o *Order) Plan() (*Plan, error) {
	m, noMachine := simulate.Load(o.Machine)
	of, notOf := simulate.Load(Calibrated)
	sleep, noSleep := sleepNamed(o.Sleep)
	names, noNames := pick.Named("workload", scale.Names(), func(name string) string { return name }, o.Workloads)
	recorded, noRecord := measure.Calibration()
	if err := cmp.Or(noMachine, notOf, noSleep, noNames, noRecord); err != nil {
		return nil, err
	}
	ofSleep, err := sleepNamed(recorded.Sleep)
	if err != nil {
		return nil, err
	}
	workers := o.Workers
	if len(workers) == 0 {
		workers = Doubling(m.Processors)
	}
	size := scale.SizeFor(slices.Max(workers))
	if o.Quick {
		size = scale.Quick
	}
	return &Plan{
		Machine: m, Rows: scale.Rows(size, names...), Workers: workers, Sleep: sleep,
		Recorded: recorded, Of: of, OfSleep: ofSleep,
	}, nil
}

// Doubling returns 1, 2, 4 and so on, and n at the end.
func Doubling(n int) (all []int) {
	for i := 1; i < n; i *= 2 {
		all = append(all, i)
	}
	return append(all, n)
}

// sleepNamed returns the sleep backend of that name, if it can be simulated.
func sleepNamed(name string) (backends.Sleep, error) {
	all := slices.DeleteFunc(backends.Sleeps(), func(s backends.Sleep) bool { return s.Name != "jec" && s.Name != "futex" })
	found, err := pick.Named("sleep backend", all, func(s backends.Sleep) string { return s.Name }, []string{name})
	if err != nil {
		return backends.Sleep{}, err
	}
	return found[0], nil
}
