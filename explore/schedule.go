//go:build explore

package explore

import (
	"fmt"
	"strconv"
	"strings"
)

// A schedule says in full what an execution decided: which threads took how
// many steps one after another, and what was chosen in between. Steps are
// counted from the moment when there is a second thread, and while the
// scenario is not alone again after Exec.Wait.
//
// As a string, 1:5 is five steps of thread 1, 1!5 the same after a return for
// no reason, ?2 the choice of the third possibility, and (1:1 2:1)*9 nine
// times what the parentheses hold. It may begin with e and r: see extras.
type schedule []token

type token struct {
	kind   byte // one of the kinds below
	thread int
	n      int // steps, or the choice
}

const (
	runs    = ':'
	wakes   = '!'
	chooses = '?'
)

// extras are what is a step only if some thread could see it: the end of a test, and that a thread comes
// to a channel without a buffer to receive. They are at the beginning of a schedule.
type extras struct{ Ends, Receives bool }

const (
	ends     = 'e'
	receives = 'r'
)

func (t token) extra() bool { return t.kind == ends || t.kind == receives }

// step adds a step of a thread.
//
//go:norace
func (s *schedule) step(thread int) {
	if n := len(*s) - 1; n >= 0 && (*s)[n].kind != chooses && !(*s)[n].extra() && (*s)[n].thread == thread {
		(*s)[n].n++
		return
	}
	*s = append(*s, token{runs, thread, 1})
}

//go:norace
func (s *schedule) wake(thread int) { *s = append(*s, token{wakes, thread, 0}) }

//go:norace
func (s *schedule) choose(k int) { *s = append(*s, token{chooses, 0, k}) }

// What repeats is written once if it does so often: a livelock is as long as
// MaxSteps, and a shell takes no line of that length.
const (
	longestPart  = 64 // tokens
	fewestRounds = 8
	longestText  = 1 << 24 // tokens that a text may stand for
)

func (s schedule) String() string {
	var b strings.Builder
	for len(s) > 0 {
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		part, times := s.repeated()
		if times == 1 {
			part.write(&b)
		} else {
			b.WriteByte('(')
			part.write(&b)
			b.WriteString(")*" + strconv.Itoa(times))
		}
		s = s[len(part)*times:]
	}
	return b.String()
}

// repeated returns with which part s, which is not empty, begins, and how many
// times: the part that covers most, or a token once.
func (s schedule) repeated() (part schedule, times int) {
	part, times = s[:1], 1
	for p := 1; p <= min(longestPart, len(s)/fewestRounds); p++ {
		n := p
		for n < len(s) && s[n] == s[n-p] {
			n++
		}
		if n /= p; n >= fewestRounds && n*p > len(part)*times {
			part, times = s[:p], n
		}
	}
	return part, times
}

func (s schedule) write(b *strings.Builder) {
	for i, t := range s {
		if i > 0 {
			b.WriteByte(' ')
		}
		if t.extra() {
			b.WriteByte(t.kind)
			continue
		}
		if t.kind != chooses {
			b.WriteString(strconv.Itoa(t.thread))
		}
		b.WriteByte(t.kind)
		b.WriteString(strconv.Itoa(t.n))
	}
}

// steps is how many there are.
func (s schedule) steps() (n int) {
	for _, t := range s {
		if t.kind == runs || t.kind == wakes {
			n += t.n
		}
	}
	return n
}

func parseSchedule(text string) (schedule, error) {
	var s schedule
	begins := -1 // where the part begins that is repeated, if it has not ended
	for _, word := range strings.Fields(text) {
		inner, opens := strings.CutPrefix(word, "(")
		inner, times, closes := strings.Cut(inner, ")*")
		t, err := parseToken(inner)
		if err != nil || t.extra() && (len(s) > 0 && !s[len(s)-1].extra() || inner != word) || opens && begins >= 0 || closes && !opens && begins < 0 {
			return nil, noSchedule(word)
		}
		if opens {
			begins = len(s)
		}
		if s = append(s, t); !closes {
			continue
		}
		part := s[begins:]
		n, err := strconv.Atoi(times)
		if err != nil || n < 1 || n > (longestText-begins)/len(part) {
			return nil, noSchedule(word)
		}
		for range n - 1 {
			s = append(s, part...)
		}
		begins = -1
	}
	if begins >= 0 {
		return nil, noSchedule("(")
	}
	return s, nil
}

