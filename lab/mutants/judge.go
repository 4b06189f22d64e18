package mutants

import (
	"cmp"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"
)

// A Verdict says what became of a mutant, or of the program without any.
type Verdict struct {
	// Name is the mutant's; of a control, the target and what it ran.
	Name    string
	Control bool
	// Killer is what has killed it, and how. It is empty if Err is not nil.
	Killer string
	// Err says what is wrong: the mutant survives, dies of something else, or could not be
	// tried; or the control fails.
	Err error
	// CPU is how much processor time that took.
	CPU time.Duration
}

// Options say how mutants are judged.
type Options struct {
	// Search explores every schedule up to the bound, in place of those that are stored. What
	// must pass is explored as deep as what must fail.
	Search bool
	// Explored is how many schedules each scenario has on what ships, by the number of
	// preemptions from 0: a control must find as many. It is nil if that is not known.
	Explored map[string][]int
	// Ended is told each verdict. Its calls do not overlap. It may be nil.
	Ended func(Verdict)
}

// Judge builds programs with the mutants and runs, of each, what must fail on it; and of the
// programs without a mutant the same tests, which must pass. root is the checkout. The error
// says what could not be built, or that the context has ended; what is wrong with a mutant
// is in its verdict.
func Judge(ctx context.Context, root string, all []Mutant, o Options) ([]Verdict, error) {
	if len(all) == 0 {
		return nil, errors.New("mutants: there is none to try")
	}
	dir, err := os.MkdirTemp("", "rouse-mutants-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	// Its place must be the same one however the checkout was reached, or go would not
	// find the files that are to be replaced.
	if root, err = filepath.Abs(root); err != nil {
		return nil, err
	}
	j := &judge{Options: o}
	j.slots = make(chan struct{}, 2*runtime.GOMAXPROCS(0)) // some wait
	programs, err := schemata(root, all)
	if err != nil {
		return nil, err
	}
	byTarget := make(map[target][]func(program) Verdict)
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	// What takes long comes first: what must pass, since no failure ends it.
	for _, c := range controls(all, o) {
		byTarget[c.target] = append(byTarget[c.target], func(p program) Verdict { return c.judge(ctx, p, o.Explored) })
	}
	for i, m := range all {
		byTarget[m.target()] = append(byTarget[m.target()], func(p program) Verdict { return j.judge(ctx, m, p, i+1) })
	}
	// A program runs while the next one is built: neither keeps all processors busy. Those with the
	// most to run come first, or the last ones would run when nothing is left to build.
	for i, t := range slices.SortedFunc(maps.Keys(byTarget), func(a, b target) int {
		return cmp.Or(cmp.Compare(len(byTarget[b]), len(byTarget[a])), strings.Compare(a.String(), b.String()))
	}) {
		sub := filepath.Join(dir, fmt.Sprint("program-", i))
		if err = os.Mkdir(sub, 0o777); err != nil {
			break
		}
		var p program
		if p, err = t.build(ctx, root, sub, programs[t]); err != nil {
			break
		}
		j.group.Go(func() {
			for _, f := range byTarget[t] {
				j.do(func() Verdict { return f(p) })
			}
		})
	}
	if err != nil {
		cancel()
		j.group.Wait()
		return nil, err
	}
	j.group.Wait()
	return j.verdicts, ctx.Err()
}

// A judge is under way.
type judge struct {
	Options

	slots    chan struct{}
	group    sync.WaitGroup
	mu       sync.Mutex
	verdicts []Verdict
}

// do has a verdict found, beside a few others.
func (j *judge) do(f func() Verdict) {
	j.slots <- struct{}{}
	j.group.Go(func() {
		defer func() { <-j.slots }()
		v := f()
		j.mu.Lock()
		defer j.mu.Unlock()
		j.verdicts = append(j.verdicts, v)
		if j.Ended != nil {
			j.Ended(v)
		}
	})
}

// judge runs what must kill a mutant.
func (j *judge) judge(ctx context.Context, m Mutant, p program, number int) Verdict {
	v := Verdict{Name: m.Name}
	r := run{mutant: number, tests: []string{m.Test}, bound: maxBound, hangs: strings.HasSuffix(m.Says, noEnd)}
	if !j.Search && m.Mode == Explored {
		if r.schedule = stored()[m.Name]; r.schedule != "" {
			o, err := p.run(ctx, r)
			v.CPU += o.cpu
			if v.Killer, v.Err = m.verdict(o, err); v.Err == nil {
				return v
			}
			r.schedule = "" // it was stored for other code
		}
	}
	o, err := p.run(ctx, r)
	v.CPU += o.cpu
	if v.Killer, v.Err = m.verdict(o, err); v.Err == nil && m.Mode == Explored && o.cpu > long {
		v.Killer += fmt.Sprintf("; it took long, so this is a line for schedules.txt:\n%s\t%s", m.Name, o.results[m.Test].Failure.Schedule)
	}
	return v
}

// maxBound is the number of preemptions up to which a mutant may live. One that needs more
// says that its scenario is too weak.
const maxBound = 3

// beginning is how the failure of a part's own test begins, behind what package testing says: with
// the label of a rule, or with a name or heading of the module. Those of explore promise nothing.
var beginning = regexp.MustCompile(`^(\s*(===|---) .*\n)*(\s*\w+\.go:\d+: )?(package \w+|[A-Z][\w. ]*(\(.*\))?): `)

// verdict says what has killed the mutant, or why what should have did not.
func (m Mutant) verdict(o outcome, err error) (killer string, _ error) {
	if err != nil {
		return "", err
	}
	says, kind := o.output, ""
	if m.Mode == Explored {
		f := o.results[m.Test].Failure
		if (f != nil) != o.failed {
			return "", fmt.Errorf("the program ends with a failure: %t, and reports %v:\n%s", o.failed, f, head([]byte(o.output)))
		}
		if f != nil {
			says, kind = string(f.Kind)+": "+f.Message, fmt.Sprintf(", bound %d", f.Preemptions)
			if !ofTheCode(f.Kind) {
				return "", fmt.Errorf("%s cannot be explored on the mutant: %v", m.Test, f)
			}
			if f.Preemptions != m.Bound {
				return "", fmt.Errorf("%s needs %d preemptions, the row says %d:\n%v", m.Test, f.Preemptions, m.Bound, f)
			}
		}
	}
	switch {
	case !o.failed:
		return "", fmt.Errorf("it survives: %s passes", m.Test)
	case !strings.Contains(says, m.Says):
		return "", fmt.Errorf("%s fails, but does not say %q:\n%s", m.Test, m.Says, head([]byte(says)))
	case m.Mode == Own && !strings.HasPrefix(m.target().dir, "explore") && !beginning.MatchString(says):
		return "", fmt.Errorf("%s fails, but does not begin with a rule:\n%s", m.Test, head([]byte(says)))
	}
	return m.Test + kind, nil
}

// A control is a run of what must kill mutants on the program that is none of them.
type control struct {
	target target
	run
}

// shallow is the number of preemptions up to which what must pass is explored, unless that is
// to be searched as deep as what must fail. That a control passes says that the program with
// all mutants in it is what ships, as long as it is none of them, and so that a mutant dies of
// its own fault. What ships is explored as deep as is feasible elsewhere. The two programs
// differ in branches alone, which no schedule can change. So if they have as many schedules
// with each number of preemptions up to 1, in each scenario that a mutant needs, then they run
// the same operations, whatever comes of more preemptions.
const shallow = 1

// otherSizes has, by the folder of the tests, a pattern of those that a control leaves out. A
// loop does on one worker, two and 64 what it does on three, and so does the program that is
// to be compared with what ships.
var otherSizes = map[string]string{"par": "^Test/^workers=(1|2|64)$"}

// controls returns those of the mutants: what is explored, as deep as they need it, or shallow.
func controls(all []Mutant, o Options) (list []control) {
	bounds := make(map[target]map[string]int)
	for _, m := range all {
		t, bound := m.target(), m.Bound
		if !o.Search && t.mode == Explored {
			bound = min(bound, shallow)
		}
		if !o.Search && m.Shallow != "" {
			bound = 0 // no deeper than on what ships
		}
		if bounds[t] == nil {
			bounds[t] = make(map[string]int)
		}
		bounds[t][m.Test] = max(bounds[t][m.Test], bound)
	}
	for _, t := range slices.SortedFunc(maps.Keys(bounds), func(a, b target) int { return strings.Compare(a.String(), b.String()) }) {
		for bound := maxBound; bound >= 0; bound-- {
			c := control{t, run{bound: bound, skip: otherSizes[t.dir]}}
			for _, test := range slices.Sorted(maps.Keys(bounds[t])) {
				if bounds[t][test] == bound {
					c.tests = append(c.tests, test)
				}
			}
			if len(c.tests) > 0 {
				list = append(list, c)
			}
		}
	}
	return list
}

// judge runs the control. It finds as many schedules as explored has, if that is not nil.
func (c control) judge(ctx context.Context, p program, explored map[string][]int) Verdict {
	v := Verdict{Name: fmt.Sprintf("none: %s, %d tests", c.target, len(c.tests)), Control: true}
	o, err := p.run(ctx, c.run)
	v.CPU = o.cpu
	switch {
	case err != nil:
		v.Err = err
	case o.failed:
		v.Err = fmt.Errorf("what ships fails:\n%s", failures(o.output))
	case explored != nil && c.target.mode == Explored:
		v.Err = c.differs(o, explored)
	}
	if v.Err == nil {
		v.Killer = "none: it is what ships"
	}
	return v
}

// differs says which scenarios have other schedules in the program with mutants than on what
// ships.
func (c control) differs(o outcome, explored map[string][]int) error {
	var all []error
	for _, test := range c.tests {
		got, found := o.results[test]
		want, known := explored[test]
		n := min(len(got.Sizes), len(want))
		switch {
		case !found || !known:
			all = append(all, fmt.Errorf("%s was explored without a mutant: %t, and on what ships: %t", test, found, known))
		case want == nil: // all schedules at once, not by preemptions
		case n == 0 || !slices.Equal(got.Sizes[:n], want[:n]):
			all = append(all, fmt.Errorf("%s has schedules by preemptions %v without a mutant, and %v on what ships", test, got.Sizes, want))
		}
	}
	return errors.Join(all...)
}

// failures returns what is behind the first failure in a verbose output.
func failures(out string) string {
	if i := strings.Index(out, "--- FAIL"); i >= 0 {
		out = out[max(0, i-4000):]
	}
	return head([]byte(out))
}

// schedules are those that kill mutants for which a search takes long, a line each: name, tab,
// schedule.
//
//go:embed schedules.txt
var schedules string

var stored = sync.OnceValue(func() map[string]string {
	all := make(map[string]string)
	for line := range strings.Lines(schedules) {
		if name, schedule, ok := strings.Cut(strings.TrimSpace(line), "\t"); ok {
			all[name] = schedule
		}
	}
	return all
})

// long is how much processor time a search takes whose schedule is stored.
const long = 500 * time.Millisecond
