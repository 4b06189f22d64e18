package simulate

// A Machine is a description of virtual processors: how many there are, and what
// operations cost on them. [Load] and [Parse] make one.
type Machine struct {
	Name string
	// Processors is how many there are, at most 256. It may be lowered before a
	// run, as by GOMAXPROCS.
	Processors int

	constants []Constant
}

// A Constant is one assumption of a machine.
type Constant struct {
	Name string
	// Unit is that of the three values in the file; the values are in picoseconds.
	Unit string
	// Low is the value that favours speed most, High the one that favours it
	// least, Base the one believed in.
	Low, Base, High Time
	// Value is the one that is in force.
	Value Time
	// Source is the publication that the values are from, or the command of this
	// repository that measures them.
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

// String returns the name of the variation.
func (v Variation) String() string {
	switch v {
	case Base:
		return "base"
	case Low:
		return "low"
	case High:
		return "high"
	}
	return "invalid variation"
}

// Constants returns all constants, in the order of the file.
func (m *Machine) Constants() []Constant { return append([]Constant(nil), m.constants...) }
