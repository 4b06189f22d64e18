package jec

import (
	"github.com/rouse-go/rouse/api"
	"github.com/rouse-go/rouse/api/prim"
)

// A meter counts what happens at one seat, on slow paths only.
type meter struct{ parks, wakes, lent prim.Uint64 }

// Meter implements [api.Meter]. Syscalls is the business of the [Blocker].
func (s *Sleep) Meter() (sum api.Metered) {
	for i := range s.seats {
		m := &s.seats[i].metered
		sum.Parks += m.parks.Load()
		sum.Wakes += m.wakes.Load()
		sum.Lent += m.lent.Load()
	}
	return sum
}
