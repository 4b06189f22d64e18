package scenarios

import (
	"iter"

	"github.com/anishathalye/porcupine"

	"github.com/rouse-go/rouse/api"
	"github.com/rouse-go/rouse/conformance/internal/linear"
)

// check looks at the results of all operations. explained are the histories
// that have been found right before.
func (p *play) check(explained map[string]bool) {
	p.checkSize()
	if p.kind == same {
		p.checkCount()
	} else {
		p.checkOnce()
		p.checkStolen()
		p.checkPopped()
	}
	if p.kind != history {
		return
	}
	p.checkLost()
	if key := p.key(); !explained[key] {
		trouble := linear.Check(linear.Queue, p.operations())
		if trouble != "" {
			p.x.Errorf("%s: %s", p.linear, trouble)
		}
		explained[key] = trouble == ""
	}
}

// took returns the item that the step took, and whether it took one.
func (s step) took() (item int, ok bool) {
	r, _ := s.result.(linear.Taken)
	// An item that was never pushed is reported where it came out.
	return r.Item, r.Outcome == api.Stolen && r.Item >= 0
}

func (s step) taken() bool { _, ok := s.took(); return ok }

// all are the steps of all clients.
func (p *play) all() iter.Seq2[*client, step] {
	return func(yield func(*client, step) bool) {
		for _, c := range p.clients {
			for _, s := range c.steps {
				if !yield(c, s) {
					return
				}
			}
		}
	}
}

func (p *play) checkOnce() {
	times := make([]int, len(p.pushers)) // that it came out too often
	for _, s := range p.all() {
		if item, ok := s.took(); ok {
			times[item]++
		}
		if s.op == '+' {
			times[s.item]--
		}
	}
	for item, n := range times {
		switch {
		case n < 0:
			p.x.Errorf("%s: item %d never came out", p.once, item)
		case n > 0:
			p.x.Errorf("%s: item %d came out %d times", p.once, item, n+1)
		}
	}
}

// checkCount is checkOnce for items that are all the same.
func (p *play) checkCount() {
	pushed, taken := 0, 0
	for _, s := range p.all() {
		if s.taken() {
			taken++
		}
		if s.op == '+' {
			pushed++
		}
	}
	if pushed != taken {
		p.x.Errorf("%s: the item was pushed %d times and came out %d times", p.once, pushed, taken)
	}
}

// checkStolen checks that a thief of several items of a pusher gets the
// earlier one first, and that items that were left are later than stolen ones.
func (p *play) checkStolen() {
	stolen := make([]int, len(p.clients)) // the last one, and one more, by pusher
	for i, c := range p.clients {
		last := make([]int, len(p.clients))
		if i == len(p.clients)-1 {
			copy(last, stolen)
		}
		for _, item := range c.stolen() {
			by := p.pushers[item]
			if item < last[by] {
				p.x.Errorf("%s: item %d was stolen after item %d of the same pusher", p.order, item, last[by]-1)
			}
			last[by] = item + 1
			stolen[by] = max(stolen[by], last[by])
		}
	}
}

// stolen returns what the client stole, in that order.
func (c *client) stolen() (items []int) {
	for _, s := range c.steps {
		if item, ok := s.took(); ok && s.op != '-' {
			items = append(items, item)
		}
	}
	return items
}

// checkPopped checks that the owner of a deque, whose operations are those of
// the first, the second and the last client, popped the newest item, or nil
// only if there was none.
func (p *play) checkPopped() {
	if p.pop == nil {
		return
	}
	var inside []int // unless stolen
	for _, i := range []int{0, 1, len(p.clients) - 1} {
		for _, s := range p.clients[i].steps {
			item, took := s.took()
			n := len(inside)
			switch {
			case s.op == '+':
				inside = append(inside, s.item)
			case s.op == '-' && !took:
				inside = nil
			case s.op == '-' && (n == 0 || inside[n-1] != item):
				p.x.Errorf("%s: Pop returned %d; of what its owner has pushed, and not found gone, there is %v", p.order, item, inside)
				return
			case s.op == '-':
				inside = inside[:n-1]
			}
		}
	}
}

func (p *play) checkSize() {
	// Items that were left when the last push had ended do not count as taken.
	taken, firsts := 0, 0
	for c, s := range p.all() {
		if n, ok := s.result.(int); ok && (n < 0 || n > len(p.pushers)) {
			p.x.Errorf("%s: the length is %d, with %d items in all", p.size, n, len(p.pushers))
		}
		if c != p.clients[len(p.clients)-1] && s.taken() {
			taken++
		}
		if s.op == '+' && s.result == true {
			firsts++
		}
	}
	if firsts > taken+1 {
		p.x.Errorf("%s: %d pushes met an empty queue, which %d items have left", p.linear, firsts, taken)
	}
}

// checkLost checks that a steal was lost only if something happened meanwhile.
func (p *play) checkLost() {
	for c, s := range p.all() {
		if r, ok := s.result.(linear.Taken); ok && r.Outcome == api.Lost && !p.disturbed(c, s) {
			p.x.Errorf("%s: a Steal from %d to %d was Lost, with nobody in its way", p.linear, s.call, s.end)
		}
	}
}

// disturbed reports whether another client pushed or took an item during the
// client's step.
func (p *play) disturbed(c *client, s step) bool {
	for d, t := range p.all() {
		if d != c && t.call < s.end && t.end > s.call && (t.op == '+' || t.taken()) {
			return true
		}
	}
	return false
}

// operations is the history as package linear wants it.
func (p *play) operations() []porcupine.Operation {
	var ops []porcupine.Operation
	for i, c := range p.clients {
		for _, s := range c.steps {
			input := map[byte]any{'+': linear.Push(s.item), '-': linear.Pop, 's': linear.Steal, 'l': linear.Len, 'e': linear.Empty}[s.op]
			ops = append(ops, porcupine.Operation{ClientId: i, Input: input, Call: s.call, Output: s.result, Return: s.end})
		}
	}
	return ops
}

// key is the history in short.
func (p *play) key() string {
	var key []byte
	for _, s := range p.all() {
		key = append(key, s.op, byte(s.call), byte(s.end))
		switch r := s.result.(type) {
		case linear.Taken:
			key = append(key, byte(r.Outcome), byte(r.Item))
		case int:
			key = append(key, byte(r))
		case bool:
			if r {
				key = append(key, 1)
			} else {
				key = append(key, 0)
			}
		}
	}
	return string(key)
}
