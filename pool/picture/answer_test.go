package picture_test

import (
	"context"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rouse-go/rouse/api/testrule"
	"github.com/rouse-go/rouse/pool"
	"github.com/rouse-go/rouse/pool/picture"
	"github.com/rouse-go/rouse/pool/record"
)

var pages = flag.String("pages", "", "a directory: run the programs in real time, and write a page for each")

const ms = time.Millisecond

// busy computes for a while: virtual time passes only in sleep.
func busy(d time.Duration) {
	if *pages == "" {
		time.Sleep(d)
		return
	}
	for end := time.Now().Add(d); time.Now().Before(end); {
	}
}

func sequential(_ *pool.Worker, d time.Duration) int { busy(d); return 0 }

func spawn(w *pool.Worker, n int, body func(i int)) {
	w.Scope(func(w *pool.Worker, s *pool.Scope) {
		for i := range n {
			s.Spawn(w, func(*pool.Worker) { body(i) })
		}
	})
}

// A slow program is not faster for one reason.
type slow struct {
	name    string
	says    string // how the answer begins
	workers int
	run     func(w *pool.Worker, _ int) int
	// usage is what the program uses that runs for so long, if all jobs together take so long.
	usage func(length, ran time.Duration) record.Usage
}

func computes(_, ran time.Duration) record.Usage { return record.Usage{CPU: ran} }

var slows = []slow{
	{"too little work", "There was too little work: on average 1.3 jobs ran, and there were 4 workers. Most of the time that workers had nothing to do, only one job ran, of picture_test.early (answer_test.go:", 4, early, computes},
	{"jobs too short", "The jobs are too short: half of 4000 jobs took at most 3 µs", 2, func(w *pool.Worker, _ int) int {
		spawn(w, 4000, func(int) { busy(3 * time.Microsecond) })
		return 0
	}, computes},
	{"one long job at the end", "One long job at the end: for the last 50 ms of 90 ms only one job ran, of picture_test.", 2, func(w *pool.Worker, _ int) int {
		spawn(w, 5, func(i int) { busy([]time.Duration{10 * ms, 10 * ms, 10 * ms, 10 * ms, 90 * ms}[i]) })
		return 0
	}, computes},
	{"a lock", "The jobs waited for locks for about 75 % of the time that they ran", 4, func(w *pool.Worker, _ int) int {
		var mu sync.Mutex
		spawn(w, 64, func(int) {
			if *pages != "" {
				mu.Lock()
				defer mu.Unlock()
			}
			time.Sleep(ms)
		})
		return 0
	}, func(_, ran time.Duration) record.Usage { return record.Usage{CPU: ran / 100, Locks: ran * 3 / 4} }},
	{"jobs that wait", "The jobs waited for 98 % of the time that they ran, and did not compute: they slept, or waited for a disk", 4, func(w *pool.Worker, _ int) int {
		spawn(w, 64, func(int) { time.Sleep(ms) })
		return 0
	}, func(_, ran time.Duration) record.Usage { return record.Usage{CPU: ran / 100} }},
	{"work that nobody saw", "There was work that nobody saw: picture_test.unseen (answer_test.go:", 2, unseen, computes},
	{"more workers than processors", "There were more workers than processors: 8 workers, and 2 processors. Jobs waited for a processor for 75 % of the time that they ran", 8, func(w *pool.Worker, _ int) int {
		spawn(w, 64, func(int) { busy(4 * ms) })
		return 0
	}, func(length, _ time.Duration) record.Usage { return record.Usage{CPU: 2 * length} }},
	{"more jobs than processors", "There were more jobs at a time than processors: 2 workers, and 2 processors. Jobs waited for a processor for 75 % of the time that they ran", 2, func(w *pool.Worker, _ int) int {
		w.Block(func() {
			var callers sync.WaitGroup
			for range 8 {
				callers.Go(func() { pool.Run(context.Background(), w.Pool(), sequential, 20*ms) })
			}
			callers.Wait()
		})
		return 0
	}, func(length, _ time.Duration) record.Usage { return record.Usage{CPU: 2 * length} }},
	{"other programs", "Other programs had the processors: threads of this one waited for a processor for 50 % of the time", 2, func(w *pool.Worker, _ int) int {
		spawn(w, 64, func(int) { busy(4 * ms) })
		return 0
	}, func(_, ran time.Duration) record.Usage { return record.Usage{CPU: ran / 2, Delay: ran / 2} }},
	{"garbage collection", "Garbage collection took 40 % of what the processors can do, in 20 collections", 2, func(w *pool.Worker, _ int) int {
		spawn(w, 64, func(int) {
			if *pages != "" {
				allocate()
				return
			}
			busy(4 * ms)
		})
		return 0
	}, func(_, ran time.Duration) record.Usage {
		return record.Usage{CPU: ran, Collecting: ran * 2 / 5, Collections: 20}
	}},
	{"a lock, and other programs", "The jobs waited for locks for about 20 % of the time", 2, func(w *pool.Worker, _ int) int {
		spawn(w, 64, func(int) { busy(4 * ms) })
		return 0
	}, func(_, ran time.Duration) record.Usage { return record.Usage{CPU: ran / 5, Locks: ran / 5, Delay: ran} }},
	{"short jobs that do not matter", "Nothing held", 2, func(w *pool.Worker, _ int) int {
		spawn(w, 220, func(i int) { busy([]time.Duration{3 * time.Microsecond, 10 * ms}[i%11/10]) })
		return 0
	}, computes},
	{"workers without processors", "Nothing held", 8, func(w *pool.Worker, _ int) int {
		spawn(w, 2, func(int) { busy(50 * ms) })
		return 0
	}, computes},
	{"nothing", "Nothing held the workers up", 2, func(w *pool.Worker, _ int) int {
		spawn(w, 64, func(int) { busy(4 * ms) })
		return 0
	}, computes},
}

