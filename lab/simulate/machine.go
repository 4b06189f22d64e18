package simulate

import (
	"embed"
	"fmt"
	"path"
	"slices"
	"strings"
)

// MaxProcessors is the largest number of processors of a [Machine].
const MaxProcessors = 256

// A Machine is a description of virtual processors: how many there are, and what
// operations cost on them. [Load] and [Parse] make one.
type Machine struct {
	Name string
	// Processors is how many there are, 1 to [MaxProcessors]. It may be lowered
	// before a run, as GOMAXPROCS may.
	Processors int

	// cluster and socket are how many processors share a cache and a socket.
	cluster, socket int
	constants       []Constant
}

// A Constant is one assumption about a machine: what one kind of operation
// costs.
type Constant struct {
	Name string
	// Unit is what the file gives the values in: one of s, ms, us, ns, ps.
	Unit string
	// Low is the value that favours speed most, High the one that favours it
	// least, Base the one that is believed in.
	Low, Base, High Time
	// Value is the one in force.
	Value Time
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

//go:embed machines/*.txt
var machineFiles embed.FS

// Machines returns the names that [Load] knows, in order.
func Machines() []string {
	files, err := machineFiles.ReadDir("machines")
	if err != nil {
		panic(err) // they are part of the program
	}
	names := make([]string, 0, len(files))
	for _, f := range files {
		names = append(names, strings.TrimSuffix(f.Name(), ".txt"))
	}
	slices.Sort(names)
	return names
}

// Load returns one of the machines that come with the package. The error of an
// unknown name lists those that there are.
func Load(name string) (*Machine, error) {
	if !slices.Contains(Machines(), name) {
		return nil, fmt.Errorf("simulate: no machine %q: there are %s", name, strings.Join(Machines(), ", "))
	}
	file := path.Join("machines", name+".txt")
	f, err := machineFiles.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	m, err := Parse(file, f)
	if err != nil {
		return nil, err
	}
	m.Name = name
	return m, nil
}

// Constants returns all constants, in the order of the file.
func (m *Machine) Constants() []Constant { return slices.Clone(m.constants) }

// With returns a copy of the machine in which each constant has the value of the
// variation.
func (m *Machine) With(v Variation) *Machine {
	varied := m.clone()
	for i := range varied.constants {
		varied.constants[i].choose(v)
	}
	return varied
}

// WithConstant returns a copy of the machine in which the named constant has the
// value of the variation. The error of an unknown name lists those that there
// are.
func (m *Machine) WithConstant(name string, v Variation) (*Machine, error) {
	varied := m.clone()
	var names []string
	for i := range varied.constants {
		if c := &varied.constants[i]; c.Name == name {
			c.choose(v)
			return varied, nil
		}
		names = append(names, m.constants[i].Name)
	}
	return nil, fmt.Errorf("simulate: machine %s has no constant %q: it has %s", m.Name, name, strings.Join(names, ", "))
}

func (m *Machine) clone() *Machine {
	c := *m
	c.constants = slices.Clone(m.constants)
	return &c
}

func (c *Constant) choose(v Variation) {
	switch v {
	case Low:
		c.Value = c.Low
	case High:
		c.Value = c.High
	default:
		c.Value = c.Base
	}
}