func noSchedule(word string) error {
	return fmt.Errorf("a schedule has no %q: it consists of 1:5, 1!5, ?2, and (1:1 2:1)*9", word)
}

func parseToken(word string) (t token, err error) {
	if word == string(rune(ends)) || word == string(rune(receives)) {
		return token{kind: word[0]}, nil
	}
	i := strings.IndexAny(word, ":!?")
	if i < 0 {
		return t, strconv.ErrSyntax
	}
	t.kind = word[i]
	if t.kind != chooses {
		if t.thread, err = strconv.Atoi(word[:i]); err != nil {
			return t, err
		}
	} else if i != 0 {
		return t, strconv.ErrSyntax
	}
	t.n, err = strconv.Atoi(word[i+1:])
	if t.n < 0 || t.thread < 0 || t.thread >= manyThreads || t.kind != chooses && t.n == 0 {
		return t, strconv.ErrSyntax
	}
	return t, err
}

// A follower makes an execution keep to a schedule.
type follower struct {
	tokens schedule
	next   int
	// left is how many more steps the thread of the last token takes.
	left int
}

// follow returns what keeps to a schedule, and what else is a step in it.
func follow(s schedule) (f follower, x extras) {
	f.tokens = s
	for f.next < len(s) && s[f.next].extra() {
		x.Ends, x.Receives = x.Ends || s[f.next].kind == ends, x.Receives || s[f.next].kind == receives
		f.next++
	}
	return f, x
}

// over reports whether nothing is left of the schedule.
func (f *follower) over() bool { return f.left == 0 && f.next == len(f.tokens) }

// wakes reports whether a return for no reason comes next.
//
//go:norace
func (f *follower) wakes() bool {
	return f.left == 0 && f.next < len(f.tokens) && f.tokens[f.next].kind == wakes
}

// thread returns the outcome of a decision about threads, which is first's if
// the schedule is over, or a negative number if the schedule does not fit.
//
//go:norace
func (f *follower) thread(e *engine, first *thread, can func(thread int) bool, vain uint64) int {
	if f.left == 0 {
		if f.next == len(f.tokens) {
			return first.index
		}
		t := f.tokens[f.next]
		if t.kind == chooses {
			return f.diverged(e, "says ?"+strconv.Itoa(t.n)+" where there is nothing to choose but a thread")
		}
		f.next++
		f.left = t.n
		if t.kind == wakes {
			if vain>>t.thread&1 == 0 {
				return f.diverged(e, "makes thread "+strconv.Itoa(t.thread)+" return for no reason, which it cannot")
			}
			f.left--
			return maxThreads + t.thread
		}
	}
	f.left--
	k := f.tokens[f.next-1].thread
	if !can(k) {
		return f.diverged(e, "makes thread "+strconv.Itoa(k)+" take a step, which it cannot")
	}
	return k
}

// choice returns the choice that comes next: if the schedule is over, the first one, but in an execution that is
// long one by chance, or a loop that a select ends would have no end.
//
//go:norace
func (f *follower) choice(e *engine, n int) int {
	if f.left == 0 && f.next == len(f.tokens) {
		if e.steps < fewFirst {
			return 0
		}
		return int(mix(uint64(e.steps)) % uint64(n))
	}
	if f.left > 0 || f.tokens[f.next].kind != chooses || f.tokens[f.next].n >= n {
		return f.diverged(e, "does not say which of "+strconv.Itoa(n)+" to choose")
	}
	f.next++
	return f.tokens[f.next-1].n
}

//go:norace
func (f *follower) diverged(e *engine, what string) int {
	e.fail(Diverged, "at step "+strconv.Itoa(e.steps)+" it "+what)
	return -1
}
