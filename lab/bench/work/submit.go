package work

import (
	"sync"
	"sync/atomic"
	"time"
)

// Submit hands over a number of jobs that do next to nothing, from as many
// goroutines at once as there are posters, and waits until all are done.
func Submit(jobs, posters int) *Program {
	return &Program{
		Posts: func(poster Poster) (uint64, time.Duration) {
			var done atomic.Int64
			all := make(chan struct{})
			post := poster(func() {
				if done.Add(1) == int64(jobs) {
					close(all)
				}
			})
			start := time.Now()
			var wg sync.WaitGroup
			for i := range posters {
				wg.Go(func() {
					for range jobs*(i+1)/posters - jobs*i/posters {
						post()
					}
				})
			}
			wg.Wait()
			<-all
			return uint64(done.Load()), time.Since(start)
		},
	}
}
