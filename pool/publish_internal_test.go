package pool

import (
	"fmt"
	"slices"
	"testing"

	"github.com/rouse-go/rouse/api"
	"github.com/rouse-go/rouse/api/prim"
)

// These tests drive one worker by hand, without goroutines: the others sleep, by
// what the backend says, and a thief is a call of Steal.

// A bystander is a sleep backend that wakes nobody and counts the posts.
type bystander struct {
	api.Sleep
	inactive, posts int
}

func (b *bystander) Counts() (inactive, sleeping int) { return b.inactive, b.inactive }
func (b *bystander) Post(int, bool)                   { b.posts++ }
func (b *bystander) StartLooking(worker int) api.Idle { return api.Idle{Worker: worker} }
func (b *bystander) Found(*api.Idle)                  {}

// A lone worker is the only one of its pool that does anything.
type lone struct {
	*Worker
	sleep *bystander
	t     *testing.T
}

func newLone(t *testing.T, workers int) lone {
	s := &bystander{inactive: workers - 1}
	p := &Pool{injector: newInjector(), sleep: s, occupants: make([]prim.Pointer[Worker], workers)}
	for i := range workers {
		p.victims = append(p.victims, victim{deque: defaultDeque()})
		p.addSeat(i)
	}
	p.enterNested()
	return lone{p.seats[0].worker(), s, t}
}

func (l lone) fork() Forked[int, int] {
	return Fork(l.Worker, func(_ *Worker, n int) int { return n }, 7)
}

func (l lone) join(f Forked[int, int]) {
	l.t.Helper()
	if got := f.Join(l.Worker); got != 7 {
		l.t.Fatalf("P1: a fork gave %d, want 7", got)
	}
}

// steal takes all that is public, as worker 1, and runs it.
func (l lone) steal() (n int) {
	thief := l.pool.seats[1].worker()
	for j := thief.seat.find(true); j != nil; j = thief.seat.find(true) {
		j.task.run(thief)
		j.task.done(thief, nil)
		n++
	}
	l.pool.seats[1].spares = []*Worker{thief}
	return n
}

// public checks how many jobs can be stolen.
func (l lone) public(want int, when string) {
	l.t.Helper()
	if got := l.seat.deque.Len(); got != want {
		l.t.Fatalf("P13: %s, %d forks are public, want %d", when, got, want)
	}
}

// A loop of forks: the first few become public one by one, then some each time
// that the stack has doubled, until there is one for each inactive worker.
func TestForksOfALoopBecomePublic(t *testing.T) {
	l := newLone(t, 17)
	var forks []Forked[int, int]
	var public []int
	for range 30 {
		forks = append(forks, l.fork())
		public = append(public, l.seat.deque.Len())
	}
	// bits.Len(15) is 4: six one by one, and at heights 6+5 and 11+10.
	want := []int{1, 2, 3, 4, 5, 6, 6, 6, 6, 6, 11, 11, 11, 11, 11, 11, 11, 11, 11, 11, 16, 16}
	for i, n := range want {
		if public[i] != n {
			t.Fatalf("P13: after so many forks so many are public: %v, want %v", public, want)
		}
	}
	l.public(16, "with 16 workers asleep, after 30 forks")
	for i := len(forks) - 1; i >= 0; i-- {
		l.join(forks[i])
	}
}

// Each publication posts once, however many forks it makes public.
func TestBurstIsPostedOnce(t *testing.T) {
	l := newLone(t, 17)
	l.wanted.Store(0)
	var forks []Forked[int, int]
	for range 30 {
		forks = append(forks, l.fork())
	}
	l.public(0, "while nobody wants work")
	l.pool.want(0)
	l.join(forks[29])
	l.public(16, "after the first request of 16 inactive workers met 29 private forks")
	if l.sleep.posts != 1 {
		t.Errorf("S6: %d forks were made public by %d posts, want 1", l.seat.deque.Len(), l.sleep.posts)
	}
}

