package scenarios

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rouse-go/rouse/api"
	"github.com/rouse-go/rouse/api/prim"
	"github.com/rouse-go/rouse/conformance/internal/linear"
	"github.com/rouse-go/rouse/explore"
)

// A script is a scenario of a deque or an injector: what each thread does, an
// operation a letter.
//
//	'+'  push the next item
//	'-'  pop
//	'?'  push or pop, each in some execution
//	's'  steal
//	'l'  ask for the length
//	'e'  ask whether it is empty
type script struct {
	name, rule string
	kind       scriptKind
	// before is done before the threads start.
	before string
	// threads are what the threads do, a word each. Of a deque's only the first, the
	// owner, pushes and pops.
	threads string
}

type scriptKind uint8

const (
	items   scriptKind = iota // each is an item of its own
	same                      // all are the same pointer
	history                   // the order of the operations, which costs two steps each, must have a linear explanation
)

// A queue plays a script: it has the operations of a deque or an injector.
type queue struct {
	push   func(item *int) (result any)
	pop    func() *int
	steal  func() (*int, api.Outcome)
	length func() int
	empty  func() bool
	// The rules that say that each item comes out once, in which order, when
	// there is none, and what the length is.
	once, order, linear, size string
}

// scenario makes a scenario of the script.
func (s script) scenario(newQueue func() queue) Scenario {
	// Few of the histories of an exploration differ.
	explained := make(map[string]bool)
	threads := strings.Fields(s.threads)
	took := make([]bool, len(threads)) // in some execution
	unreached := func() (all []string) {
		for i, ops := range threads {
			if !took[i] && strings.ContainsAny(ops, "-?s") {
				all = append(all, fmt.Sprintf("thread %d, which does %q, takes an item", i, ops))
			}
		}
		return all
	}
	return Scenario{Name: s.name, Rule: s.rule, Bound: Complete, unreached: unreached, Body: func(x *explore.Exec) {
		p := &play{x: x, script: s, queue: newQueue()}
		p.client("before", s.before)
		for _, ops := range threads {
			p.client(p.role(ops), ops)
		}
		p.items = make([]int, len(p.pushers))
		for i := range p.items {
			p.items[i] = i
		}
		p.clients[0].perform()
		for _, c := range p.clients[1:] {
			x.Go(c.name, c.perform)
		}
		x.Wait()
		for i := range took {
			took[i] = took[i] || slices.ContainsFunc(p.clients[i+1].steps, step.taken)
		}
		p.rest()
		p.check(explained)
	}}
}

// role names the thread that performs the operations, for traces.
func (q queue) role(ops string) string {
	switch {
	case q.pop == nil && strings.Contains(ops, "+"):
		return "pusher"
	case q.pop == nil:
		return "taker"
	case strings.ContainsAny(ops, "+-?"):
		return "owner"
	}
	return "thief"
}

// A play is one execution of a script.
type play struct {
	x *explore.Exec
	script
	queue
	clock   prim.Int64
	clients []*client
	// pushers has, for each item, the client that may push it. Items of a
	// client are numbered in the order in which they are pushed.
	pushers []int
	items   []int
}

// A client performs operations, one after the other, and notes their results.
type client struct {
	*play
	name  string
	ops   string
	next  int // item to push
	steps []step
}

// A step is an operation and its result. From call to end is when it was under
// way, if there is a history.
type step struct {
	op        byte
	item      int // that was pushed
	call, end int64
	result    any // as package linear has it
}

func (p *play) client(name, ops string) *client {
	c := &client{play: p, name: name, ops: ops, next: len(p.pushers)}
	for range strings.Count(ops, "+") + strings.Count(ops, "?") {
		p.pushers = append(p.pushers, len(p.clients))
	}
	p.clients = append(p.clients, c)
	return c
}

func (c *client) perform() {
	for _, op := range []byte(c.ops) {
		c.do(op)
	}
}

// do performs an operation. The clock is a variable of the program under test:
// so the explorer does not take it to be all the same which of two operations
// began before the other's end.
func (c *client) do(op byte) linear.Taken {
	if op == '?' {
		op = "+-"[c.x.Choose(2)]
	}
	s := step{op: op}
	if c.kind == history {
		s.call = c.clock.Add(1)
	}
	switch op {
	case '+':
		s.item = c.next
		c.next++
		item := &c.items[s.item]
		if c.kind == same {
			item = &c.items[0]
		}
		s.result = c.push(item)
	case '-':
		s.result = linear.TakenOf(c.pop(), api.Empty)
	case 's':
		item, outcome := c.steal()
		if (item != nil) != (outcome == api.Stolen) {
			c.x.Errorf("%s: Steal returned %s with the outcome %v", c.once, show(item), outcome)
		}
		s.result = linear.TakenOf(item, outcome)
	case 'l':
		s.result = c.length()
	case 'e':
		s.result = c.empty()
	}
	if c.kind == history {
		s.end = c.clock.Add(1)
	}
	c.steps = append(c.steps, s)
	taken, _ := s.result.(linear.Taken)
	return taken
}

// rest takes the items that are left when all threads have ended. Nothing
// stands in the way now, so nothing may be lost.
func (p *play) rest() {
	c := p.client("rest", "")
	outcome := c.do('s').Outcome
	// A queue that does not get empty is to be reported, not waited for.
	for n := 0; outcome == api.Stolen && n < len(p.items); n++ {
		if p.pop != nil {
			outcome = c.do('-').Outcome
		} else {
			outcome = c.do('s').Outcome
		}
	}
	if outcome == api.Lost {
		p.x.Errorf("%s: Steal was Lost with nobody else at work", p.linear)
	}
	if p.length != nil {
		c.do('l')
	}
	if p.empty != nil {
		c.do('e')
	}
}

func show(item *int) any {
	if item == nil {
		return "nil"
	}
	return *item
}
