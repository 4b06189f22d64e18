package conformance

import "github.com/rouse-go/rouse/pool"

// publishedBeforeLeaf has a job make forks while no other worker is without work, and then
// neither fork nor join until all of them have begun: on other workers, because it has
// called Publish.
func publishedBeforeLeaf(r *run, p *pool.Pool) {
	free := blockWorkers(r, p, p.Workers()-1)
	forked := make(chan struct{})
	h := submit(r, p, func(w *pool.Worker) int {
		pool.LoopsOf(w).Publish() // there is nothing yet
		forks, all := forkMeeting(w, 50)
		pool.LoopsOf(w).Publish()
		pool.LoopsOf(w).Publish()
		close(forked)
		r.Receive(all)
		sum := 0
		for i, f := range forks {
			sum += f.Join(w) + i
		}
		later := pool.Fork(w, func(*pool.Worker, int) int { return 1 }, 0)
		pool.LoopsOf(w).Publish()
		return sum + later.Join(w)
	})
	r.During("P5", "a job forks")
	r.Wait(forked)
	free()
	r.During("P5", "other workers begin all forks of a job that has called Publish, and neither forks nor joins since")
	r.Wait(h.Done())
	got := await(r, h)
	r.Check(got == 50*49/2+1, "P1", "published forks gave the sum %d, want %d", got, 50*49/2+1)
	fullWidth(r, p)
}
