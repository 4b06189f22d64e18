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

// inRun calls f with the engine of the run that is under way, if one is.
func inRun(f func(*engine)) {
	if e := under.Load(); e != nil {
		f(e)
	}
}

func work(d Time)      { inRun(func(e *engine) { e.work(d) }) }
func sleep(d Time)     { inRun(func(e *engine) { e.sleep(d) }) }
func mark(name string) { inRun(func(e *engine) { e.mark(name) }) }

func now() (t Time) {
	inRun(func(e *engine) { t = e.current.clock })
	return t
}
