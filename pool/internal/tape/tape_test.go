package tape

import (
	"runtime"
	"testing"
	"time"

	"github.com/rouse-go/rouse/pool/record"
)

// If this fails, Stop returns an event that is half written, or waits for one that comes later.
func TestStopWaitsForWriters(t *testing.T) {
	// With one processor, a Stop that does not wait has returned when this goroutine goes on.
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	r := New(2, 1, 1)
	r.next.Add(1) // a writer has taken its place, and loses its processor
	stopped := make(chan *record.Recording)
	go func() { stopped <- r.Stop() }()
	for range 10_000 {
		runtime.Gosched()
	}
	select {
	case <-stopped:
		t.Fatal("Tape.Stop: it has returned, and an event that came before is not written")
	default:
	}
	r.places[0].kind = record.EventWake
	r.places[0].written.Store(true)
	got := <-stopped
	if len(got.Events) != 1 || got.Events[0].Kind != record.EventWake || got.Dropped != 0 {
		t.Errorf("Tape.Stop: one event came before it, and the recording is %+v", got)
	}
	r.Add(0, 0, record.Event{Kind: record.EventSleep})
	if r.places[1].written.Load() {
		t.Error("Tape.Stop: an event was written after it")
	}
}

// If this fails, a picture has workers that go back in time: a writer may lose its processor between
// its look at the clock and its place.
func TestRecordOrder(t *testing.T) {
	event := func(at time.Duration, k record.EventKind) entry {
		return entry{at: at, kind: k}
	}
	all := decode([]entry{event(2, record.EventWake), event(1, record.EventSleep), event(2, record.EventClose)})
	if len(all) != 3 || all[0].Kind != record.EventSleep || all[1].Kind != record.EventWake || all[2].Kind != record.EventClose {
		t.Errorf("Recording.Events: they are not in the order of time, or of places at the same time: %+v", all)
	}
}
