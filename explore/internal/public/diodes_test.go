package public

import (
	"context"
	"io"
	"log"
	"testing"

	"code.cloudfoundry.org/go-diodes"

	"github.com/rouse-go/rouse/explore"
)

// set has a goroutine set n values, and returns them.
func set(d diodes.Diode, n int) []int {
	values := make([]int, n)
	go func() {
		for i := range values {
			d.Set(diodes.GenericDataType(&values[i]))
		}
	}()
	return values
}

// next reads until it gets the last of the values.
func next(w *diodes.Waiter, values []int) {
	for last := diodes.GenericDataType(&values[len(values)-1]); w.Next() != last; {
	}
}

// In go-diodes of 2023-11-13 a Set leaves a slot empty if the reader comes between: the reader
// waits there forever, though what was set is in the next one.
func TestDiodesManyToOne(t *testing.T) {
	log.SetOutput(io.Discard) // of each collision
	fault(t, "deadlock", func(*explore.Exec) {
		w := diodes.NewWaiter(diodes.NewManyToOne(2, nil))
		next(w, set(w, 3))
	})
}

// Without a lap all is well, with two writers, too.
func TestDiodesManyToOneFits(t *testing.T) {
	explore.Test(t, func(t *testing.T) {
		missed := 0
		d := diodes.NewManyToOne(4, diodes.AlertFunc(func(n int) { missed += n }))
		w := diodes.NewWaiter(d)
		a, b := set(w, 1), set(w, 1)
		first, second := w.Next(), w.Next()
		pa, pb := diodes.GenericDataType(&a[0]), diodes.GenericDataType(&b[0])
		if missed != 0 || (first != pa || second != pb) && (first != pb || second != pa) {
			t.Errorf("TestDiodesManyToOneFits: %v %v of %v %v, %d missed", first, second, pa, pb, missed)
		}
	})
}

// A reader that is overtaken reads the last value, and is told how many it has not read.
func TestDiodesOneToOne(t *testing.T) {
	explore.Test(t, func(t *testing.T) {
		got, missed := 0, 0
		d := diodes.NewOneToOne(2, diodes.AlertFunc(func(n int) { missed += n }))
		ctx, cancel := context.WithCancel(context.Background())
		w := diodes.NewWaiter(d, diodes.WithWaiterContext(ctx))
		values := set(w, 4)
		last := diodes.GenericDataType(&values[3])
		for v := w.Next(); ; v = w.Next() {
			if got++; v == last {
				break
			}
		}
		explore.Possible(t, missed > 0, "the reader is overtaken")
		cancel()
		if w.Next() != nil || got+missed != 4 {
			t.Errorf("TestDiodesOneToOne: %d are read, %d are missed", got, missed)
		}
	})
}
