//go:build explore

package explore

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// randomSchedule has parts that are repeated, some of them long or often, and all kinds of tokens.
func randomSchedule(r *rand.Rand) (s schedule) {
	for range r.IntN(6) {
		var part schedule
		for range 1 + r.IntN(4) {
			part = append(part, token{"::!?"[r.IntN(4)], r.IntN(3), 1 + r.IntN(2)})
			if t := &part[len(part)-1]; t.kind == chooses {
				t.thread = 0
			}
		}
		for range 1 + r.IntN(3)*r.IntN(20) {
			s = append(s, part...)
		}
	}
	return s
}

// If this fails, a schedule that a failure tells is not the one that is replayed.
func TestScheduleAsText(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	repeated := 0
	for range 2000 {
		s := randomSchedule(r)
		text := s.String()
		again, err := parseSchedule(text)
		if err != nil || !slices.Equal(again, s) || again.String() != text {
			t.Fatalf("%v\nis written %s\nwhich is read as %v, %v", []token(s), text, []token(again), err)
		}
		if strings.Contains(text, ")*") {
			repeated++
		}
	}
	if repeated < 500 {
		t.Errorf("%d of the schedules have a part that is written once", repeated)
	}
}

// If this fails, the line that replays a livelock is as long as the execution, or a short schedule
// is written in another way than before.
func TestRepeatedPartOfSchedule(t *testing.T) {
	s := schedule{{runs, 1, 2}}
	for range 5000 {
		s = append(s, token{runs, 0, 1}, token{chooses, 0, 1}, token{wakes, 1, 1})
	}
	s = append(s, token{runs, 0, 1})
	for _, c := range []struct {
		s    schedule
		want string
	}{
		{nil, ""},
		{schedule{{ends, 0, 0}, {receives, 0, 0}, {runs, 0, 2}}, "e r 0:2"},
		{s, "1:2 (0:1 ?1 1!1)*5000 0:1"},
		{s[:7], "1:2 0:1 ?1 1!1 0:1 ?1 1!1"},
		{slices.Repeat(schedule{{chooses, 0, 0}}, 8), "(?0)*8"},
		{slices.Repeat(schedule{{chooses, 0, 0}}, 7), "?0 ?0 ?0 ?0 ?0 ?0 ?0"},
	} {
		if got := c.s.String(); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
	for _, text := range []string{
		"(1:1", "1:1)*2", "(1:1)", "(1:1)*0", "(1:1)*-1", "(1:1)*", "(1:1)*x", "((1:1)*2)*2", "(1:1 (2:1)*2 3:1)*2",
		"0:1 e", "er", "0:1 r", "(e 0:1)*2", "e:1", "e1:1",
		"()*2", "( 1:1)*2", "(1:1)*2)*2", "(1:1)*16777217", "0:1 (1:1 2:1)*8388608", "(1:1)*99999999999999999999",
	} {
		if s, err := parseSchedule(text); err == nil {
			t.Errorf("%q is read as %d tokens", text, len(s))
		}
	}
}
