package waiting

// What follows is for running a program on something else than the model.

// A Job is one line of a program.
type Job struct {
	Name string
	// Outside says that it is a goroutine of the user's, Root that it is a job
	// which no other makes.
	Outside, Root bool
	Ops           []Op
}

// An Op is one operation of a job, in the words of the program: Arg is the job,
// scope, lock or event that it is about, if any, and Scope that of a spawned job.
type Op struct{ Verb, Arg, Scope string }

// Jobs returns the jobs of the program, with the joins that each makes before it
// ends.
func (p *Program) Jobs() []Job {
	all := make([]Job, len(p.jobs))
	for i, j := range p.jobs {
		all[i] = Job{Name: j.name, Outside: j.outside, Root: p.root(i)}
		for _, o := range j.ops {
			all[i].Ops = append(all[i].Ops, p.read(o))
		}
	}
	return all
}

func (p *Program) read(o op) Op {
	r := Op{Verb: o.verb.String()}
	switch o.verb {
	case block, unblock:
	case lock, unlock:
		r.Arg = p.locks[o.arg]
	case signal, await:
		r.Arg = p.events[o.arg]
	case wait:
		r.Arg = p.scopes[o.arg]
	default:
		r.Arg = p.jobs[o.arg].name
		if o.verb == spawn {
			r.Scope = p.scopes[o.scope]
		}
	}
	return r
}
