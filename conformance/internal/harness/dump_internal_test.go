package harness

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"
)

type dumper func(w io.Writer)

func (d dumper) Dump(w io.Writer) { d(w) }

// TestDump fails if a report of a hang would lack what a pool says of itself, or
// would itself fail or hang with the pool.
func TestDump(t *testing.T) {
	for _, c := range []struct {
		name string
		pool any
		want string
	}{
		{"says", dumper(func(w io.Writer) { fmt.Fprint(w, "job 1 waits for job 2") }), "the pool:\njob 1 waits for job 2\n\n"},
		{"panics", dumper(func(io.Writer) { panic("no") }), "Dump panics: no"},
		{"hangs", dumper(func(io.Writer) { select {} }), "Dump has not returned"},
		{"cannot", 1, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var b bytes.Buffer
			patience := time.Hour
			if c.name == "hangs" {
				patience = 50 * time.Millisecond
			}
			dump(&b, "the pool", c.pool, patience)
			if !strings.Contains(b.String(), c.want) || c.want == "" && b.Len() > 0 {
				t.Errorf("the report has %q, want %q", b.String(), c.want)
			}
		})
	}
}
