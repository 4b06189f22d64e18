//go:build explore

package explore

import (
	"log"
	"os"
)

// A quiet drops what executions write: a test that prints a line would print it thousands of times.
// What the execution writes that fails, or is replayed, is kept, and with the flag -v also what the first
// one writes.
type quiet struct {
	sink *os.File
	loud bool // for the next execution
}

// begin drops what follows, until the function is called that it returns.
func (q *quiet) begin() (end func()) {
	loud := q.loud
	q.loud = false
	if loud {
		return func() {}
	}
	if q.sink == nil {
		q.sink, _ = os.OpenFile(os.DevNull, os.O_WRONLY, 0) // if there is none, writes fail
	}
	out, err, logs := os.Stdout, os.Stderr, log.Writer()
	os.Stdout, os.Stderr = q.sink, q.sink
	if logs == out || logs == err {
		log.SetOutput(q.sink)
	}
	return func() {
		if log.Writer() == q.sink {
			log.SetOutput(logs)
		}
		if os.Stdout == q.sink {
			os.Stdout = out
		}
		if os.Stderr == q.sink {
			os.Stderr = err
		}
	}
}

func (q *quiet) close() {
	if q.sink != nil {
		q.sink.Close()
	}
}
