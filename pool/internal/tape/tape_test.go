package tape

import (
	"math"
	"runtime"
	"runtime/metrics"
	"testing"
	"time"

	"github.com/rouse-go/rouse/pool/record"
)

// If this fails, Stop returns an event that is half written, or waits for one that comes later.
func TestStopWaitsForWriters(t *testing.T) {
	r := newTape(t, 2, 1, 1)
	r.next.Add(1) // a writer has taken its place, and loses its processor
	stopped := make(chan *record.Recording)
	go func() { stopped <- r.Stop() }()
	select {
	case <-stopped:
		t.Fatal("Tape.Stop: it has returned, and an event that came before is not written")
	case <-time.After(100 * time.Millisecond): // it looks at files of the system, too
	}
	r.places[0].kind = record.EventWake
	r.places[0].written.Store(1)
	got := <-stopped
	if len(got.Events) != 1 || got.Events[0].Kind != record.EventWake || got.Dropped != 0 {
		t.Errorf("Tape.Stop: one event came before it, and the recording is %+v", got)
	}
	r.Add(0, 0, record.Event{Kind: record.EventSleep})
	if r.places[1].written.Load() != 0 {
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

// If this fails, a recording that runs all the time has lost what was slow last, or mixes two jobs
// that had the same worker.
func TestRecordsFirstAndLast(t *testing.T) {
	for limit := 1; limit < 12; limit++ {
		for n := range 40 {
			r := newTape(t, limit, 1, 1)
			for i := range n {
				r.Add(1, 0, record.Event{Kind: record.EventBegin, Count: i})
			}
			got := r.Stop()
			kept := min(n, limit)
			if len(got.Events) != kept || got.Dropped != uint64(n-kept) {
				t.Fatalf("Recording.Events: of %d events, with room for %d, there are %d, and %d were dropped", n, limit, len(got.Events), got.Dropped)
			}
			first := kept
			if n > limit {
				first = limit - limit/2
			}
			if got.First != first {
				t.Fatalf("Recording.First: of %d events, with room for %d, it is %d", n, limit, got.First)
			}
			for i, e := range got.Events {
				want, parent := i, i
				if i >= first {
					want, parent = n-kept+i, i
				}
				if i == 0 || i == first {
					parent = 0
				}
				if e.Count != want || e.Parent != parent {
					t.Fatalf("Recording.Events: of %d events, with room for %d, the one at %d is %d, in job %d; want %d, in job %d", n, limit, i, e.Count, e.Parent, want, parent)
				}
			}
		}
	}
}

// A writer that has lost its processor is overtaken by as many events as there is room for.
func TestRecordWaitsForPlace(t *testing.T) {
	r := newTape(t, 4, 1, 1)
	for range 2 {
		r.Add(0, 0, record.Event{Kind: record.EventSleep})
	}
	r.next.Add(1) // the slow one, of the third place
	r.Add(0, 0, record.Event{Kind: record.EventSleep})
	added := make(chan bool)
	go func() { r.Add(0, 0, record.Event{Kind: record.EventWake}); close(added) }()
	for range 10_000 {
		runtime.Gosched()
	}
	select {
	case <-added:
		t.Fatal("Tape.Add: it has written to a place that another event is being written to")
	default:
	}
	r.places[2].written.Store(1)
	<-added
	if got := r.Stop(); got.Events[3].Kind != record.EventWake || got.Dropped != 1 {
		t.Errorf("Tape.Add: the event that came last is not the last one: %+v", got)
	}
}

var kept []byte

// If this fails, a page cannot say what jobs wait for.
func TestUsage(t *testing.T) {
	before := used()
	for range 1000 {
		kept = make([]byte, 1<<16)
	}
	runtime.GC()
	got := since(before)
	if got.Collections == 0 || got.Collecting <= 0 {
		t.Errorf("Recording.Usage: after a collection it is %+v", got)
	}
	if before.CPU > 0 && got.CPU <= 0 {
		t.Errorf("Recording.Usage: after some work it is %+v", got)
	}
	h := &metrics.Float64Histogram{Counts: []uint64{1, 2, 3}, Buckets: []float64{math.Inf(-1), 1, 2, math.Inf(1)}}
	if got := sum(h); got != 8*time.Second {
		t.Errorf("Recording.Usage: twice 1 s and three times 2 s are %v", got)
	}
}

func newTape(t *testing.T, limit, workers, asleep int) *Tape {
	t.Helper()
	tape, err := New(limit, workers, asleep)
	if err != nil {
		t.Fatal(err)
	}
	return tape
}
