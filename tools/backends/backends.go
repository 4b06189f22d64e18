// Package backends names the deques and sleep backends of the repository, for
// commands that let their user choose among them.
package backends

import (
	"runtime"
	"strings"

	"github.com/rouse-go/rouse/api"
	"github.com/rouse-go/rouse/deque"
	"github.com/rouse-go/rouse/pool"
	"github.com/rouse-go/rouse/sleep/futex"
	"github.com/rouse-go/rouse/sleep/jec"
	"github.com/rouse-go/rouse/tools/pick"
)

// A Kind is something that a pool can be made of, by a function of type F.
type Kind[F any] struct {
	Name string
	New  F
}

type (
	// A Deque is a kind of deque.
	Deque = Kind[func() api.Deque[pool.Job]]
	// A Sleep is a sleep backend.
	Sleep = Kind[func(workers int) (api.Sleep, error)]
)

// Names returns the names of all, with commas between.
func Names[F any](all []Kind[F]) string {
	var names []string
	for _, k := range all {
		names = append(names, k.Name)
	}
	return strings.Join(names, ", ")
}

// Deques returns every kind of deque, the default first.
func Deques() []Deque {
	return []Deque{
		{"chaselev", func() api.Deque[pool.Job] { return deque.NewChaseLev[pool.Job]() }},
		{"locked", func() api.Deque[pool.Job] { return deque.NewLocked[pool.Job]() }},
	}
}

// Sleeps returns every sleep backend that this platform has.
func Sleeps() []Sleep {
	all := []Sleep{
		{"jec", func(workers int) (api.Sleep, error) { return jec.New(workers) }},
		{"futex", func(workers int) (api.Sleep, error) { return futex.New(workers) }},
	}
	// Elsewhere a futex backend parks goroutines in any case.
	if runtime.GOOS == "linux" {
		all = append(all, Sleep{"futex-goroutine", func(workers int) (api.Sleep, error) {
			return futex.New(workers, futex.WithGoroutinePark())
		}})
	}
	return all
}

// PickDeques returns the deques of the given names, in the order of [Deques],
// or all of them if no name is given. The error for an unknown name lists
// those there are.
func PickDeques(names []string) ([]Deque, error) {
	return pick.Named("deque", Deques(), func(d Deque) string { return d.Name }, names)
}

// PickSleeps is [PickDeques] for sleep backends.
func PickSleeps(names []string) ([]Sleep, error) {
	return pick.Named("sleep backend", Sleeps(), func(s Sleep) string { return s.Name }, names)
}
