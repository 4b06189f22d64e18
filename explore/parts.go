//go:build explore

package explore

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
)

// of returns the one of these that stands for t, or nil.
func (n *inner) of(t testing.TB) *inner {
	if t == testing.TB(n.T) {
		return n
	}
	for _, p := range n.parts {
		if m := p.of(t); m != nil {
			return m
		}
	}
	return nil
}

// Run calls f with a t of its own, in the same thread: goroutines of the test are a part of it, and
// what it starts may go on after it. FailNow in it ends the execution, which has failed.
func (n *inner) Run(name string, f func(t *testing.T)) bool {
	if n.root().late {
		runtime.Goexit()
	}
	part := n.part(name)
	if n.at != nil && !n.at.enters(part) {
		part.over = true
		return true
	}
	part.call(f)
	part.clean()
	part.ends()
	part.runs = nil
	return !part.failed
}

// part returns a new one, with a name as package testing gives it.
func (n *inner) part(name string) *inner {
	name = strings.Map(func(r rune) rune {
		if r == ' ' || r == '\t' || r == '\n' {
			return '_'
		}
		return r
	}, name)
	if base := name; name == "" || n.has(name) {
		for i := 0; name == "" || n.has(name); i++ {
			if name = fmt.Sprintf("%s#%02d", base, i); base != "" && i == 0 {
				name = "" // the first one has none
			}
		}
	}
	part := &inner{T: new(testing.T), e: n.e, outer: n.outer, parent: n, name: name, runs: n.e.enter()}
	n.parts = append(n.parts, part)
	return part
}

func (n *inner) has(name string) bool {
	for _, p := range n.parts {
		if p.name == name {
			return true
		}
	}
	return false
}

// call calls the function of the test, which may skip the rest of it.
func (n *inner) call(f func(t *testing.T)) {
	returned := false
	defer func() {
		switch {
		case returned:
		case n.skipped && !n.e.aborting:
			recover()
		default: // what it wants to be cleaned up is, after the execution
			r := n.root()
			r.cleanups = append(r.cleanups, n.cleanups...)
		}
	}()
	f(n.T)
	returned = true
}
