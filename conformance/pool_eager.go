package conformance

import (
	"slices"

	"github.com/rouse-go/rouse/pool"
)

// forkedAtOnce has a job of a pool with WithEagerPublish fork, and block until all
// forks have begun, for which the other worker comes when they are there. Nobody asks
// the job for them any more: it has made each public at once.
func (s poolSuite) forkedAtOnce(r *run) {
	p := s.start(r, 2, pool.WithEagerPublish())
	for range 5 {
		free, forked := blockWorkers(r, p, 1), make(chan struct{})
		go func() {
			r.Receive(forked)
			free()
		}()
		r.During("P5", "all forks begin of a job that is blocked, in a pool with WithEagerPublish, when the other worker comes for the first")
		r.Together(func() {
			enter(r, p, func(w *pool.Worker) int {
				forks, all := forkMeeting(w, 4)
				close(forked)
				r.Receive(all)
				for _, f := range slices.Backward(forks) {
					f.Join(w)
				}
				return 0
			})
		})
	}
	s.close(r, p)
}
