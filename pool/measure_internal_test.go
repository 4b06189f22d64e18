package pool

import (
	"context"
	"runtime"
	"testing"

	"github.com/rouse-go/rouse/pool/internal/seam"
)

func one(_ *Worker, n int) int { return n }

// If this fails, the jobs of a worker go on the long way after one that was measured; or code that
// forks only if somebody wants work has no forks while it is measured.
func TestMeasureFlag(t *testing.T) {
	onlyWorker(t, func(p *Pool, w *Worker) {
		Fork(w, one, 0).Join(w)
		for _, f := range []func(){func() {}, func() { panic("P34") }} {
			expect(t, !seam.Wanted(w), "S4: forks of the only worker are wanted")
			func() {
				defer func() { _ = recover() }()
				_, _ = p.Measure(context.Background(), func(v *Worker) {
					expect(t, v == w && v.probe != nil && v.wanted.Load()&wantProbe != 0, "P34: Measure in a job does not measure it")
					expect(t, seam.Wanted(v), "P34: nobody wants forks of a measured job")
					f()
				})
			}()
			expect(t, w.probe == nil && w.wanted.Load()&wantProbe == 0 && measuring.Load() == 0, "P34: a worker is measured, and nothing measures")
		}
	})
}

// If this fails, workers that sleep get no forks of a job that goes on after a Measure.
func TestMeasureAsksAgain(t *testing.T) {
	p := open(t, WithWorkers(2))
	do(t, p, func(w *Worker) {
		m, err := p.Measure(context.Background(), func(w *Worker) { Fork(w, one, 0).Join(w) })
		expect(t, err == nil && m.Forks == 1, "P34: Measure has counted %d forks, want 1, and returned the error %v", m.Forks, err)
		before := p.Stats().Published
		Fork(w, one, 0).Join(w)
		expect(t, p.Stats().Published == before+1, "P34: a fork after a Measure is not published, and another worker sleeps")
	})
}

// If this fails, what an awaited job does while the measured one gives way to it counts as work of that. No
// clock says so: on one processor the awaited job goes on when the measured one waits, and not before.
func TestMeasureGivesWay(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	p := open(t, WithWorkers(2))
	for name, await := range map[string]func(h *Handle[bool], w *Worker) (bool, error){
		"Join": (*Handle[bool]).Join,
		"Wait": func(h *Handle[bool], _ *Worker) (bool, error) { return h.Wait(context.Background()) },
	} {
		const times = 5 // the machine may take the processor away at any moment, but not in most
		waited := 0
		for range times {
			var h *Handle[bool]
			begun, free := make(chan bool), make(chan bool)
			h = submit(t, p, func(*Worker) bool { close(begun); <-free; return h.waiters.Load() != nil })
			<-begun
			_, _ = p.Measure(context.Background(), func(w *Worker) {
				close(free)
				if waits, _ := await(h, w); waits {
					waited++
				}
			})
		}
		expect(t, waited > times/2, "P34: a measured job had waited %d of %d times when what it does %s on goes on", waited, times, name)
	}
}