// unseen forks while the other worker is busy, and then computes for longer than that is.
func unseen(w *pool.Worker, _ int) int {
	if pool.Go(w.Pool(), func(*pool.Worker) { busy(20 * ms) }) != nil {
		panic("the pool is closed")
	}
	busy(5 * ms)
	seen := pool.Fork(w, sequential, ms)
	left := pool.Fork(w, sequential, 50*ms)
	busy(100 * ms)
	return left.Join(w) + seen.Join(w)
}

// early computes, and then hands out work.
func early(w *pool.Worker, _ int) int {
	sequential(w, 60*ms)
	return late(w, 0)
}

func late(w *pool.Worker, _ int) int {
	spawn(w, 4, func(int) { busy(6 * ms) })
	return 0
}

type node struct{ left, right *node }

func grow(n int) *node {
	if n == 0 {
		return &node{}
	}
	return &node{grow(n - 1), grow(n - 1)}
}

func allocate() {
	for range 4 {
		grow(15)
	}
}

// recorded runs a slow program.
func recorded(t *testing.T, s slow) *record.Recording {
	p, err := pool.New(pool.WithWorkers(s.workers))
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	time.Sleep(ms) // all sleep: and this is not counted
	stop, err := p.Record(0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := pool.Run(context.Background(), p, s.run, 0); err != nil {
		t.Fatal(err)
	}
	return stop()
}

// ranFor adds up how long jobs ran that were not set aside.
func ranFor(r *record.Recording) (all time.Duration) {
	runs, under, last := map[int]bool{}, map[int]int{}, time.Duration(0)
	for _, e := range r.Events {
		all += time.Duration(len(runs)) * (e.At - last)
		last = e.At
		switch e.Kind {
		case record.EventBegin:
			runs[e.Job] = true
			under[e.Job] = e.Parent
			delete(runs, e.Parent)
		case record.EventGoOn:
			runs[e.Job] = true
		case record.EventEnd:
			delete(runs, e.Job)
			if under[e.Job] != 0 {
				runs[under[e.Job]] = true
			}
		case record.EventWait, record.EventBlock:
			delete(runs, e.Job)
		}
	}
	return all
}

func pageOf(t *testing.T, r *record.Recording, title string) string {
	t.Helper()
	var b strings.Builder
	if err := picture.WritePage(&b, r, title); err != nil {
		t.Fatalf("WritePage: it returned the error %v", err)
	}
	return b.String()
}

// answerOf returns what the page says first.
func answerOf(t *testing.T, page string) string {
	t.Helper()
	_, text, _ := strings.Cut(wellFormed(t, page), "Why is it not faster?\n")
	text, _, _ = strings.Cut(text, "\n")
	return text
}

// If this fails, a user looks for the reason in the wrong place. The programs run in virtual time, in
// which jobs compute by sleeping, and what the process used is set to what such programs use.
func TestAnswer(t *testing.T) {
	for _, s := range slows {
		t.Run(s.name, func(t *testing.T) {
			if *pages != "" {
				page := pageOf(t, recorded(t, s), s.name)
				t.Log(answerOf(t, page))
				writePage(t, s.name, page)
				return
			}
			testrule.Bubble(t, func(t *testing.T) {
				r := recorded(t, s)
				r.Usage, r.Processors = s.usage(r.Length, ranFor(r)), 2
				if got := answerOf(t, pageOf(t, r, s.name)); !strings.HasPrefix(got, s.says) {
					t.Errorf("WritePage: the page of a program with %s says\n%s, want\n%s", s.name, got, s.says)
				}
			})
		})
	}
}

// If this fails, a loop whose last element is long is taken for sequential code.
func TestAnswerOfLoop(t *testing.T) {
	at := func(at time.Duration, k record.EventKind, job, worker int) record.Event {
		return record.Event{At: at, Kind: k, Job: job, Worker: worker, Other: record.NoWorker, Loop: 1, Func: "example.com/a.body"}
	}
	r := &record.Recording{Workers: 2, Processors: 2, Length: 60 * ms, Asleep: 1, Events: []record.Event{
		at(0, record.EventBegin, 1, 0), at(0, record.EventLoop, 1, 0), at(0, record.EventPiece, 1, 0), at(0, record.EventBegin, 2, 1),
		at(20*ms, record.EventEnd, 2, 1), at(20*ms, record.EventSleep, 0, 1),
		at(60*ms, record.EventPieceEnd, 1, 0), at(60*ms, record.EventLoopEnd, 1, 0), at(60*ms, record.EventEnd, 1, 0),
	}}
	r.Events[0].JobKind, r.Events[3].JobKind = record.JobOfRun, record.JobSpawned
	const want = "One long job at the end: for the last 40 ms of 60 ms only one job ran, of a.body."
	if got := answerOf(t, pageOf(t, r, "loop")); !strings.HasPrefix(got, want) {
		t.Errorf("WritePage: the page of a loop with one long element says\n%s, want\n%s", got, want)
	}
}

// If this fails, a job that began before the recording, or before a gap, counts twice or never.
func TestAnswerOfParts(t *testing.T) {
	begin := func(at time.Duration, job, worker int) record.Event {
		return record.Event{At: at, Kind: record.EventBegin, Job: job, Worker: worker, Other: record.NoWorker, JobKind: record.JobOfRun, Func: "example.com/a.leaf"}
	}
	end := func(at time.Duration, job, worker int) record.Event {
		return record.Event{At: at, Kind: record.EventEnd, Job: job, Worker: worker}
	}
	sleep := func(at time.Duration, worker int) record.Event {
		return record.Event{At: at, Kind: record.EventSleep, Worker: worker}
	}
	for name, c := range map[string]struct {
		r    record.Recording
		want string
	}{
		"began before": {record.Recording{Events: []record.Event{sleep(0, 1), end(8*ms, 1, 0), begin(8*ms, 2, 0), end(10*ms, 2, 0)}}, "on average 1.0 jobs ran"},
		"gap": {record.Recording{
			Dropped: 1, First: 3, Events: []record.Event{begin(0, 1, 0), sleep(0, 1), begin(3*ms, 2, 1), sleep(8*ms, 0), begin(8*ms, 3, 1), end(10*ms, 3, 1)},
		}, "on average 1.0 jobs ran"},
	} {
		c.r.Workers, c.r.Processors, c.r.Length, c.r.Asleep = 2, 2, 10*ms, 1
		if got := answerOf(t, pageOf(t, &c.r, name)); !strings.Contains(got, c.want) {
			t.Errorf("WritePage: the page of a recording, %s, says\n%s, want\n%s", name, got, c.want)
		}
	}
}

// If this fails, a browser may take more than two seconds to open a page of a hundred thousand events: it
// takes less for a few megabytes.
func TestLargePage(t *testing.T) {
	r := &record.Recording{Workers: 8, Processors: 8, Asleep: 8}
	for i := range 50_000 {
		at, worker := time.Duration(i)*time.Microsecond, i%8
		r.Events = append(r.Events,
			record.Event{At: at, Kind: record.EventBegin, Worker: worker, Job: i + 1, Other: (worker + 1) % 8, JobKind: record.JobSpawned, Func: "example.com/a.leaf"},
			record.Event{At: at + 500, Kind: record.EventEnd, Worker: worker, Job: i + 1})
	}
	r.Length = 50 * ms
	page := pageOf(t, r, "large")
	if most := 5_000_000; len(page) > most {
		t.Errorf("WritePage: a page of 100,000 events has %d bytes, want at most %d", len(page), most)
	}
	writePage(t, "large", page)
}

// writePage writes a page if somebody wants to see it.
func writePage(t *testing.T, name, page string) {
	t.Helper()
	if *pages == "" {
		return
	}
	if err := os.WriteFile(filepath.Join(*pages, strings.ReplaceAll(name, " ", "_")+".html"), []byte(page), 0o644); err != nil {
		t.Fatal(err)
	}
}
