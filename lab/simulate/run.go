//go:build explore

package simulate

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/rouse-go/rouse/api/prim"
)

// Available says whether this build can simulate.
const Available = true

var (
	// turns keeps runs from meeting.
	turns sync.Mutex
	// under is the engine of the run that is under way.
	under atomic.Pointer[engine]
)

func run(m *Machine, program func()) (*Report, error) {
	if err := m.check(); err != nil {
		return nil, err
	}
	turns.Lock()
	defer turns.Unlock()
	e := newEngine(m)
	prim.Drive(e)
	under.Store(e)
	defer func() {
		under.Store(nil)
		prim.Drive(nil)
	}()
	e.run(program)
	if e.failure != nil {
		return nil, fmt.Errorf("simulate: on %s: %w", m.Name, e.failure)
	}
	return e.report(), nil
}

// check returns an error if the machine was not made by Load, or has a
// number of processors that it cannot have.
func (m *Machine) check() error {
	switch {
	case m == nil || len(m.constants) == 0:
		return errors.New("simulate: the machine has no constants: make it with Load")
	case m.Processors < 1 || m.Processors > MaxProcessors:
		return fmt.Errorf("simulate: machine %s has %d processors, must be 1 to %d", m.Name, m.Processors, MaxProcessors)
	}
	return nil
}

func work(d Time) {
	if e := under.Load(); e != nil {
		e.work(d)
	}
}

func sleep(d Time) {
	if e := under.Load(); e != nil {
		e.sleep(d)
	}
}

func now() Time {
	if e := under.Load(); e != nil {
		return e.current.clock
	}
	return 0
}

func mark(name string) {
	if e := under.Load(); e != nil {
		e.mark(name)
	}
}
