//go:build explore

package explore

import (
	"slices"
	"time"
)

// A kept is an execution that has passed, as it can be run again.
type kept struct {
	schedule schedule
	rounds   int // see Rounds

	// What it has come to when it was run again, if it was.
	ran   bool
	hash  uint64
	steps int
}

// comparisons is how often an execution is compared with another one by the same schedule: a coin
// that decides over an operation falls otherwise in one of them. They are ended after
// comparedSteps, and after a tenth of the time that the search may take: an execution may be long.
const (
	comparisons   = 16
	comparedSteps = 20_000
)

// keep notes the last execution, of a search, to be run again. The first one is none of them: it
// may set up what stays.
func (e *engine) keep() {
	if len(e.kept) < comparisons-1 && e.report.Schedules > 1 && e.failure == nil && e.config.test != nil {
		e.kept = append(e.kept, kept{schedule: slices.Clone(e.schedule), rounds: e.config.rounds})
	}
}

// unsteady returns a failure if one of the first schedules, or the last one, of an exploration that
// has found none, comes to something else when it is run again. A search notices what differs
// before its decisions alone.
func (e *engine) unsteady() *Failure {
	before, rounds := e.report, e.config.rounds
	defer func() {
		e.report.Schedules, e.report.Steps = before.Schedules, before.Steps
		e.config.rounds = rounds
	}()
	all := e.kept
	if e.failure == nil {
		all = append([]kept{{schedule: slices.Clone(e.schedule), rounds: rounds}}, all...)
	}
	if len(all) == 0 {
		return nil
	}
	pairs := comparisons
	if len(e.threads) == 1 && before.Schedules == 1 { // there are no orders of which something is said
		pairs = 2
	}
	begun, most := time.Now(), (e.config.maxTime+9)/10 // 0 is no limit
	goesOn := func() bool {
		return e.report.Steps-before.Steps <= comparedSteps && (most == 0 || time.Since(begun) < most)
	}
	// Two runs in a row are of the same schedule, so that what differs in turns is noticed, too.
	for i := 0; i < 2*pairs && (i < 2 || i%2 == 1 || goesOn()); i++ {
		r := &all[i/2%len(all)]
		e.config.rounds = r.rounds
		// Without a trace: it is for a difference alone, and takes a stack for each access.
		switch f := e.replayed(r.schedule); {
		case f != nil && f.Kind != Diverged:
			if e.until(r.schedule, func(f *Failure) bool { return f != nil }) != "" {
				f = e.failure
			}
			return e.passedOnce(r.schedule, f)
		case f != nil, r.ran && (e.hash != r.hash || e.steps != r.steps):
			return e.otherwise(r.schedule)
		}
		r.ran, r.hash, r.steps = true, e.hash, e.steps
	}
	return nil
}

// otherwise returns the failure of a schedule that does not always do what it did just now.
func (e *engine) otherwise(s schedule) *Failure {
	one, two := "", ""
	for tries := 0; two == "" && tries < 2; tries++ {
		e.again(s)
		one = table(e.labels(), e.lines())
		two = e.until(s, func(*Failure) bool { return table(e.labels(), e.lines()) != one })
		s = slices.Clone(e.schedule) // if each has ended where it does not fit, they go on from there
	}
	return &Failure{Kind: Nondeterministic, Message: twice(one, two)}
}

// passedOnce returns the failure of a schedule that has passed before.
func (e *engine) passedOnce(s schedule, f *Failure) *Failure {
	f.Message = "a schedule has passed, and when it was run again: " + string(f.Kind) + ": " + f.Message
	f.Kind = Nondeterministic
	f.Message += other(e.until(s, func(f *Failure) bool { return f == nil }))
	return f
}

// differs returns the failure of a schedule that, in the execution before this, was another one, or
// none.
func (e *engine) differs(s schedule, f, now *Failure) *Failure {
	what, two := "nothing failed", table(e.labels(), e.lines())
	if now != nil {
		what = string(now.Kind) + ": " + now.Message
	}
	d := *f
	d.Kind = Nondeterministic
	d.Message = "a schedule failed once: " + string(f.Kind) + ": " + f.Message + "; and when it was run again: " + what
	if f.Trace != "" {
		d.Message += other(two)
	} else if one := e.until(s, func(g *Failure) bool { return g != nil && g.Kind == f.Kind }); one != "" {
		d.Message += "\nonce:\n" + one + other(two)
	}
	return &d
}

// until runs a schedule until it does what is asked for, and returns the trace of that, or "" if
// it has not.
func (e *engine) until(s schedule, does func(*Failure) bool) string {
	before := e.report
	defer func() { e.report.Schedules, e.report.Steps = before.Schedules, before.Steps }()
	for tries := 0; tries < differing && !poisoned; tries++ {
		if f := e.again(s); does(f) && !poisoned {
			return table(e.labels(), e.lines())
		}
	}
	return ""
}

// twice says how two runs of a schedule differ.
func twice(one, two string) string {
	if one == two || two == "" {
		return otherwise
	}
	return otherwise + "\nonce:\n" + one + other(two)
}

// other shows the trace of another run, if there is one.
func other(trace string) string {
	if trace == "" {
		return ""
	}
	return "\nand once more, by the same schedule:\n" + trace
}
