//go:build explore

package predict

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/counters"
	"github.com/rouse-go/rouse/lab/scale"
	"github.com/rouse-go/rouse/lab/scale/measure"
	"github.com/rouse-go/rouse/lab/simulate"
	"github.com/rouse-go/rouse/pool"
	"github.com/rouse-go/rouse/tools/backends"
)

const (
	ns = simulate.Nanosecond
	µs = simulate.Microsecond
)

// A program built to be limited by one thing gets the word for it. If it gets
// another one, the words in the report point to the wrong place.
func TestLimits(t *testing.T) {
	for want, test := range map[Limit]struct {
		workers int
		row     *scale.Row
	}{
		// Enough work for each worker, and nothing in its way.
		OK: {8, scale.Leaves("tree", 2048, 50*µs)},
		// Four short leaves for each worker: over before the last one wakes.
		Ramp: {64, scale.Leaves("tree", 256, 20*µs)},
		// Each leaf goes through the counters again and again.
		Counters: {16, onWorker(counting, 4096, scale.Cost{Work: 4096 * 100 * ns, Span: 100 * ns})},
		// One worker cannot lose time by anything but forks.
		Fork: {1, onWorker(byHalves(func() { simulate.Work(ns / 10) }), 4096, scale.Cost{Work: 4096 * ns / 10, Span: ns / 10})},
		// There is nothing but one small job at a time to steal, and the worker
		// that has it to give makes no more before it is taken.
		Steals: {4, onWorker(handing, 2000, scale.Cost{Work: 2 * 2000 * 500 * ns, Span: 2000 * 500 * ns})},
		// Short bursts, with so much time between that all others fall asleep: the
		// last one wakes when a burst is over.
		Wait: {16, onWorker(bursts, 50, scale.Cost{Work: 50 * (40 + 16*20) * µs, Span: 50 * (40 + 20) * µs})},
	} {
		t.Run(string(want), func(t *testing.T) {
			m, err := simulate.Load("one-socket-64")
			if err != nil {
				t.Fatal(err)
			}
			one, err := perform(m, test.row, 1, backends.Sleeps()[0], alone)
			if err != nil {
				t.Fatal(err)
			}
			r, err := perform(m, test.row, test.workers, backends.Sleeps()[0], alone)
			if err != nil {
				t.Fatal(err)
			}
			if r.section.Work != test.row.Cost.Work {
				t.Errorf("the program does %v of work, and is said to do %v", r.section.Work, test.row.Cost.Work)
			}
			got, lost := r.limit(one.section.Local)
			t.Logf("speed-up %.2f of %.2f; %s: %.3v; %.3v", r.speedup(), test.row.Cost.Speedup(test.workers), got, lost, r.hottest())
			if got != want {
				t.Errorf("the limit is %s, want %s", got, want)
			}
		})
	}
}

// The ramp ends when the last useful worker works, and OfBound compares with one
// worker of the same pool. The numbers are worked out by hand; others would judge
// a change by the wrong measure.
func TestOfBound(t *testing.T) {
	row := &scale.Row{Cost: scale.Cost{Work: 800 * µs, Span: 100 * µs}} // parallelism 8
	one := &run{row: row, workers: 1, elapsed: 1600 * µs}
	section := simulate.Section{FirstWork: []simulate.Time{µs, 2 * µs, 30 * µs, 400 * µs}}
	for workers, want := range map[int]struct {
		part float64
		ramp simulate.Time
	}{
		// T∞ is 200 µs, twice that of the row, as T1 is twice the work.
		2:  {(800. + 200) / 1000, 2 * µs},
		4:  {(400. + 200) / 1000, 400 * µs},
		8:  {(200. + 200) / 1000, 1000 * µs}, // four of eight never work
		64: {(25. + 200) / 1000, 1000 * µs},
	} {
		r := &run{row: row, workers: workers, elapsed: 1000 * µs, section: section}
		if got := r.ofBound(one); got != want.part {
			t.Errorf("%d workers: %v of the bound, want %v", workers, got, want.part)
		}
		if got := r.ramped(); got != want.ramp {
			t.Errorf("%d workers: the ramp takes %v, want %v", workers, got, want.ramp)
		}
	}
	// There is work for no more than eight: the others are not waited for.
	section.FirstWork = []simulate.Time{µs, µs, µs, µs, µs, µs, µs, 5 * µs, 900 * µs}
	if got := (&run{row: row, workers: 64, elapsed: 1000 * µs, section: section}).ramped(); got != 5*µs {
		t.Errorf("the ramp of eight useful workers takes %v, want that of the eighth, 5 µs", got)
	}
	if got := one.ofBound(one); got != 1.125 {
		t.Errorf("one worker: %v of the bound, want 1 + T∞/T1", got)
	}
}

