package futex

import (
	"github.com/rouse-go/rouse/api"
	"github.com/rouse-go/rouse/api/prim"
)

// A meter counts what happens on slow paths only, so that one shared word each
// costs nothing that matters.
type meter struct {
	parks, wakes, lent, syscalls prim.Uint64
}

func (m *meter) read() api.Metered {
	return api.Metered{
		Parks:    m.parks.Load(),
		Wakes:    m.wakes.Load(),
		Lent:     m.lent.Load(),
		Syscalls: m.syscalls.Load(),
	}
}
