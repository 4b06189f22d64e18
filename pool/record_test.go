package pool_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rouse-go/rouse/pool"
	"github.com/rouse-go/rouse/pool/record"
)

// recording is Record that cannot fail.
func recording(t testing.TB, p *pool.Pool, limit int) func() *record.Recording {
	t.Helper()
	r, err := p.Record(limit)
	check(t, err == nil, "Pool.Record: it returned the error %v", err)
	return r
}

// lines are the events of a recording, those about one worker or one job, without those of the others.
func lines(r *record.Recording, about func(e record.Event) bool) string {
	var b strings.Builder
	for _, e := range r.Events {
		if !about(e) {
			continue
		}
		fmt.Fprintf(&b, "%v %v", e.At, e.Kind)
		switch e.Kind {
		case record.EventBegin:
			fmt.Fprintf(&b, " %v %s", e.JobKind, e.Func[strings.LastIndexByte(e.Func, '.')+1:])
		case record.EventPublish:
			fmt.Fprintf(&b, " %d", e.Count)
		case record.EventEnd:
			if e.Failed {
				b.WriteString(" failed")
			}
		}
		if e.Worker == record.NoWorker {
			b.WriteString(" without")
		}
		b.WriteString("; ")
	}
	return b.String()
}

// isWhole checks what is so of each recording of which nothing was dropped and that began when
// no job ran.
func isWhole(t testing.TB, r *record.Recording) {
	t.Helper()
	begun := map[int]bool{}
	last := time.Duration(0)
	for i, e := range r.Events {
		check(t, e.At >= last && e.At <= r.Length, "Recording.Events: event %d is at %v, after one at %v, and the recording took %v", i, e.At, last, r.Length)
		last = e.At
		check(t, e.Worker >= record.NoWorker && e.Worker < r.Workers, "Recording.Events: event %d is about worker %d of %d", i, e.Worker, r.Workers)
		switch e.Kind {
		case record.EventSleep, record.EventWake, record.EventClose:
			check(t, e.Worker >= 0 && e.Job == 0, "Recording.Events: a worker's event is about worker %d and job %d", e.Worker, e.Job)
			continue
		case record.EventSteal:
			check(t, e.Other >= 0 && e.Other != e.Worker, "Recording.Events: worker %d steals from %d", e.Worker, e.Other)
			continue
		case record.EventBegin:
			check(t, !begun[e.Job] && e.Job == len(begun)+1, "Recording.Events: the job that begins after %d others has the number %d", len(begun), e.Job)
			begun[e.Job] = true
		}
		check(t, begun[e.Job], "Recording.Events: %v of a job %d that has not begun", e.Kind, e.Job)
		if e.Kind == record.EventEnd {
			begun[e.Job] = false
		}
	}
	for job, goesOn := range begun {
		check(t, !goesOn, "Recording.Events: job %d has no end", job)
	}
}

func aboutWorker(n int) func(record.Event) bool {
	return func(e record.Event) bool { return e.Worker == n }
}

func sleeper(_ *pool.Worker, d time.Duration) int { time.Sleep(d); return 0 }

func waiter(w *pool.Worker, _ int) int {
	f := pool.Fork(w, sleeper, 50*time.Millisecond)
	time.Sleep(20 * time.Millisecond) // the other worker takes it
	f.Join(w)
	w.Block(func() { time.Sleep(10 * time.Millisecond) })
	return 0
}

