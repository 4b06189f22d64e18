//go:build explore

package explore

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// A silence notices threads that perform no operation in any execution. One that does so
// in some executions may well have had nothing to do in others.
type silence struct {
	acted  []string // by thread: the name of the last one that performed operations
	names  map[string]bool
	silent map[string]string // by names of threads that did not: what they are called in messages
}

// note is called after each execution.
func (s *silence) note(threads []*thread) {
	for _, t := range threads {
		s.noteOne(t)
	}
}

func (s *silence) noteOne(t *thread) {
	for len(s.acted) <= t.index {
		s.acted = append(s.acted, "")
	}
	switch {
	case t.index == 0: // the scenario itself
	case !t.acted:
		if s.silent == nil {
			s.silent = make(map[string]string)
		}
		if s.silent[t.name] == "" {
			s.silent[t.name] = t.begins()
		}
	case s.acted[t.index] != t.name:
		if s.names == nil {
			s.names = make(map[string]bool)
		}
		s.acted[t.index], s.names[t.name] = t.name, true
	}
}

// begins returns where the function of the thread is, or its name if that is one of [Exec.Go]. The
// name of a function can be long: that of a literal in others, and in the body of a range over a
// function, has all of theirs.
func (t *thread) begins() string {
	if t.name == nameOf(t.f) {
		if p := whereIs(t.f); p.line > 1 {
			return p.String()
		}
	}
	return t.name
}

// add takes in what another process has noted.
func (s *silence) add(acted []string, silent map[string]string) {
	if s.names == nil {
		s.names = make(map[string]bool)
	}
	if s.silent == nil {
		s.silent = make(map[string]string)
	}
	for _, name := range acted {
		s.names[name] = true
	}
	maps.Copy(s.silent, silent)
}

// check returns a failure if there are such threads, but for those that are meant to be.
func (s *silence) check(meant []string, schedules int) *Failure {
	var names []string
	for name, called := range s.silent {
		if !s.names[name] && !slices.Contains(meant, name) && !slices.Contains(meant, called) {
			names = append(names, fmt.Sprintf("%q", called))
		}
	}
	if len(names) == 0 {
		return nil
	}
	slices.Sort(names)
	names = slices.Compact(names)
	return &Failure{Kind: Unseen, Message: fmt.Sprintf("no operation of %s was seen in %s: it does nothing that another thread could notice, or does it in code "+
		"that was not rewritten (-with rewrites other modules) and is not built on package prim. No other order of its steps was tried. "+
		"If this is intended, use MayBeUnseen", strings.Join(names, ", "), plural(schedules, "schedule"))}
}