// onWorker is a row of a function that gets a worker and a number of leaves,
// and returns that number.
func onWorker(f func(*pool.Worker, int) uint64, n int, c scale.Cost) *scale.Row {
	return &scale.Row{
		Name: "synthetic", Units: n, Cost: c, Answer: uint64(n),
		Pool: func(p *pool.Pool) (uint64, error) { return pool.Run(context.Background(), p, f, n) },
	}
}

// byHalves calls leaf n times, by Invoke.
func byHalves(leaf func()) func(*pool.Worker, int) uint64 {
	var halves func(*pool.Worker, int) uint64
	halves = func(w *pool.Worker, n int) uint64 {
		if n == 1 {
			leaf()
			return 1
		}
		a, b := pool.Invoke(w, halves, n/2, halves, n-n/2)
		return a + b
	}
	return halves
}

func working(_ *pool.Worker, d simulate.Time) uint64 {
	simulate.Work(d)
	return 1
}

func counting(w *pool.Worker, n int) uint64 {
	c, err := counters.New(64)
	if err != nil {
		panic(err)
	}
	return byHalves(func() {
		simulate.Work(100 * ns)
		for range 20 {
			c.AddInactive()
			c.SubInactive()
		}
	})(w, n)
}

func handing(w *pool.Worker, n int) uint64 {
	for range n {
		pool.Invoke(w, working, 500*ns, working, 500*ns)
	}
	return uint64(n)
}

// bursts works alone, and then on sixteen leaves at a time.
func bursts(w *pool.Worker, n int) uint64 {
	var forks [15]pool.Forked[simulate.Time, uint64]
	for range n {
		simulate.Work(40 * µs)
		for i := range forks {
			forks[i] = pool.Fork(w, working, 20*µs)
		}
		working(w, 20*µs)
		for i := range forks {
			forks[len(forks)-1-i].Join(w)
		}
	}
	return uint64(n)
}

// small returns a plan of two small rows, validated by nothing that was recorded.
func small(t *testing.T) *Plan {
	t.Helper()
	m, err := simulate.Load("one-socket-64")
	if err != nil {
		t.Fatal(err)
	}
	of, err := simulate.Load(Calibrated)
	if err != nil {
		t.Fatal(err)
	}
	return &Plan{
		Machine: m, Of: of, Workers: []int{1, 4}, Sleep: backends.Sleeps()[0], OfSleep: backends.Sleeps()[0],
		Rows: []*scale.Row{scale.Leaves("tree", 64, 10*µs), scale.Leaves("scope", 64, 10*µs)}, Recorded: new(measure.File),
	}
}

// The work that the simulator accounts is what the row counts for itself. If it
// were not, the speed-up and the bound beside it would be of another program.
func TestWork(t *testing.T) {
	m, err := simulate.Load("one-socket-64")
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range scale.Rows(scale.Quick) {
		for _, workers := range []int{1, 8} {
			done, err := perform(m, r, workers, backends.Sleeps()[0], alone)
			if err != nil {
				t.Error(err)
				continue
			}
			if done.section.Work != r.Cost.Work {
				t.Errorf("%s, %d workers: %v of work, the row counts %v", r.Name, workers, done.section.Work, r.Cost.Work)
			}
			if done.elapsed < max(r.Cost.Span, r.Cost.Work/simulate.Time(max(workers, r.Callers))) {
				t.Errorf("%s, %d workers: done after %v, faster than the work of %v and the span of %v allow", r.Name, workers, done.elapsed, r.Cost.Work, r.Cost.Span)
			}
			if !done.kept {
				t.Errorf("%s, %d workers: time is lost or made", r.Name, workers)
			}
		}
	}
}

