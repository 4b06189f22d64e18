//go:build explore

package explore

import "slices"

// unsteady returns a failure if the last schedule, of an exploration that has found none, comes to
// something else when it is run again. A search notices what differs before its decisions alone.
func (e *engine) unsteady() *Failure {
	s, before := slices.Clone(e.schedule), e.report
	defer func() { e.report.Schedules, e.report.Steps = before.Schedules, before.Steps }()
	f := e.again(s)
	hash, steps, one := e.hash, e.steps, table(e.labels(), e.lines())
	if f != nil {
		f.Kind, f.Message = Nondeterministic, "a schedule has passed, and when it was run again: "+string(f.Kind)+": "+f.Message
		return f
	}
	if f = e.again(s); f == nil && e.hash == hash && e.steps == steps {
		return nil
	}
	return &Failure{Kind: Nondeterministic, Message: twice(one, table(e.labels(), e.lines()))}
}

// twice says how two runs of a schedule differ.
func twice(one, two string) string {
	if one == two {
		return otherwise
	}
	return otherwise + "\nonce:\n" + one + "\nand once more, by the same schedule:\n" + two
}
