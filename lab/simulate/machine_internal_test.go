package simulate

import "testing"

// Each constant says where it is from, and its three values are in order: otherwise a
// range is none.
func TestConstants(t *testing.T) {
	for i, c := range constants {
		if v := c.nanoseconds; c.name == "" || len(c.source) < 12 || v[Low] > v[Base] || v[Base] > v[High] {
			t.Errorf("constant %d is %+v", i, c)
		}
		if got := Server(High).costs[i]; got != Time(c.nanoseconds[High]*1000) {
			t.Errorf("%s is %d ps where it is high", c.name, got)
		}
	}
}
