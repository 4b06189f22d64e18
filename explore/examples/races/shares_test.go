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
var shares = map[string]func(start func(others func()), mu sync.Locker){
	"captured": func(start func(func()), mu sync.Locker) {
		x := 0
		start(func() { x++ })
		mu.Lock()
		x++
		mu.Unlock()
	},
	"address": func(start func(func()), mu sync.Locker) {
		x := 0
		p := &x
		start(func() { *p++ })
		mu.Lock()
		x++
		mu.Unlock()
	},
	"address as an argument": func(start func(func()), mu sync.Locker) {
		x := 0
		start(func(p *int) func() { return func() { increment(p) } }(&x))
		mu.Lock()
		x++
		mu.Unlock()
	},
	"address of a generic call": func(start func(func()), mu sync.Locker) {
		x := 0
		p := same(&x)
		start(func() { *p++ })
		mu.Lock()
		x++
		mu.Unlock()
	},
	"address of a field": func(start func(func()), mu sync.Locker) {
		var c counter
		p := &c.n
		start(func() { *p++ })
		mu.Lock()
		c.n++
		mu.Unlock()
	},
	"address of an element": func(start func(func()), mu sync.Locker) {
		var a [2]int
		p := &a[0]
		start(func() { *p++ })
		mu.Lock()
		a[0]++
		mu.Unlock()
	},
	"slice of an array": func(start func(func()), mu sync.Locker) {
		var a [2]int
		s := a[:]
		start(func() { incrementFirst(s) })
		mu.Lock()
		a[0]++
		mu.Unlock()
	},
	"slice of an array in a struct": func(start func(func()), mu sync.Locker) {
		var c struct{ a [2]int }
		s := c.a[:1]
		start(func() { incrementFirst(s) })
		mu.Lock()
		c.a[0]++
		mu.Unlock()
	},
	"slice of an array in an array": func(start func(func()), mu sync.Locker) {
		var a [2][2]int
		s := a[1][:]
		start(func() { s[0]++ })
		mu.Lock()
		a[1][0]++
		mu.Unlock()
	},
	"method": func(start func(func()), mu sync.Locker) {
		var c counter
		start(c.add)
		mu.Lock()
		c.n++
		mu.Unlock()
	},
	"method of a field": func(start func(func()), mu sync.Locker) {
		var s struct{ c counter }
		start(s.c.add)
		mu.Lock()
		s.c.n++
		mu.Unlock()
	},
	"method of an embedded field": func(start func(func()), mu sync.Locker) {
		var s struct{ counter }
		start(s.add)
		mu.Lock()
		s.n++
		mu.Unlock()
	},
	"method of an element": func(start func(func()), mu sync.Locker) {
		var a [2]counter
		start(a[1].add)
		mu.Lock()
		a[1].n++
		mu.Unlock()
	},
	"interface": func(start func(func()), mu sync.Locker) {
		var c counter
		var i interface{ add() } = &c
		start(func() { i.add() })
		mu.Lock()
		c.n++
		mu.Unlock()
	},
	"channel": func(start func(func()), mu sync.Locker) {
		x := 0
		c := make(chan *int, 1)
		c <- &x
		start(func() { *<-c++ })
		mu.Lock()
		x++
		mu.Unlock()
	},
	"literal": func(start func(func()), mu sync.Locker) {
		x := 0
		s := []struct{ p *int }{{&x}}
		start(func() { *s[0].p++ })
		mu.Lock()
		x++
		mu.Unlock()
	},
	"map": func(start func(func()), mu sync.Locker) {
		x := 0
		m := map[string]*int{"a": &x}
		start(func() { *m["a"]++ })
		mu.Lock()
		x++
		mu.Unlock()
	},
	"whole": func(start func(func()), mu sync.Locker) {
		var c counter
		p := &c.n
		start(func() { *p++ })
		mu.Lock()
		c = counter{1}
		take(c)
		mu.Unlock()
	},
}

// A failure would mean that a variable is not taken for one that goroutines share.
func TestShares(t *testing.T) {
	explore.Test(t, func(t *testing.T) { racy["add"].run(new(sync.Mutex))() }) // or skip all of it
	for name, share := range shares {
		run := func(mu sync.Locker) {
			done := make(chan struct{})
			share(func(others func()) {
				go func() {
					mu.Lock()
					others()
					mu.Unlock()
					close(done)
				}()
			}, mu)
			<-done
		}
		t.Run(name, func(t *testing.T) {
			r := explore.Explore(func(*explore.Exec) { run(new(none)) }, explore.Unbounded())
			if r.Failure == nil || r.Failure.Kind != explore.Raced {
				t.Errorf("no data race: %v", r)
			}
			planted.Passes(t, func() { run(new(sync.Mutex)) })
		})
	}
}
