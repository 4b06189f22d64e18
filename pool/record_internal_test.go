package pool

import (
	"runtime"
	"testing"
)

// If this fails, Stop returns an event that is half written, or waits for one that comes later.
func TestStopWaitsForWriters(t *testing.T) {
	// With one processor, a Stop that does not wait has returned when this goroutine goes on.
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	p := open(t, WithWorkers(1))
	untilAllSleep(p)
	r, err := p.Record(2)
	expect(t, err == nil, "Pool.Record: it returned the error %v", err)
	r.next.Add(1) // a writer has taken its place, and loses its processor
	stopped := make(chan *Recording)
	go func() { stopped <- r.Stop() }()
	for p.recorder.Load() != nil {
		runtime.Gosched()
	}
	for range 1000 {
		runtime.Gosched()
	}
	select {
	case <-stopped:
		t.Fatal("Recorder.Stop: it has returned, and an event that came before is not written")
	default:
	}
	e := &r.events[0]
	e.kind, e.other = EventWake, NoWorker
	e.written.Store(true)
	got := <-stopped
	expect(t, len(got.Events) == 1 && got.Events[0].Kind == EventWake && got.Dropped == 0,
		"Recorder.Stop: one event came before it, and the recording is %+v", got)
	r.seat(p.seats[0], raw{kind: EventSleep})
	expect(t, !r.events[1].written.Load(), "Recorder.Stop: an event was written after it")
}

// If this fails, a picture has workers that go back in time: a writer may lose its processor between
// its look at the clock and its place.
func TestRecordOrder(t *testing.T) {
	all := decode([]recorded{{raw: raw{at: 2, kind: EventWake}}, {raw: raw{at: 1, kind: EventSleep}}, {raw: raw{at: 2, kind: EventClose}}}, 1)
	expect(t, len(all) == 3 && all[0].Kind == EventSleep && all[1].Kind == EventWake && all[2].Kind == EventClose,
		"Recording.Events: they are not in the order of time, or of places at the same time: %+v", all)
}