func TestPlan(t *testing.T) {
	p := small(t)
	done := -1
	p.Watch = func(_ string, n int) {
		if n != done+1 || n >= p.Runs() {
			t.Errorf("run %d of %d, after %d", n, p.Runs(), done)
		}
		done = n
	}
	r, err := p.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(r.Title, "predicted by simulation, not measured: ") || !strings.Contains(r.Title, "one-socket-64 of 64 processors") {
		t.Errorf("the title is %q", r.Title)
	}
	if len(r.Cells) != 4 {
		t.Errorf("%+v", r)
	}
	for _, c := range r.Cells {
		if !(c.Low > 0 && c.Low <= c.Base && c.Base <= c.High) || c.Limit == "" || c.Elapsed <= 0 ||
			!(c.Ramp > 0 && c.Ramp <= c.Elapsed) || !(c.OfBound > 0 && c.OfBound < 1.1) {
			t.Errorf("%+v", c)
		}
	}
	again, err := small(t).Run(t.Context())
	if err != nil || again.Text(0) != r.Text(0) {
		t.Errorf("error %v; a second report says\n%s\nthe first\n%s", err, again.Text(0), r.Text(0))
	}
}

// Recorded measurements that the simulator cannot be near to stop the report, and
// the error says which check is off.
func TestOff(t *testing.T) {
	times := func(ns float64) measure.Times { return measure.Times{ns} }
	tree := scale.Rows(scale.Full, "tree")[0]
	rows := func(two, copies float64) []measure.Row {
		return []measure.Row{{
			Name: "tree", About: tree.About, Units: tree.Units, Plain: times(40e6),
			Pools: []measure.Pool{
				{Workers: 1, Times: times(40e6), Copies: times(40e6)},
				{Workers: 2, Times: times(two), Copies: times(copies)},
			},
		}}
	}
	for _, test := range []struct {
		why      string
		recorded measure.File
		off      string
	}{
		{"two workers are twice as fast as one", measure.File{Rows: rows(20e6, 40e6)}, ""},
		{"two plain programs slow each other down as much as two workers", measure.File{Rows: rows(40e6, 80e6)}, ""},
		{"two workers are no faster than one", measure.File{Rows: rows(40e6, 40e6)}, "from 1 to 2 workers, tree: simulated 2.00, measured 1.00, +100 %"},
		{
			"leaves that sleep take turns",
			measure.File{Leaf: times(2e6), Sleeping: []measure.Sleeper{{Name: "scope", Workers: 8, Times: times(32e6)}}},
			"leaves that sleep, scope, 8 workers: ",
		},
	} {
		p := small(t)
		p.Recorded = &test.recorded
		_, err := p.Run(t.Context())
		var off *OffError
		if errors.As(err, &off) != (test.off != "") || off == nil && err != nil || off != nil && !strings.Contains(err.Error(), test.off) {
			t.Errorf("recorded is that %s: error %v, want %q", test.why, err, test.off)
		}
	}
}

// What was recorded of another size, or not at all, is compared with nothing, and
// the report says so. If it were compared, a gain of one program would validate
// another; if it were left out silently, a reader could not tell.
func TestSkipped(t *testing.T) {
	tree := scale.Rows(scale.Full, "tree")[0]
	times := measure.Times{1}
	other := measure.Row{
		Name: "tree", About: tree.About, Units: tree.Units - 1, Plain: times,
		Pools: []measure.Pool{{Workers: 1, Times: times, Copies: times}, {Workers: 2, Times: times, Copies: times}},
	}
	alone := other
	alone.Units, alone.Pools = tree.Units, alone.Pools[:1]
	for says, rows := range map[string][]measure.Row{
		"tree: skipped: measured with 4095 times a leaf, and has 4096 now": {other},
		"tree: skipped: not measured with one and two workers":             {alone},
		"tree: skipped: not measured":                                      nil,
	} {
		p := small(t)
		p.Recorded.Rows = rows
		r, err := p.Run(t.Context())
		if err != nil {
			t.Errorf("%v: a report fails for a row that it cannot compare: %v", rows, err)
			continue
		}
		others := fmt.Sprintf("skipped: %d workloads that this report is not of", len(scale.Names())-2)
		for _, says := range []string{says, others, "2 of 2 checks of the simulator hold, 3 skipped\n"} {
			if text := r.Text(0); !strings.Contains(text, says) {
				t.Errorf("no %q in\n%s", says, text)
			}
		}
	}
}

// The whole way, with the record.
func TestOrder(t *testing.T) {
	plan, err := (&Order{Machine: "one-socket-64", Sleep: "jec", Workloads: []string{"tree"}, Workers: []int{1, 8}, Quick: true}).Plan()
	if err != nil {
		t.Fatal(err)
	}
	r, err := plan.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{r.Title + "\n", "\ntree            1 ", "\n                8 ", "checks of the simulator hold"} {
		if got := r.Text(0); !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := small(t).Run(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}
