package par

import (
	"time"

	"github.com/rouse-go/rouse/api/prim"
	"github.com/rouse-go/rouse/pool"
)

// A gauge counts the elements that are done, for a loop with progress.
type gauge struct {
	mu   prim.Mutex
	done int
	last time.Duration // when it was last reported
	busy bool          // somebody is about to report
}

// add counts n elements more, and reports if it is time to.
func (g *gauge) add(l *loop, n int) {
	if l.report == nil || n == 0 {
		return
	}
	now := prim.Now()
	g.mu.Lock()
	g.done += n
	done := g.done
	due := !g.busy && now-g.last >= reportEvery && done < l.n
	if due {
		g.busy, g.last = true, now
	}
	g.mu.Unlock()
	if due {
		g.tell(l, done)
	}
}

// tell reports. A panic of that ends the loop, as one of its first element would.
func (g *gauge) tell(l *loop, done int) {
	returned := false
	defer func() {
		g.mu.Lock()
		g.busy = false
		g.mu.Unlock()
		if !returned {
			l.fail(-1, failure{panicked: pool.Caught(recover())})
		}
	}()
	l.report(done, l.n)
	returned = true
}
