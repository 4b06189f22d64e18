package counters_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/api/testrule"
	"github.com/rouse-go/rouse/counters"
)

func TestMain(m *testing.M) { testrule.Main(m) }

func mustNew(t testing.TB, workers int, opts ...counters.Option) *counters.Counters {
	t.Helper()
	c, err := counters.New(workers, opts...)
	if err != nil {
		t.Fatalf("C6: New: %d workers are refused: %v", workers, err)
	}
	return c
}

// fill makes n workers inactive and m of them sleep.
func fill(t *testing.T, c *counters.Counters, n, m int) {
	t.Helper()
	for range n {
		c.AddInactive()
	}
	ticket := c.Announce()
	for range m {
		if !c.TrySleep(ticket) {
			t.Fatal("C5: TrySleep failed though nothing was posted")
		}
	}
}

// C6: a number that the fields cannot count must be refused, not truncated.
func TestNewRefusesWhatDoesNotFit(t *testing.T) {
	for _, tt := range []struct {
		workers int
		opts    []counters.Option
		want    string
	}{
		{0, nil, "counters: 0 workers, must be 1 to 65535"},
		{-3, nil, "counters: -3 workers, must be 1 to 65535"},
		{65536, nil, "counters: 65536 workers, must be 1 to 65535"},
		{70000, nil, "counters: 70000 workers, must be 1 to 65535"},
		{1, []counters.Option{nil}, "counters: New: a nil option: leave it out"},
		{1, []counters.Option{counters.WithJobsBits(0)}, "counters: a JEC of 0 bits, must be 1 to 32"},
		{1, []counters.Option{counters.WithJobsBits(33)}, "counters: a JEC of 33 bits, must be 1 to 32"},
	} {
		c, err := counters.New(tt.workers, tt.opts...)
		if err == nil || err.Error() != tt.want || c != nil {
			t.Errorf("C6: New(%d) = %v, %v; want the error %q", tt.workers, c, err, tt.want)
		}
	}
	mustNew(t, 1)
	mustNew(t, 65535)
}

// C2: a step beyond a limit must panic with the values that it met. If it does not,
// a count is wrong from there on, and the fault shows far from its cause.
func TestBrokenSteps(t *testing.T) {
	for _, tt := range []struct {
		name                        string
		workers, inactive, sleeping int
		step                        func(c *counters.Counters)
		want                        string
	}{
		{"AddInactive", 3, 3, 0, (*counters.Counters).AddInactive, "counters: inactive 3 + 1 of 3 workers"},
		{"AddInactive/field", 65535, 65535, 65535, (*counters.Counters).AddInactive, "counters: inactive 65535 + 1 of 65535 workers"},
		{"SubInactive", 3, 0, 0, func(c *counters.Counters) { c.SubInactive() }, "counters: inactive 0 - 1"},
		{"SubInactive/asleep", 3, 2, 2, func(c *counters.Counters) { c.SubInactive() }, "counters: inactive 2 - 1 with 2 sleeping"},
		{"SubSleeping", 3, 2, 0, func(c *counters.Counters) { c.SubSleeping(1) }, "counters: sleeping 0 - 1"},
		{"SubSleeping/of two", 3, 2, 1, func(c *counters.Counters) { c.SubSleeping(2) }, "counters: sleeping 1 - 2"},
		{"SubSleeping/of none", 3, 2, 1, func(c *counters.Counters) { c.SubSleeping(0) }, "counters: SubSleeping of 0, must be 1 to 3 workers"},
		{"TrySleep", 3, 2, 2, func(c *counters.Counters) { c.TrySleep(c.Announce()) }, "counters: sleeping 2 + 1 of 2 inactive"},
		{"TrySleep/field", 65535, 65535, 65535, func(c *counters.Counters) { c.TrySleep(c.Announce()) }, "counters: sleeping 65535 + 1 of 65535 inactive"},
		{"Lend", 3, 2, 0, (*counters.Counters).Lend, "counters: sleeping 0 - 1 by a loan"},
		{"Restore", 3, 3, 1, func(c *counters.Counters) { c.Restore() }, "counters: inactive 3 + 1 of 3 workers, returning a loan"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := mustNew(t, tt.workers)
			fill(t, c, tt.inactive, tt.sleeping)
			defer func() { // The word is void then.
				if got := fmt.Sprint(recover()); got != tt.want {
					t.Errorf("C2: panicked with %q, want %q", got, tt.want)
				}
			}()
			tt.step(c)
		})
	}
}

func TestString(t *testing.T) {
	c := mustNew(t, 9)
	fill(t, c, 3, 2)
	if got, want := c.String(), "sleeping=2 inactive=3 jobs=0 (announced)"; got != want {
		t.Errorf("Counters.String: %q, want %q", got, want)
	}
	c.Post()
	if got := c.String(); !strings.HasSuffix(got, "jobs=1 (posted)") {
		t.Errorf("Counters.String: %q after a post", got)
	}
	for w, want := range map[counters.Word]string{
		7<<32 | 65535<<16 | 1:   "sleeping=1 inactive=65535 jobs=7 (posted)",
		(1<<32-2)<<32 | 65534:   "sleeping=65534 inactive=0 jobs=4294967294 (announced)",
		0x1234<<32 | 0x5678<<16: "sleeping=0 inactive=22136 jobs=4660 (announced)",
	} {
		if got := w.String(); got != want {
			t.Errorf("Word.String: %q, want %q", got, want)
		}
	}
}