// What others have taken is wanted again, although nobody is idle just now: twice
// as much of it, or one fork for each worker.
func TestBurstGrowsWithWhatIsTaken(t *testing.T) {
	l := newLone(t, 3)
	l.wanted.Store(0)
	var forks []Forked[int, int]
	for range 40 {
		forks = append(forks, l.fork())
	}
	l.pool.want(0)
	l.sleep.inactive = 1
	next := len(forks) - 1
	for _, want := range []int{1, 3, 6, 12} {
		l.join(forks[next])
		next--
		l.public(want, "after a request")
		if got := l.steal(); got != want {
			t.Fatalf("P13: a thief got %d forks, want %d", got, want)
		}
		l.sleep.inactive = 0
	}
}

// What the worker has to take back itself was not wanted: half of it the next
// time.
func TestBurstShrinksWithWhatIsTakenBack(t *testing.T) {
	l := newLone(t, 9)
	l.wanted.Store(0)
	request := func(want int) {
		t.Helper()
		var forks []Forked[int, int]
		for range 20 {
			forks = append(forks, l.fork())
		}
		l.pool.want(0)
		l.join(forks[19])
		l.public(want, "after a request")
		l.sleep.inactive = 0
		for i := 18; i >= 0; i-- {
			l.join(forks[i])
		}
	}
	for _, want := range []int{8, 4, 2, 1, 1} {
		request(want)
	}
}

// A public fork that its worker runs itself is replaced by a private one, if that is
// still wanted: the others cannot ask while it runs.
func TestForkTakenBackIsReplaced(t *testing.T) {
	l := newLone(t, 9)
	var forks []Forked[int, int]
	for range 30 {
		forks = append(forks, l.fork())
	}
	l.public(8, "with 8 workers asleep")
	l.wanted.Store(0)
	l.join(forks[0])
	l.public(9, "one of which its worker has begun itself")
	l.sleep.inactive = 0
	l.wanted.Store(0)
	l.join(forks[1])
	l.public(9, "two of which their worker has begun itself, the second while nobody waited")
	for _, f := range slices.Backward(forks[2:]) {
		l.join(f)
	}
}

// A fork at the mark becomes public even if the flag is up, and the deque full.
func TestMarkIsMetWhileTheFlagIsUp(t *testing.T) {
	l := newLone(t, 9)
	forks := []Forked[int, int]{l.fork()}
	l.pool.want(0) // a thief has taken something meanwhile
	forks = append(forks, l.fork())
	l.public(2, "after two forks and a request")
	l.join(forks[1])
	l.join(forks[0])
}

// A mark that was set for a few does not hide those that have come since, although there
// is a public fork still.
func TestMarkIsForAsManyAsWait(t *testing.T) {
	l := newLone(t, 17)
	l.sleep.inactive = 3
	forks := []Forked[int, int]{l.fork()}
	l.sleep.inactive = 16
	l.pool.want(0)
	for range 40 {
		forks = append(forks, l.fork())
	}
	l.public(16, "after a request of 3 workers, one of 16 and 41 forks")
	for _, f := range slices.Backward(forks) {
		l.join(f)
	}
}

// A worker that has just stolen makes its first forks public, although nobody is
// idle: whether its flag is down, or is up still since it was idle beside others.
func TestStolenJobPublishesItsFirstForks(t *testing.T) {
	for flag := range uint32(2) {
		l := newLone(t, 9)
		victim := l.pool.seats[1].worker()
		f := Fork(victim, func(*Worker, int) int { return 0 }, 0)
		l.sleep.inactive = 0
		l.wanted.Store(flag)
		j := l.find()
		if j != &f.frame.Job {
			t.Fatal("P13: the fork of another worker was not stolen")
		}
		var forks []Forked[int, int]
		for range stolenAsk {
			forks = append(forks, l.fork())
		}
		l.public(stolenAsk, fmt.Sprintf("after as many forks of a stolen job, with the flag at %d before", flag))
		for _, f := range slices.Backward(forks) {
			l.join(f)
		}
	}
}

// Forks joined oldest first leave pointers in the deque. They do not add up,
// although nobody steals.
func TestStraysDoNotAddUp(t *testing.T) {
	l := newLone(t, 2)
	l.pool.eager = true
	const n = 10
	for round := range 100 {
		var forks [n]Forked[int, int]
		for i := range forks {
			l.pool.want(0)
			forks[i] = l.fork()
		}
		l.public(n, fmt.Sprintf("in round %d", round))
		for _, f := range forks {
			l.join(f)
		}
		l.public(0, fmt.Sprintf("after round %d", round))
	}
}
