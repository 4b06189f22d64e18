package pool_test

import (
	"runtime"
	"testing"

	"github.com/rouse-go/rouse/pool"
)

// A job that joins, or waits for, a submitted one that calls Goexit gets an error and goes on, and
// so does a Run that joins a job which is queued behind such ones of strangers.
func TestGoexitOfJoined(t *testing.T) {
	exits := func(w *pool.Worker) int { runtime.Gosched(); return exiter(w) }
	eachCase(t, []poolCase{
		{"joined", "P16", func(t *testing.T, p *pool.Pool) {
			for name, wait := range waitKinds {
				ended := result(t, submitted(t, p, func(w *pool.Worker) bool {
					h := submitted(t, p, exits)
					wait(w, h)
					fails(t, pool.ErrGoexit, "P16: after a %s, Join of a submitted job that called Goexit returned", name)(h.Join(w))
					return true
				}))
				expect(t, ended, "P16: a job did not go on that has joined one which called Goexit")
			}
		}},
		{"stranger", "P16", func(t *testing.T, p *pool.Pool) {
			for range 20 {
				e := endOf(func() {
					do(t, p, func(w *pool.Worker) {
						submittedTimes(t, p, 3, exits)
						returns(t, 0, "P16: while strangers' jobs called Goexit Join of a job returned")(submitted(t, p, nothing).Join(w))
					})
				})
				equal(t, e.how, "returned", "P16: a stranger's job called Goexit, and Run")
			}
		}},
	}, 1, 2)
}
