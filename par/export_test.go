package par

import "github.com/rouse-go/rouse/par/internal/radix"

// Where operations begin to do something else, or a block of theirs ends.
const (
	OrderedAlone = orderedAlone
	PickBlock    = pickBlock
	RadixAlone   = radix.Alone
	RadixBlock   = radix.Block
	MergeBlock   = mergeBlock
)

// ReportAlways has progress reported as often as somebody looks, until restore is called.
func ReportAlways() (restore func()) { return set(&reportEvery, 0) }

// Soil has f write to memory that is not cleared.
func Soil(f func([]byte)) (restore func()) { return set(&soil, f) }

func set[T any](v *T, to T) (restore func()) {
	old := *v
	*v = to
	return func() { *v = old }
}

// Made returns how many values there are, or may be again.
func (s *Scratch[T]) Made() int { return len(s.made) }