// If this fails, a picture shows something else than what has happened. In virtual time all moments
// are known.
func TestRecordInVirtualTime(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		p := asleep(t, newPool(t, pool.WithWorkers(2), pool.WithEagerPublish()))
		r := recording(t, p, 0)
		mustRun(t, p, waiter, 0)
		time.Sleep(time.Millisecond)
		got := r()
		isWhole(t, got)
		equal(t, got.Length, 61*time.Millisecond, "Recording.Length: of a program of 61 ms it is")
		equal(t, got.Asleep, 2, "Recording.Asleep: both workers slept, and it is")
		equal(t, got.FullAfter(), got.Length, "Recording.FullAfter: nothing was dropped, and it is")
		mine := got.Events[0].Worker
		want := "0s begin Run waiter; 0s publish 1; 20ms wait; 20ms leave; 20ms sleep; "
		all := lines(got, aboutWorker(mine))
		expect(t, strings.HasPrefix(all, want), "Recording.Events: the worker of the Run has\n%s, want at first\n%s", all, want)
		job := lines(got, func(e record.Event) bool { return e.Job == 1 })
		_, job, _ = strings.Cut(job, "20ms wait; ")
		want = "20ms leave; 20ms wait without; 50ms go on without; 50ms take; 50ms leave; 50ms block without; " +
			"60ms go on without; 60ms take; 60ms end; "
		equal(t, job, want, "Recording.Events: from its wait on the job of the Run has")
		for _, e := range got.Events {
			if e.Job == 1 && e.Kind == record.EventEnd {
				equal(t, e.Forks-got.Events[0].Forks, 1, "Event.Forks: of a job that forks once the difference between end and beginning is")
			}
			if e.Kind == record.EventBegin && e.Job == 2 {
				expect(t, strings.HasSuffix(e.File, "record_test.go") && e.Line > 0, "Event.File: of a job it is %s, with line %d", e.File, e.Line)
				equal(t, e.Other, mine, "Recording.Events: the fork was stolen from the worker")
			}
		}
		thief := lines(got, func(e record.Event) bool { return e.Job == 2 })
		want = "0s steal; 0s begin fork sleeper; 50ms end; "
		equal(t, thief, want, "Recording.Events: the fork has")
	})
}

// If this fails, memory grows, or what does not fit takes something else along.
func TestRecordingIsFull(t *testing.T) {
	p := poolOf(t, 1)
	for _, limit := range []int{1, 10, 300, 400} {
		r := recording(t, p, limit)
		for range 100 {
			mustRun(t, p, fib, 0) // begin, end, sleep
		}
		got := r()
		equal(t, got.Limit, limit, "Recording.Limit: there was room for %d events, and it is", limit)
		equal(t, len(got.Events), min(limit, 300), "Recording.Events: of 300 events, with room for %d, there are", limit)
		equal(t, got.Dropped, uint64(300-min(limit, 300)), "Recording.Dropped: of 300 events, with room for %d, it is", limit)
		for i, e := range got.Events {
			if i >= got.First {
				i += int(got.Dropped)
			}
			equal(t, e.Kind, []record.EventKind{record.EventBegin, record.EventEnd, record.EventSleep}[i%3], "Recording.Events: the first and the last ones are kept, and event %d is", i)
		}
		if got.Dropped > 0 {
			equal(t, got.First, limit-limit/2, "Recording.First: with room for %d events it is", limit)
			equal(t, got.FullAfter(), got.Events[got.First-1].At, "Recording.FullAfter: it is not that of the last event before the gap:")
			if got.First < limit {
				equal(t, got.Resumes(), got.Events[got.First].At, "Recording.Resumes: it is not that of the first event after the gap:")
			}
		}
		equal(t, r(), got, "Pool.Record: stop: called again it returned")
	}
}

// If this fails, an event costs an allocation, in code that has none.
func TestRecordDoesNotAllocate(t *testing.T) {
	p := poolOf(t, 1)
	r := recording(t, p, 1<<16)
	n := testing.AllocsPerRun(1000, func() { _, _ = pool.Run(background, p, fib, 5) })
	expect(t, n == 0, "Pool.Record: a Run that is recorded allocates %v times", n)
	expect(t, len(r().Events) > 1000, "Pool.Record: the Runs were not recorded")
}

func TestRecordRefuses(t *testing.T) {
	p := poolOf(t, 1)
	_, err := p.Record(-1)
	expect(t, err != nil && strings.Contains(err.Error(), "Record(-1)"), "Pool.Record: of a limit below 0 it returned the error %v", err)
	_, err = p.Record(math.MaxInt)
	expect(t, err != nil, "Pool.Record: of the largest limit it returned no error")
	r := recording(t, p, 10)
	_, err = p.Record(10)
	equal(t, err, record.ErrRecording, "Pool.Record: while there is another recording it returned")
	r()
	s := recording(t, p, 10)
	r()
	_, err = p.Record(10)
	equal(t, err, record.ErrRecording, "Pool.Record: stop: called again it has ended another recording, and Record returned")
	s()
	p.Close()
	equal(t, len(recording(t, p, 10)().Events), 0, "Pool.Record: of a closed pool the number of events is")
}

