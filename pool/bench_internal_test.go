package pool

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/rouse-go/rouse/api/prim"
)

// BenchmarkBegin measures how long a job takes to begin that is submitted to a pool at rest,
// beside a goroutine: from the call of Submit, or the go statement, to the first instruction.
// Before each the poster sleeps for a millisecond, so the caches are cold. It then waits, or
// it was at work for a while and stays so. Medians.
//
// Where it waits, the parts are measured, too, by a clock between them, on which each part
// spends clock-ns of its own.
func BenchmarkBegin(b *testing.B) {
	for _, poster := range []string{"waits", "works"} {
		b.Run("poster="+poster, func(b *testing.B) {
			p, err := New()
			if err != nil {
				b.Fatal(err)
			}
			defer p.Close()
			times := make(map[string][]float64)
			note := func(name string, from, to time.Duration) {
				times[name] = append(times[name], float64(to-from))
			}
			works := poster == "works"
			measures := []func(){
				func() {
					from, to := posted(p, works, func(f func()) { go f() })
					note("goroutine", from, to)
				},
				func() {
					from, to := posted(p, works, func(f func()) {
						if _, err := Submit(p, func(*Worker) int { f(); return 1 }); err != nil {
							b.Error(err)
						}
					})
					note("submit", from, to)
				},
			}
			if !works {
				measures = append(measures, func() { begunInParts(p, note) })
			}
			for b.Loop() {
				// What was before decides how soon another thread wakes.
				for _, i := range rand.Perm(len(measures)) {
					measures[i]()
				}
			}
			b.ReportMetric(0, "ns/op") // of no interest
			for name, all := range times {
				slices.Sort(all)
				b.ReportMetric(all[len(all)/2], name+"-ns")
			}
		})
	}
}

// rest has the pool and the caches at rest.
func rest(p *Pool) {
	for time.Sleep(time.Millisecond); !isAtRest(p); {
		time.Sleep(time.Millisecond)
	}
}

func isAtRest(p *Pool) bool {
	_, sleeping := p.sleep.Counts()
	return sleeping == len(p.seats)
}

// posted returns when the function was posted, and when it began.
func posted(p *Pool, works bool, post func(f func())) (start, begun time.Duration) {
	rest(p)
	var began prim.Bool
	done := make(chan struct{})
	f := func() {
		begun = prim.Now()
		began.Store(true)
		close(done)
	}
	if works {
		for at := prim.Now(); prim.Now()-at < 100*time.Microsecond; {
			prim.Spin(100)
		}
	}
	start = prim.Now()
	post(f)
	for works && !began.Load() {
		prim.Spin(100)
	}
	<-done
	return start, begun
}

// begunInParts does what Submit and Wait do, and the goroutine that they start, and notes how
// long each part takes.
func begunInParts(p *Pool, note func(part string, from, to time.Duration)) {
	rest(p)
	var at [12]time.Duration
	began := false
	for _, s := range p.seats {
		defer func(body func()) { s.body = body }(s.body)
		s.body = func() {
			at[5] = prim.Now()
			j := s.hand
			s.hand = nil
			unlabel()
			at[6] = prim.Now()
			w := s.worker()
			at[7] = prim.Now()
			if s = w.work(j); s != nil {
				s.handOffLast()
			}
		}
	}
	at[0] = prim.Now()
	p.enter(1)
	h := newHandle(p, func(*Worker) int {
		at[8] = prim.Now()
		began = true
		at[9] = prim.Now()
		return 1
	})
	at[1] = prim.Now()
	inactive, sleeping := p.lender.Counts()
	if inactive != sleeping || !p.queue.Empty() {
		panic("the pool is not at rest")
	}
	at[2] = prim.Now()
	s := p.tryBorrow()
	h.job.begin()
	at[3] = prim.Now()
	s.start(&h.job.Job)
	at[4] = prim.Now()
	h.Wait(context.Background())
	at[10] = prim.Now()
	at[11] = prim.Now()
	if !began {
		panic("the job has not begun")
	}
	for !isAtRest(p) {
		prim.Yield() // its goroutine has the seat
	}
	note("clock", at[10], at[11])
	for i, name := range []string{"enter", "look", "borrow", "go", "switch", "labels", "worker", "number", "job", "end"} {
		note(name, at[i], at[i+1])
	}
}
