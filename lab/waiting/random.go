package waiting

import (
	"fmt"
	"math/rand/v2"
	"slices"
)

// Random returns a program that keeps to what a program may do: locks are taken
// in order and released, a scope is spawned into from beneath alone, and what a
// job waits for in another way than by a join has begun. It may hang with a
// goroutine for each job, since a job may be waited for under a lock that it
// wants. The same numbers make the same program.
func Random(seed, number uint64) *Program {
	r := &generator{Rand: rand.New(rand.NewPCG(seed, number)), event: none}
	r.family()
	r.handles()
	r.outside()
	for j := range r.p.jobs {
		if !r.p.jobs[j].outside {
			r.body(uint8(j))
		}
	}
	r.p.settle()
	return r.p
}

// generator makes one program.
type generator struct {
	*rand.Rand
	p *Program
	// children of a job, and the scopes that it and they may spawn into: each
	// scope has the number of its owner.
	children [][]uint8
	scopes   [][]uint8
	// gets are the handles that a job waits for.
	gets [][]uint8
	// event is that which a goroutine outside signals, or none.
	event uint8
	// fill is what a job's body is made into.
	ops []op
}

// chance is true in percent of all cases.
func (r *generator) chance(percent int) bool { return r.IntN(100) < percent }

// family makes the jobs and says how each is made.
func (r *generator) family() {
	n, roots := 3+r.IntN(4), 1+r.IntN(2)
	r.p = &Program{locks: []string{"K", "L"}, events: []string{"e"}}
	for j := range uint8(n) {
		r.p.scopes = append(r.p.scopes, fmt.Sprint("S", j))
		child := job{name: string(rune('a' + j)), maker: none, scope: none}
		scopes := []uint8{j}
		if int(j) >= roots {
			child.maker = uint8(r.IntN(int(j)))
			above := r.scopes[child.maker]
			switch k := r.IntN(10); {
			case k < 5:
				child.made = fork
				scopes = append(scopes, above...)
			case k < 7:
				child.made = spawn
				child.scope = above[r.IntN(len(above))]
				// It may outlive the inner ones.
				scopes = append(scopes, above[slices.Index(above, child.scope):]...)
			case k < 9:
				child.made = submit
			default:
				child.made = run
				scopes = append(scopes, above...)
			}
		}
		r.p.jobs = append(r.p.jobs, child)
		r.scopes = append(r.scopes, scopes)
		r.children = append(r.children, nil)
		r.gets = append(r.gets, nil)
		if child.maker != none {
			r.children[child.maker] = append(r.children[child.maker], j)
		}
	}
}

// handles says which jobs wait for which submitted one: its maker, or what that
// makes later.
func (r *generator) handles() {
	for c := range r.p.jobs {
		if r.p.jobs[c].maker == none || r.p.jobs[c].made != submit {
			continue
		}
		for j := range r.p.jobs {
			if j != c && r.beneath(uint8(j), r.p.jobs[c].maker) && !r.beneath(uint8(j), uint8(c)) && r.chance(50) {
				r.gets[j] = append(r.gets[j], uint8(c))
			}
		}
	}
}

// beneath says whether the job is, or descends from, the other one.
func (r *generator) beneath(j, ancestor uint8) bool {
	for ; j != none; j = r.p.jobs[j].maker {
		if j == ancestor {
			return true
		}
	}
	return false
}

// outside adds a goroutine of the user's that signals an event.
func (r *generator) outside() {
	if !r.chance(30) {
		return
	}
	r.event = 0
	g := job{name: "G", outside: true, maker: none, scope: none}
	if r.chance(30) {
		g.ops = append(g.ops, op{lock, 1, none}, op{unlock, 1, none})
	}
	g.ops = append(g.ops, op{signal, 0, none})
	r.p.jobs = append(r.p.jobs, g)
}

// A piece is something that a body may do next, once or several times.
type piece struct {
	weight int
	do     func()
}

// body makes the operations of a job: in any order, but what is open is closed
// in the end.
func (r *generator) body(j uint8) {
	r.ops = nil
	var todo, open, held []uint8
	gets, locks, blocking, awaits := r.gets[j], 0, false, 0
	for _, c := range r.children[j] {
		if r.p.jobs[c].made == submit {
			r.add(submit, c) // before any job can wait for it
		} else {
			todo = append(todo, c)
		}
	}
	for steps := 0; ; steps++ {
		pieces := []piece{}
		may := func(condition bool, weight int, do func()) {
			if condition {
				pieces = append(pieces, piece{weight, do})
			}
		}
		may(len(todo) > 0 && !blocking, 4, func() {
			c := r.pick(&todo)
			r.ops = append(r.ops, op{r.p.jobs[c].made, c, r.p.jobs[c].scope})
			if r.p.jobs[c].made == fork {
				open = append(open, c)
			}
		})
		may(len(open) > 0 && !blocking, 2, func() { r.add(join, r.pick(&open)) })
		may(len(gets) > 0, 2, func() {
			v := get
			if r.chance(30) {
				v = getBefore
			}
			r.add(v, r.pick(&gets))
		})
		may(locks < 2 && (len(held) == 0 || held[len(held)-1] == 0), 3, func() {
			l := uint8(r.IntN(2))
			if len(held) > 0 {
				l = 1
			}
			held, locks = append(held, l), locks+1
			r.add(lock, l)
		})
		may(len(held) > 0, 2, func() {
			r.add(unlock, held[len(held)-1])
			held = held[:len(held)-1]
		})
		may(!blocking && steps < 6, 1, func() { r.add(block, none); blocking = true })
		may(blocking, 2, func() { r.add(unblock, none); blocking = false })
		may(r.event != none && awaits == 0, 1, func() { r.add(await, r.event); awaits++ })
		if len(pieces) == 0 || len(todo) == 0 && len(gets) == 0 && (steps > 8 || r.chance(30)) {
			break
		}
		r.choose(pieces)
	}
	if blocking {
		r.add(unblock, none)
	}
	r.close(j, open, held)
	r.p.jobs[j].ops = r.ops
}

// close joins what may spawn into the job's scope, waits for the scope, and
// releases the locks, some of them before.
func (r *generator) close(j uint8, open, held []uint8) {
	for len(held) > 0 && r.chance(40) {
		r.add(unlock, held[len(held)-1])
		held = held[:len(held)-1]
	}
	if slices.ContainsFunc(r.p.jobs, func(c job) bool { return c.scope == j }) {
		for len(open) > 0 {
			r.add(join, r.pick(&open))
		}
		r.add(wait, j)
	}
	for i := len(held) - 1; i >= 0; i-- {
		r.add(unlock, held[i])
	}
}

func (r *generator) add(v verb, arg uint8) { r.ops = append(r.ops, op{v, arg, none}) }

// pick removes any of them.
func (r *generator) pick(from *[]uint8) uint8 {
	i := r.IntN(len(*from))
	c := (*from)[i]
	*from = slices.Delete(slices.Clone(*from), i, i+1)
	return c
}

// choose does one of the pieces.
func (r *generator) choose(pieces []piece) {
	sum := 0
	for _, p := range pieces {
		sum += p.weight
	}
	at := r.IntN(sum)
	for _, p := range pieces {
		if at -= p.weight; at < 0 {
			p.do()
			return
		}
	}
}
