package pool

import (
	"github.com/rouse-go/rouse/pool/internal/tape"
	"github.com/rouse-go/rouse/pool/record"
)

// Record begins to record what the workers and jobs of the pool do, from now until you call stop.
// It has room for the given number of events, or for 100,000 if that is 0,
// and takes 64 bytes for each at once. If there are more, the recording has the first ones and the last
// ones, half of each; those between are counted, and dropped. So a production system can record all the
// time, and look when something was slow. If you never stop it, it keeps its
// memory as long as the pool lives, and no more.
//
// Recorded is which job begins, waits, blocks and ends where; which is stolen, from which worker;
// when workers sleep; when forks become visible to other workers; and which pieces of the
// loops of package par each job does. A fork that is run where it is joined is no event, nor is a loop
// that is so short that the caller does it alone, nor a wait of less than two microseconds. A loop
// with par.WithLimit above the number of workers has goroutines of its own, which are no workers:
// it shows as a loop without pieces, in a job that is in Block. What has begun before the
// recording did shows when it next does something.
//
// It returns [record.ErrRecording] if another recording of the pool goes on; an error, too, if limit is
// below 0, or so large that the events would take more than 2 GB. Any goroutine may call it, also a job, at any time; of a closed pool nothing is
// recorded. While no recording goes on, it costs an atomic load at the beginning and at the
// end of a job; an event costs some 50 ns, and some more if many workers record one at
// the same time.
//
// Record and stop also ask the runtime and the system what the process has used, some files of Linux
// included.
//
// The events of all jobs that ended before stop are in the recording. Any goroutine may call stop, also a job,
// and any number of times: the result is the same one. It waits for no job, and costs some 100 ns for each event.
// Package picture shows a recording.
func (p *Pool) Record(limit int) (stop func() *record.Recording, err error) {
	if p.observer.Load().isRecording() {
		return nil, record.ErrRecording // without the memory
	}
	_, asleep := p.sleep.Counts()
	t, err := tape.New(limit, len(p.seats), asleep)
	if err != nil {
		return nil, err
	}
	var other *tape.Tape
	p.observe(func(o *observer) {
		if other = o.tape; other == nil {
			o.tape = t
		}
	})
	if other != nil {
		return nil, record.ErrRecording
	}
	return func() *record.Recording {
		p.observe(func(o *observer) {
			if o.tape == t {
				o.tape = nil
			}
		})
		return t.Stop()
	}, nil
}
