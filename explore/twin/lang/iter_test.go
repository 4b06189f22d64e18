//go:build explore

package lang_test

//lint:file-ignore SA2001 The lock is a step.

import (
	"fmt"
	"iter"
	"runtime"
	"testing"

	"github.com/rouse-go/rouse/explore"
	"github.com/rouse-go/rouse/explore/internal/planted"
	"github.com/rouse-go/rouse/explore/twin/atomic"
	. "github.com/rouse-go/rouse/explore/twin/lang"
	"github.com/rouse-go/rouse/explore/twin/sync"
)

// loads gives the values of n, as it changes.
func loads(n *atomic.Int32) iter.Seq2[int, int32] {
	return func(yield func(int, int32) bool) {
		for i := 0; i < 3 && yield(i, n.Load()); i++ {
		}
	}
}

// values are the same, without the indexes.
func values(n *atomic.Int32) iter.Seq[int32] {
	return func(yield func(int32) bool) {
		for _, v := range loads(n) {
			if !yield(v) {
				return
			}
		}
	}
}

// What a sequence does are steps of the thread that calls next: there are no others, and no other
// order of them.
func TestPull(t *testing.T) {
	ways := map[string]func(n *atomic.Int32) (s string){
		"range": func(n *atomic.Int32) (s string) {
			for _, v := range loads(n) {
				s += fmt.Sprint(v)
			}
			return s
		},
		"Pull": func(n *atomic.Int32) (s string) {
			next, stop := Pull(values(n))
			defer stop()
			for v, ok := next(); ok; v, ok = next() {
				s += fmt.Sprint(v)
			}
			return s
		},
		"Pull2": func(n *atomic.Int32) (s string) {
			next, _ := Pull2(loads(n))
			for range 3 {
				_, v, _ := next()
				s += fmt.Sprint(v)
			}
			return s // it is left as it is
		},
	}
	for _, option := range []explore.Option{explore.Unbounded(), explore.Bound(1), explore.Bound(2)} {
		want := 0
		for _, name := range []string{"range", "Pull", "Pull2"} {
			body := func() string {
				n := new(atomic.Int32)
				Go(func() { n.Add(1); n.Add(1) })
				return ways[name](n)
			}
			planted.Outcomes(t, body, "000", "001", "002", "011", "012", "022", "111", "112", "122", "222")
			r := explore.Explore(func(*explore.Exec) { body() }, option)
			if r.Failure != nil || want > 0 && r.Schedules != want {
				t.Errorf("%s: %d schedules, want %d: %v", name, r.Schedules, want, r)
			}
			want = r.Schedules
		}
	}
}

// next and stop do what those of package iter do, in an execution and outside.
func TestPullAsIter(t *testing.T) {
	type pull func(iter.Seq[int]) (func() (int, bool), func())
	all := func(pull pull) (s string) {
		say := func(v ...any) { s += fmt.Sprint(v...) + "; " }
		caught := func(f func()) {
			ended := make(chan any, 1)
			f1 := func() {
				normal := false
				defer func() {
					if v := recover(); v != nil || normal {
						Send(ended, "")(v)
					} else {
						Send(ended, "")("exits")
					}
				}()
				f()
				normal = true
			}
			Go(f1)
			say(Recv(ended, ""))
		}
		three := func(yield func(int) bool) {
			defer say("ends")
			_ = yield(1) && yield(2) && yield(3)
		}
		next, stop := pull(three)
		say(next())
		say(next())
		stop()
		say(next())
		stop()
		next, stop = pull(three)
		stop()
		say(next())
		next, _ = pull(func(yield func(int) bool) { yield(7) })
		for range 3 {
			say(next())
		}
		next, _ = pull(func(yield func(int) bool) { yield(1); panic("of the sequence") })
		for range 3 {
			caught(func() { next() })
		}
		next, stop = pull(func(yield func(int) bool) { yield(1); runtime.Goexit() })
		next()
		caught(stop)
		caught(func() { next() })
		caught(func() {
			next, _ = pull(func(yield func(int) bool) { next() })
			next()
		})
		return s
	}
	want := all(iter.Pull[int])
	if got := all(Pull[int]); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	planted.Outcomes(t, func() string { return all(Pull[int]) }, want)
}

// A sequence that nobody stops ends with the execution: its deferred functions run, as far as
// they need no other thread.
func TestPullLeft(t *testing.T) {
	left, beyond := 0, 0
	r := explore.Explore(func(*explore.Exec) {
		ch, n := make(chan int), new(atomic.Int32)
		next, _ := Pull(func(yield func(int) bool) {
			defer func() {
				left++
				Send(ch, "")(1)
				beyond++
			}()
			defer panic("nobody sees it")
			yield(int(n.Add(1)))
			beyond++
		})
		Go(func() { next() })
		n.Add(1)
		Pull(func(func(int) bool) { beyond++ })
	}, explore.Unbounded())
	if r.Failure != nil || r.Schedules < 2 || r.Schedules != left || beyond > 0 {
		t.Errorf("%v; %d sequences are left of %d, and %d go on", r, left, r.Schedules, beyond)
	}
}

// One sequence is for one thread at a time.
func TestPullInTurns(t *testing.T) {
	planted.Fails(t, "data race: the iterator of iter.Pull is written by", func() {
		next, _ := Pull(func(yield func(int) bool) { _ = yield(1) && yield(2) })
		Go(func() { next() })
		next()
	})
	counting := func(f func(next func() (int, bool), stop func(), m *sync.Mutex) string) string {
		m := new(sync.Mutex)
		next, stop := Pull(func(yield func(int) bool) {
			for i := 1; yield(i); i++ {
				m.Lock()
				m.Unlock()
			}
		})
		return f(next, stop, m)
	}
	planted.Outcomes(t, func() string {
		return counting(func(next func() (int, bool), stop func(), _ *sync.Mutex) string {
			turn := make(chan int, 1)
			Send(turn, "")(0)
			var got [3]int
			done := make(chan bool)
			for i := range got {
				Go(func() {
					v := Recv(turn, "")
					got[i], _ = next()
					Send(turn, "")(v)
					Send(done, "")(true)
				})
			}
			for range got {
				Recv(done, "")
			}
			stop()
			return fmt.Sprint(got)
		})
	}, "[1 2 3]", "[1 3 2]", "[2 1 3]", "[2 3 1]", "[3 1 2]", "[3 2 1]")
	for _, again := range []string{"next", "stop"} {
		// The second call is ordered after the first, which has not returned.
		planted.Fails(t, "iter.Pull2: "+again+" called again before yield", func() {
			inside, done := make(chan bool), make(chan bool)
			next, stop := Pull2(func(yield func(int, int) bool) {
				Send(inside, "")(true)
				Recv(done, "")
				yield(1, 1)
			})
			Go(func() { next() })
			Recv(inside, "")
			if again == "next" {
				next()
			} else {
				stop()
			}
			Send(done, "")(true)
		})
	}
}
