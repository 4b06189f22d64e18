package scenarios

import (
	"fmt"
	"slices"
	"strings"
)

// A program is a handful of jobs that fork, join, spawn, submit, lock and block, one a line:
//
//	main: fork f; lock L; join f; unlock L
//	f: lock K; unlock K
//	other: lock L; unlock L
//	outside G: run c; signal e
//
// The first line is run by a caller from outside. A job that some other one makes begins as that says, and
// does nothing if it has no line. Each other one is submitted from outside, as "other" here. "outside"
// before a name makes it a goroutine of the user's.
//
// Each job is made once, and all that it does is on one line. A job that ends joins those of its forks
// that it has not joined, the newest first.

// verbs are what a job does, with the number of words that each takes.
var verbs = map[string]int{
	"fork": 2, // make a job that its maker joins
	"join": 2, // wait for a fork of this job

	"spawn": 3, // make a job of a scope: "spawn j S"
	"wait":  2, // wait until all jobs of the scope have ended

	"submit":     2, // make a job that any job may wait for
	"get":        2, // wait for a submitted job
	"get-before": 2, // the same with a deadline that may pass at any time

	"run": 2, // Run a job, here

	"lock": 2, "unlock": 2,
	"signal": 2, // an event happens, once and for all
	"await":  2, // wait for an event, in a way that the pool knows nothing of

	"block":   1, // the function of Block begins
	"unblock": 1, // it returns
}

// An op is one thing that a job does. arg is the job, scope, lock or event that it is about, if any.
type op struct{ verb, arg, scope string }

// A job is a line of a program.
type job struct {
	name string
	// outside says that it is a goroutine of the user's, made that some other job makes it.
	outside, made bool
	ops           []op
}

// parse reads a program.
func parse(text string) (jobs []*job, err error) {
	named := func(name string) *job {
		i := slices.IndexFunc(jobs, func(j *job) bool { return j.name == name })
		if i < 0 {
			i = len(jobs)
			jobs = append(jobs, &job{name: name})
		}
		return jobs[i]
	}
	bodies := map[*job]string{}
	for line := range strings.Lines(text) {
		head, body, _ := strings.Cut(strings.TrimSpace(line), ":")
		if head == "" {
			continue
		}
		name, outside := strings.CutPrefix(head, "outside ")
		j := named(name)
		if _, ok := bodies[j]; ok {
			return nil, fmt.Errorf("%s has two lines", name)
		}
		j.outside = outside
		bodies[j] = body
	}
	for _, j := range slices.Clone(jobs) {
		var forks []string
		for text := range strings.SplitSeq(bodies[j], ";") {
			words := append(strings.Fields(text), "", "")
			o := op{words[0], words[1], words[2]}
			if n := len(words) - 2; n == 0 || verbs[o.verb] != n {
				return nil, fmt.Errorf("%s: %q is nothing that a job does", j.name, text)
			}
			j.ops = append(j.ops, o)
			switch o.verb {
			case "fork", "spawn", "submit", "run":
				made := named(o.arg)
				if made.made || made.outside {
					return nil, fmt.Errorf("%s: %q: the job is made twice", j.name, text)
				}
				made.made = true
			}
			switch o.verb {
			case "fork":
				forks = append(forks, o.arg)
			case "join":
				forks = slices.DeleteFunc(forks, func(f string) bool { return f == o.arg })
			}
		}
		for _, f := range slices.Backward(forks) {
			j.ops = append(j.ops, op{verb: "join", arg: f})
		}
	}
	return jobs, nil
}
