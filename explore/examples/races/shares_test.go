package races_test

import (
	"sync"
	"testing"

	"github.com/rouse-go/rouse/explore"
	"github.com/rouse-go/rouse/explore/internal/planted"
)

type counter struct{ n int }

func (c *counter) add() { c.n++ }

func increment(p *int) { *p++ }

func incrementFirst(s []int) { s[0]++ }

func same[T any](p *T) *T { return p }

// shares has each way in which a local variable becomes another goroutine's, too. No function literal
// has the variable itself, except in the first one: it is shared by what the literal has.
var shares = map[string]scene{
	"captured": func(start func(func())) {
		x := 0
		start(func() { x++ })
		x++
	},
	"address": func(start func(func())) {
		x := 0
		p := &x
		start(func() { *p++ })
		x++
	},
	"address as an argument": func(start func(func())) {
		x := 0
		start(func(p *int) func() { return func() { increment(p) } }(&x))
		x++
	},
	"address of a generic call": func(start func(func())) {
		x := 0
		p := same(&x)
		start(func() { *p++ })
		x++
	},
	"address of a field": func(start func(func())) {
		var c counter
		p := &c.n
		start(func() { *p++ })
		c.n++
	},
	"address of an element": func(start func(func())) {
		var a [2]int
		p := &a[0]
		start(func() { *p++ })
		a[0]++
	},
	"slice of an array": func(start func(func())) {
		var a [2]int
		s := a[:]
		start(func() { incrementFirst(s) })
		a[0]++
	},
	"slice of an array in a struct": func(start func(func())) {
		var c struct{ a [2]int }
		s := c.a[:1]
		start(func() { incrementFirst(s) })
		c.a[0]++
	},
	"slice of an array in an array": func(start func(func())) {
		var a [2][2]int
		s := a[1][:]
		start(func() { s[0]++ })
		a[1][0]++
	},
	"method": func(start func(func())) {
		var c counter
		start(c.add)
		c.n++
	},
	"method of a field": func(start func(func())) {
		var s struct{ c counter }
		start(s.c.add)
		s.c.n++
	},
	"method of an embedded field": func(start func(func())) {
		var s struct{ counter }
		start(s.add)
		s.n++
	},
	"method of an element": func(start func(func())) {
		var a [2]counter
		start(a[1].add)
		a[1].n++
	},
	"interface": func(start func(func())) {
		var c counter
		var i interface{ add() } = &c
		start(func() { i.add() })
		c.n++
	},
	"channel": func(start func(func())) {
		x := 0
		c := make(chan *int, 1)
		c <- &x
		start(func() { *<-c++ })
		x++
	},
	"literal": func(start func(func())) {
		x := 0
		s := []struct{ p *int }{{&x}}
		start(func() { *s[0].p++ })
		x++
	},
	"map": func(start func(func())) {
		x := 0
		m := map[string]*int{"a": &x}
		start(func() { *m["a"]++ })
		x++
	},
	"whole": func(start func(func())) {
		var c counter
		p := &c.n
		start(func() { *p++ })
		c = counter{1}
		take(c)
	},
}

// A failure would mean that a variable is not taken for one that goroutines share.
func TestShares(t *testing.T) {
	explore.Test(t, func(t *testing.T) { racy["add"].run(new(sync.Mutex)) }) // or skip all of it
	for name, share := range shares {
		t.Run(name, func(t *testing.T) {
			r := explore.Explore(func(*explore.Exec) { share.run(new(none)) }, explore.Unbounded())
			if r.Failure == nil || r.Failure.Kind != explore.Raced {
				t.Errorf("no data race: %v", r)
			}
			planted.Passes(t, func() { share.run(new(sync.Mutex)) })
		})
	}
}
