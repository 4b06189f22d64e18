package scenarios

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/rouse-go/rouse/api/prim"
	"github.com/rouse-go/rouse/conformance/scenarios"
	"github.com/rouse-go/rouse/explore"
	"github.com/rouse-go/rouse/pool"
)

// programScenarios returns the programs, played on pools.
func programScenarios(newPool func(opts ...pool.Option) (*pool.Pool, error)) []scenarios.Scenario {
	var all []scenarios.Scenario
	for _, p := range programs {
		jobs, err := parse(p.text)
		if err != nil {
			panic(fmt.Sprintf("scenarios: %s: %v", p.name, err))
		}
		for i, bound := range p.bounds {
			if bound >= 0 {
				all = append(all, programScenario(newPool, p.name, jobs, i+1, bound))
			}
		}
	}
	return all
}

// waits is the rule that a program breaks if it hangs, or if a job begins on top
// of one that does not wait for it.
const waits = "P14"

func programScenario(newPool func(opts ...pool.Option) (*pool.Pool, error), name string, jobs []*job, seats, bound int) scenarios.Scenario {
	return scenarios.Scenario{
		Name: fmt.Sprintf("%s,seats=%d", name, seats), Rule: waits, Bound: bound, Deep: bound + 1, Why: why(bound),
		Options: []explore.Option{explore.MaxThreads(40)},
		Body: func(x *explore.Exec) {
			r := newPlayer(&stage{Exec: x, newPool: newPool}, jobs)
			x.Settle(func() { r.pool = r.stage.pool(pool.WithWorkers(seats)) })
			r.start()
			x.Wait()
			x.Settle(func() { r.fullWidth(r.pool); r.close(r.pool) })
			r.ended()
		},
	}
}

// A player runs the jobs of a program on a pool.
type player struct {
	*stage
	pool   *pool.Pool
	jobs   []*part
	locks  map[string]*prim.Mutex
	events map[string]gate
	scopes map[string]*scope
	shadow
}

// A part is a job of a program. What is not atomic belongs to the job, or to the
// one that makes it.
type part struct {
	*job
	number int
	fork   pool.Forked[*part, int]
	handle *pool.Handle[int]
	scope  *scope // that it belongs to
	// waits is the *part or the *scope that the job waits for in a way that lets
	// it run on top.
	waits   any
	beneath *part
}

type scope struct{ *pool.Scope }

func newPlayer(s *stage, jobs []*job) *player {
	r := &player{stage: s, locks: map[string]*prim.Mutex{}, events: map[string]gate{}, scopes: map[string]*scope{}}
	for i, j := range jobs {
		r.jobs = append(r.jobs, &part{job: j, number: i})
		for _, o := range j.ops {
			switch o.verb {
			case "lock":
				r.locks[o.arg] = new(prim.Mutex)
			case "signal":
				r.events[o.arg] = newGate()
			case "wait":
				r.scopes[o.arg] = new(scope)
			}
		}
	}
	return r
}

func (r *player) named(name string) *part {
	return r.jobs[slices.IndexFunc(r.jobs, func(j *part) bool { return j.name == name })]
}

// start begins the jobs that no other one makes. The first line is the scenario's own thread.
func (r *player) start() {
	for _, j := range r.jobs[1:] {
		if !j.made {
			r.Go(j.name, func() { r.begin(j, r.submitted) })
		}
	}
	r.begin(r.jobs[0], r.ran)
}

// begin is what a thread does that no job has begun: hand over a job, unless it is one of the user's.
func (r *player) begin(j *part, hand func(j *part) int) {
	if j.outside {
		r.do(nil, j, j.ops)
		return
	}
	r.returns(j, hand(j))
}

// ran and submitted have a job called that no job waits for with a join.
func (r *player) ran(j *part) int {
	return enter(r.stage, r.pool, func(w *pool.Worker) int { return r.play(w, j) })
}

func (r *player) submitted(j *part) int {
	return await(r.stage, submit(r.stage, r.pool, func(w *pool.Worker) int { return r.play(w, j) }))
}

// returns checks the result of a job.
func (r *player) returns(j *part, got int) {
	r.check(got == j.number, "P1", "the result of %s is %d, want %d", j.name, got, j.number)
}

// play is what each job does.
func (r *player) play(w *pool.Worker, j *part) int {
	j.beneath = r.begins(w, j)
	if b := j.beneath; b != nil && b.waits != any(j) && (j.scope == nil || b.waits != any(j.scope)) {
		r.Errorf("%s: %s begins on top of %s, which does not wait for it", waits, j.name, b.name)
	}
	r.do(w, j, j.ops)
	r.goesOn(w, j.beneath)
	return j.number
}