// If this fails, a job that does not return is shown as one that goes on, or as part of another
// one.
func TestRecordOfFailures(t *testing.T) {
	p := poolOf(t, 2)
	r := recording(t, p, 0)
	wantPanic(t, "P2", "boom", func() { do(t, p, func(w *pool.Worker) { raiser(w) }) })
	equal(t, endOf(func() { do(t, p, func(w *pool.Worker) { exiter(w) }) }).how, "exited", "P3: a Run whose job exits has")
	for _, fn := range []func(*pool.Worker) int{raiser, exiter} {
		_, err := submitted(t, p, fn).Wait(background)
		expect(t, err != nil, "P2: a job that did not return has no error")
	}
	do(t, p, func(w *pool.Worker) {
		expect(t, recovered(func() { runInJob(w, raiser) }) != nil, "P2: a Run in a job, which panics, did not")
		expect(t, recovered(func() { scopeOf(w, func(w *pool.Worker) { raiser(w) }) }) != nil, "P2: a scope with a job that panics did not")
	})
	untilSleeping(t, p)
	got := r()
	isWhole(t, got)
	failed := 0
	for _, e := range got.Events {
		if e.Failed {
			failed++
		}
	}
	equal(t, failed, 6, "Recording.Events: of six jobs that did not return, as many ended by failing:")
}

// If this fails, a job that was taken along with a stolen one is shown as the thief's own work, or counts
// as stolen.
func TestRecordOfSteals(t *testing.T) {
	p := asleep(t, newPool(t, pool.WithWorkers(2), pool.WithEagerPublish()))
	var r func() *record.Recording
	mine, along := 0, 0
	during(t, "P5", "forks run on another worker", func() {
		do(t, p, func(w *pool.Worker) {
			_, release := held(t, p) // there is no thief yet
			var ran atomic.Int32
			var forks [8]pool.Forked[int, int]
			for i := range forks {
				forks[i] = fork(w, func(*pool.Worker) int { ran.Add(1); return 1 })
			}
			r = recording(t, p, 0)
			release()
			until(t, "the other worker has done all forks", func() bool { return ran.Load() == 8 })
			// It finds 8 and takes half of the 7 that are left along; then it finds 4, and takes one along,
			// then 2, then 1.
			n := p.Stats().Steals
			expect(t, n == 4, "P26: a worker has taken 8 jobs from another one, in 4 steals, and the count is %d", n)
			joinAll(w, forks[:])
		})
	})
	for _, e := range r().Events {
		switch {
		case e.Kind == record.EventSteal:
			along += e.Count
		case e.Kind == record.EventBegin && e.JobKind == record.JobForked:
			mine++
			equal(t, e.Other, 1-e.Worker, "Recording.Events: a fork that was stolen, or taken along, by worker %d is from the worker", e.Worker)
		}
	}
	equal(t, mine, 8, "Recording.Events: of eight forks that the other worker ran, as many begin:")
	equal(t, along, 4, "Recording.Events: a thief of one of 8, 4, 3 and so on takes half of the others along, in all")
}

func namedRun(*pool.Worker, int) int                              { return 0 }
func namedRunErr(context.Context, *pool.Worker, int) (int, error) { return 0, nil }
func namedSubmit(*pool.Worker) int                                { return 0 }
func namedSubmitErr(context.Context, *pool.Worker) (int, error)   { return 0, nil }
func namedGo(*pool.Worker)                                        {}
func namedGroup(context.Context, *pool.Worker, *pool.Group) error { return nil }

// If this fails, a picture shows functions of the pool where it should show the user's.
func TestRecordNamesFunctions(t *testing.T) {
	p := poolOf(t, 1)
	for name, call := range map[string]func() error{
		"namedRun":       func() error { _, err := pool.Run(background, p, namedRun, 0); return err },
		"namedRunErr":    func() error { _, err := pool.RunErr(background, p, namedRunErr, 0); return err },
		"namedSubmit":    func() error { return endOfHandle(pool.Submit(p, namedSubmit)) },
		"namedSubmitErr": func() error { return endOfHandle(pool.SubmitErr(background, p, namedSubmitErr)) },
		"namedGo":        func() error { return pool.Go(p, namedGo) },
		"namedGroup":     func() error { return pool.RunGroup(background, p, namedGroup) },
	} {
		r := recording(t, p, 0)
		during(t, "P1", "a job ends", func() {
			noError(t, call(), "P1: a job of %s returned", name)
			untilSleeping(t, p)
		})
		has := slices.ContainsFunc(r().Events, func(e record.Event) bool {
			return e.Kind == record.EventBegin && strings.HasSuffix(e.Func, "."+name)
		})
		expect(t, has, "Recording.Events: no job has the name of %s", name)
	}
}

// endOfHandle waits for a job that was submitted.
func endOfHandle[R any](h *pool.Handle[R], err error) error {
	if err == nil {
		_, err = h.Wait(background)
	}
	return err
}
