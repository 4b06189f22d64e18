package simulate

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
)

// A machine file is plain text. A line is blank, a comment that begins with #,
// or a constant: its name, the low, the base and the high value, the unit, and
// the source in free text. The counts (processors, cluster, socket) have the unit
// count, and three equal values.

// Parse reads a machine file. The name is what the machine is called, and what
// errors call the file: they begin with "name:line: ".
func Parse(name string, r io.Reader) (*Machine, error) {
	p := parser{
		file:    name,
		machine: &Machine{Name: name},
		times:   new(costs).fields(),
	}
	p.counts = map[string]*int{
		"processors": &p.machine.Processors,
		"cluster":    &p.machine.cluster,
		"socket":     &p.machine.socket,
	}
	lines := bufio.NewScanner(r)
	for lines.Scan() {
		p.line++
		text := strings.TrimSpace(lines.Text())
		if text == "" || text[0] == '#' {
			continue
		}
		if err := p.constant(text); err != nil {
			return nil, err
		}
	}
	if err := lines.Err(); err != nil {
		p.line++
		return nil, p.errorf("%v", err)
	}
	return p.machine, p.complete()
}

type parser struct {
	file    string
	line    int
	machine *Machine
	counts  map[string]*int
	times   map[string]*Time
	seen    []string
}

func (p *parser) errorf(format string, args ...any) error {
	return fmt.Errorf("%s:%d: %s", p.file, p.line, fmt.Sprintf(format, args...))
}

// constant parses a line that holds one.
func (p *parser) constant(text string) error {
	fields := strings.Fields(text)
	if len(fields) < 6 {
		return p.errorf("want a name, the low, base and high value, a unit and a source, have %q", text)
	}
	name, unit, source := fields[0], fields[4], strings.Join(fields[5:], " ")
	if slices.Contains(p.seen, name) {
		return p.errorf("%q comes twice", name)
	}
	p.seen = append(p.seen, name)
	var values [3]float64
	for i, s := range fields[1:4] {
		v, err := strconv.ParseFloat(s, 64)
		if err != nil || math.IsNaN(v) || v < 0 {
			return p.errorf("%s is %q, must be a number that is not negative", name, s)
		}
		values[i] = v
	}
	if count := p.counts[name]; count != nil {
		return p.count(name, unit, values, count)
	}
	if p.times[name] == nil {
		return p.errorf("there is no constant %q: there are %s", name, strings.Join(p.names(), ", "))
	}
	return p.time(name, unit, source, values)
}

func (p *parser) count(name, unit string, values [3]float64, count *int) error {
	v := values[0]
	switch {
	case unit != "count":
		return p.errorf("%s has the unit %q, must have count", name, unit)
	case v != values[1] || v != values[2]:
		return p.errorf("%s varies, must have three equal values", name)
	case v != math.Trunc(v) || v < 1 || v > MaxProcessors:
		return p.errorf("%s is %v, must be 1 to %d", name, v, MaxProcessors)
	}
	*count = int(v)
	return nil
}

// longest is the largest value of a constant, so that sums of them stay far from
// the end of [Time].
const longest = Second

func (p *parser) time(name, unit, source string, values [3]float64) error {
	size := Time(0)
	for _, u := range units {
		if u.name == unit {
			size = u.size
		}
	}
	if size == 0 {
		return p.errorf("%s has the unit %q, must have s, ms, us, ns or ps", name, unit)
	}
	if values[0] > values[1] || values[1] > values[2] {
		return p.errorf("%s is %v, %v, %v: must not fall from low to base to high", name, values[0], values[1], values[2])
	}
	if values[2]*float64(size) > float64(longest) {
		return p.errorf("%s is %v %s, must be at most %v", name, values[2], unit, longest)
	}
	c := Constant{Name: name, Unit: unit, Source: source}
	for i, t := range []*Time{&c.Low, &c.Base, &c.High} {
		*t = Time(math.Round(values[i] * float64(size)))
	}
	c.Value = c.Base
	p.machine.constants = append(p.machine.constants, c)
	return nil
}

// complete returns an error if something is missing at the end of the file, or
// does not fit together.
func (p *parser) complete() error {
	for _, name := range p.names() {
		if !slices.Contains(p.seen, name) {
			return p.errorf("the file ends without %q", name)
		}
	}
	if m := p.machine; m.socket%m.cluster != 0 {
		return p.errorf("a socket of %d processors is not made of clusters of %d", m.socket, m.cluster)
	}
	return nil
}

// names returns those of all counts and constants, sorted.
func (p *parser) names() []string {
	var names []string
	for name := range p.counts {
		names = append(names, name)
	}
	for name := range p.times {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