// do performs operations of the job, with its worker, or without one if it is a
// goroutine of the user's, or in Block. The scope that a job waits for last is the
// outermost of those that it makes.
func (r *player) do(w *pool.Worker, j *part, ops []op) {
	for i := len(ops) - 1; i >= 0; i-- {
		if ops[i].verb == "wait" {
			scope := r.scopes[ops[i].arg]
			w.Scope(func(w *pool.Worker, s *pool.Scope) {
				scope.Scope = s
				r.do(w, j, ops[:i])
				j.waits = scope
			})
			j.waits = nil
			r.do(w, j, ops[i+1:])
			return
		}
	}
	for i := 0; i < len(ops); i++ {
		if ops[i].verb == "block" {
			n := slices.IndexFunc(ops[i:], func(o op) bool { return o.verb == "unblock" })
			w.Block(func() { r.do(nil, j, ops[i+1:i+n]) })
			i += n
		} else {
			r.perform(w, j, ops[i])
		}
	}
}

func (r *player) perform(w *pool.Worker, j *part, o op) {
	switch o.verb {
	case "lock":
		r.locks[o.arg].Lock()
		return
	case "unlock":
		r.locks[o.arg].Unlock()
		return
	case "signal":
		r.events[o.arg].open()
		return
	case "await":
		r.events[o.arg].pass()
		return
	}
	t, got := r.named(o.arg), 0
	switch o.verb {
	case "fork":
		t.fork = pool.Fork(w, r.play, t)
		return
	case "spawn":
		t.scope = r.scopes[o.scope]
		t.scope.Spawn(w, func(w *pool.Worker) { r.play(w, t) })
		return
	case "submit":
		t.handle = submit(r.stage, r.pool, func(w *pool.Worker) int { return r.play(w, t) })
		return
	case "get-before":
		r.getBefore(t)
		return
	case "join":
		j.waits = t
		got = t.fork.Join(w)
	case "run":
		j.waits = t
		got = r.ran(t)
	case "get":
		got = r.get(w, t)
	}
	j.waits = nil
	r.returns(t, got)
}

func (r *player) get(w *pool.Worker, t *part) int {
	if w == nil {
		return await(r.stage, t.handle)
	}
	got, err := t.handle.Join(w)
	r.check(err == nil, "P1", "Join of %s returned the error %v", t.name, err)
	return got
}

// getBefore waits with a deadline that may pass at any time.
func (r *player) getBefore(t *part) {
	ctx, cancel := context.WithCancel(background)
	r.Go("deadline", func() {
		var now prim.Bool // a step to take before
		now.Store(true)
		cancel()
	})
	got, err := t.handle.Wait(ctx)
	ok := err == nil && got == t.number || errors.Is(err, context.Canceled)
	r.check(ok, "P1", "the result of %s is %d, %v, want %d", t.name, got, err, t.number)
}

// ended checks that each job was run once.
func (r *player) ended() {
	for _, j := range r.jobs {
		if n := r.runs[j.number]; n != 1 && !j.outside {
			r.Errorf("P1: %s was run %d times", j.name, n)
		}
	}
}

// fullWidth checks that as many jobs can run at once as the pool has seats, and so
// that none was lost. If one was, it hangs.
func (s *stage) fullWidth(p *pool.Pool) {
	n := p.Workers()
	var begun prim.Int32
	all := make([]gate, n)
	handles := make([]*pool.Handle[int], n)
	for i := range all {
		all[i] = newGate()
	}
	for i := range all {
		handles[i] = submit(s, p, func(*pool.Worker) int {
			if begun.Add(1) == int32(n) {
				for _, g := range all {
					g.open()
				}
			}
			all[i].pass()
			return i
		})
	}
	for i, h := range handles {
		got := await(s, h)
		s.check(got == i, "P1", "the result of job %d is %d", i, got)
	}
}

// A shadow knows which job runs on each worker, and so on each goroutine. It belongs to the
// scenario, not to the program under test: a thread that is in it is not interrupted, and the
// race detector is not to take it for what orders the others.
type shadow struct {
	tops [64]struct {
		w   *pool.Worker
		job *part
	}
	runs [16]int
}

// begins puts the job on top of the one that it returns, or of none.
//
//go:norace
func (s *shadow) begins(w *pool.Worker, j *part) (beneath *part) {
	s.runs[j.number]++
	return s.swap(w, j)
}

// goesOn leaves the worker to the job beneath the one that has ended.
//
//go:norace
func (s *shadow) goesOn(w *pool.Worker, beneath *part) { s.swap(w, beneath) }

//go:norace
func (s *shadow) swap(w *pool.Worker, j *part) (before *part) {
	for i := range s.tops {
		switch t := &s.tops[i]; t.w {
		case nil, w:
			t.w = w
			before, t.job = t.job, j
			return before
		}
	}
	panic("scenarios: a program with too many workers")
}
