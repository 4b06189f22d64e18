//go:build explore

package explore

import (
	"io"
	"log"
	"os"
)

// A quiet drops what executions write: a test that prints a line would print it thousands of times.
// What the execution writes that fails, or is replayed, is kept, and with the flag -v also what the first
// one writes.
type quiet struct {
	sink     *os.File
	loud     bool     // for the next execution
	out, err *os.File // as they were
	logs     io.Writer
}

// begin drops what follows, until end.
func (q *quiet) begin() {
	if q.loud {
		return
	}
	if q.sink == nil {
		q.sink, _ = os.OpenFile(os.DevNull, os.O_WRONLY, 0) // if there is none, writes fail
	}
	q.out, q.err, q.logs = os.Stdout, os.Stderr, log.Writer()
	os.Stdout, os.Stderr = q.sink, q.sink
	if q.logs == q.out || q.logs == q.err {
		log.SetOutput(q.sink)
	}
}

// end leaves alone what the execution has set itself.
func (q *quiet) end() {
	if q.loud {
		q.loud = false
		return
	}
	if os.Stdout == q.sink {
		os.Stdout = q.out
	}
	if os.Stderr == q.sink {
		os.Stderr = q.err
	}
	if log.Writer() == q.sink {
		log.SetOutput(q.logs)
	}
}

func (q *quiet) close() {
	if q.sink != nil {
		q.sink.Close()
	}
}
