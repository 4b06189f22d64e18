package pool

import "github.com/rouse-go/rouse/api/prim"

// host starts a goroutine that takes the seat of a sleeping worker and runs the
// job, unless a worker is looking for work already, or none sleeps, or jobs are
// queued. It reports whether it did.
//
// To wake the worker's own goroutine would take longer: one that is started
// begins as soon as the caller waits for it, and costs the caller less than a
// wake does.
func (p *Pool) host(j *Job) bool {
	if p.lender == nil {
		return false
	}
	if inactive, sleeping := p.lender.Counts(); inactive != sleeping || sleeping == 0 {
		return false
	}
	// A seat that is being given back can be borrowed before its last look
	// has found what was queued meanwhile: that comes first.
	if !p.injector.Empty() {
		return false
	}
	i, ok := p.lender.Borrow()
	if !ok {
		return false
	}
	p.enterNested() // so that Close waits for the goroutine
	w := p.workers[i]
	w.hosted = j
	prim.Go(w.serve)
	return true
}

// serveGuest is what the new goroutine does.
func (w *Worker) serveGuest() {
	defer w.pool.leave()
	defer w.giveBack() // also if a job calls Goexit
	w.occupy(false, (*guest)(w))
}

// guest is what occupies a seat that was borrowed for a job: that job, and
// others for as long as there are some.
type guest Worker

func (g *guest) run(w *Worker) {
	j := w.hosted
	w.hosted = nil
	if !j.begin() { // withdrawn meanwhile
		j = w.find()
	}
	for ; j != nil; j = w.find() {
		w.execute(j)
	}
}

func (g *guest) done(*Worker, *failure) {}
