package waiting

import (
	"fmt"
	"slices"
	"strings"
)

// maxJobs and maxNames bound a program: a state has a fixed size, so that it
// can be the key of a map.
const (
	maxJobs  = 10
	maxNames = 8 // locks, events or scopes
)

// A verb is what an operation does.
type verb uint8

const (
	fork      verb = iota // make a job that its maker joins; it is private at first
	join                  // wait for a fork of this job
	spawn                 // make a job of a scope
	wait                  // wait until all jobs of the scope have ended
	submit                // make a job that any job may join, by its handle
	get                   // wait for a submitted job
	getBefore             // the same with a deadline: it may give up at any time
	run                   // run a job and wait for it; in a job, it runs in place
	lock
	unlock
	signal  // an event happens, once and for all
	await   // wait for an event, in a way that the pool knows nothing of
	block   // the function of Block begins: others may have the seat
	unblock // it returns
)

var verbs = []string{"fork", "join", "spawn", "wait", "submit", "get", "get-before", "run", "lock", "unlock", "signal", "await", "block", "unblock"}

// An Op is one operation of a job, in the words of the program: Arg is the job, scope, lock or
// event that it is about, if any, and Scope that of a spawned job.
type Op struct {
	Verb, Arg, Scope string

	// The same as numbers.
	verb       verb
	arg, scope uint8
}

// String is what Parse reads.
func (o Op) String() string { return strings.TrimSpace(o.Verb + " " + o.Arg + " " + o.Scope) }

// none is the number of nothing.
const none = 255

// A Program is a set of jobs.
type Program struct {
	jobs []Job
	// names are those of locks, events and scopes.
	locks, events, scopes []string
}

// A Job is one line of a program.
type Job struct {
	Name string
	// Outside says that it is a goroutine of the user's, which has begun when the pool starts;
	// Root that it is a job which no other makes: it lies in the injector then.
	Outside, Root bool
	Ops           []Op

	// maker made it, by means of the verb; none if no job did.
	maker uint8
	made  verb
	// scope is that of a spawned job, or none.
	scope uint8
}

// Parse reads a program, one job a line:
//
//	main: fork f; lock L; join f; unlock L
//	f: lock K; unlock K
//
// A job that some other one makes, and that has no line, does nothing. A job that
// ends joins those of its forks that it has not joined, the newest first. "outside"
// before a name makes it a goroutine of the user's. A spawned job names its scope:
// "spawn j S". Every job is made once, and all of a job's operations are on one line.
func Parse(text string) (*Program, error) {
	p := new(Program)
	var bodies []string
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		head, body, ok := strings.Cut(line, ":")
		if !ok {
			return nil, fmt.Errorf("waiting: %q is no job: want \"name: operation; operation\"", line)
		}
		j := Job{Name: head, maker: none, scope: none}
		if name, ok := strings.CutPrefix(head, "outside "); ok {
			j.Name, j.Outside = name, true
		}
		p.jobs = append(p.jobs, j)
		bodies = append(bodies, body)
	}
	for j, body := range bodies {
		for text := range strings.SplitSeq(body, ";") {
			if strings.TrimSpace(text) == "" {
				continue
			}
			if err := p.add(uint8(j), strings.Fields(text)); err != nil {
				return nil, err
			}
		}
	}
	if len(p.jobs) > maxJobs {
		return nil, fmt.Errorf("waiting: %d jobs, want at most %d", len(p.jobs), maxJobs)
	}
	for i := range p.jobs {
		j := &p.jobs[i]
		j.Root = j.maker == none && !j.Outside
		if j.Root && i >= len(bodies) {
			return nil, fmt.Errorf("waiting: there is no job %s", j.Name)
		}
	}
	p.settle()
	return p, nil
}

// add gives job j one more operation.
func (p *Program) add(j uint8, words []string) error {
	bad := func(why string) error {
		return fmt.Errorf("waiting: %s: %q: %s", p.jobs[j].Name, strings.Join(words, " "), why)
	}
	v := slices.Index(verbs, words[0])
	if v < 0 {
		return bad("unknown operation")
	}
	o := Op{Verb: words[0], verb: verb(v), arg: none, scope: none}
	if want := o.verb.words(); len(words) != want {
		return bad(fmt.Sprintf("want %d words", want))
	}
	if len(words) > 1 {
		o.Arg = words[1]
	}
	var names *[]string
	switch o.verb {
	case block, unblock:
	case lock, unlock:
		names = &p.locks
	case signal, await:
		names = &p.events
	case wait:
		names = &p.scopes
	default:
		if o.arg = p.number(o.Arg); o.arg == none {
			o.arg = uint8(len(p.jobs))
			p.jobs = append(p.jobs, Job{Name: o.Arg, maker: none, scope: none})
		}
	}
	if names != nil {
		o.arg = numberIn(names, o.Arg)
	}
	if o.verb == spawn {
		o.Scope, o.scope = words[2], numberIn(&p.scopes, words[2])
	}
	if len(p.locks) > maxNames || len(p.events) > maxNames || len(p.scopes) > maxNames {
		return bad(fmt.Sprintf("more than %d names", maxNames))
	}
	if o.verb.makes() {
		made := &p.jobs[o.arg]
		if made.maker != none {
			return bad("the job is made twice")
		}
		made.maker, made.made, made.scope = j, o.verb, o.scope
	}
	p.jobs[j].Ops = append(p.jobs[j].Ops, o)
	return nil
}

// words says how many words an operation has.
func (v verb) words() int {
	switch v {
	case block, unblock:
		return 1
	case spawn:
		return 3
	default:
		return 2
	}
}

// makes says whether the operation makes a job.
func (v verb) makes() bool { return v == fork || v == spawn || v == submit || v == run }

// number returns the number of the job with the name, or none.
func (p *Program) number(name string) uint8 {
	return uint8(slices.IndexFunc(p.jobs, func(j Job) bool { return j.Name == name })) // of -1 it is none
}

// numberIn returns the number of the name, which it adds if it is new.
func numberIn(names *[]string, name string) uint8 {
	i := slices.Index(*names, name)
	if i < 0 {
		i = len(*names)
		*names = append(*names, name)
	}
	return uint8(i)
}

// settle makes each job join what it forks and does not join, before it ends.
func (p *Program) settle() {
	for j := range p.jobs {
		ops := p.jobs[j].Ops
		joined := map[uint8]bool{}
		for _, o := range ops {
			if o.verb == join {
				joined[o.arg] = true
			}
		}
		for i := len(ops) - 1; i >= 0; i-- {
			if o := ops[i]; o.verb == fork && !joined[o.arg] {
				p.jobs[j].Ops = append(p.jobs[j].Ops, Op{Verb: verbs[join], Arg: o.Arg, verb: join, arg: o.arg, scope: none})
			}
		}
	}
}

// Jobs returns the jobs of the program, with the joins that each makes before it ends: for
// running it on something else than the model.
func (p *Program) Jobs() []Job { return p.jobs }
