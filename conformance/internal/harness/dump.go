package harness

import (
	"bytes"
	"fmt"
	"io"
	"time"
	"weak"

	"github.com/rouse-go/rouse/pool"
)

// dumpTime is how long a pool that hangs may take to say what its jobs wait for.
const dumpTime = 2 * time.Second

// WatchPool has a report of something that hangs show the pool, too. The run
// must not keep the pool: P8 asks whether it is collected.
func (r *Run) WatchPool(p *pool.Pool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.pools = append(r.pools, weak.Make(p))
}

// UnwatchPool forgets a pool that was closed.
func (r *Run) UnwatchPool(p *pool.Pool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	ref, kept := weak.Make(p), r.pools[:0]
	for _, q := range r.pools {
		if q != ref {
			kept = append(kept, q)
		}
	}
	r.pools = kept
}

// scene returns the end of a report of a hang: what the open pools say of
// their jobs, and the stacks of all goroutines.
func (r *Run) scene() []byte {
	r.mu.Lock()
	pools := append([]weak.Pointer[pool.Pool](nil), r.pools...)
	r.mu.Unlock()
	var b bytes.Buffer
	for i, ref := range pools {
		if p := ref.Value(); p != nil {
			dump(&b, fmt.Sprintf("pool %d of %d, of %d workers", i+1, len(pools), p.Workers()), p, dumpTime)
		}
	}
	b.Write(stacks())
	return b.Bytes()
}

// dump writes the Dump of the pool, if that returns. A hung job may hold the
// locks that this needs, so dump waits for a limited time only.
func dump(out io.Writer, name string, p any, patience time.Duration) {
	d, ok := p.(interface{ Dump(w io.Writer) })
	if !ok {
		return
	}
	said := make(chan string, 1)
	go func() {
		var b bytes.Buffer
		defer func() {
			if v := recover(); v != nil { // as it does of another bubble's pool
				fmt.Fprintf(&b, "\nDump panics: %v", v)
			}
			said <- b.String()
		}()
		d.Dump(&b)
	}()
	select {
	case text := <-said:
		fmt.Fprintf(out, "%s:\n%s\n\n", name, text)
	case <-time.After(patience):
		fmt.Fprintf(out, "%s: Dump has not returned within %v\n\n", name, patience)
	}
}
