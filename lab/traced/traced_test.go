// Package traced reads back what pools tell runtime/trace. The reader is no dependency of the pool.
package traced

import (
	"bytes"
	"context"
	"errors"
	"io"
	"maps"
	"runtime"
	"runtime/trace"
	"strings"
	"sync/atomic"
	"testing"

	reader "golang.org/x/exp/trace"

	"github.com/rouse-go/rouse/pool"
)

// A span is a task or a region.
type span struct {
	name         string
	task, parent reader.TaskID
	begun, ended reader.GoID
}

// read returns the tasks and regions of a trace, by the beginnings of their names. All must have ended; that
// the innermost region of a goroutine ends first, the reader checks.
func read(t *testing.T, of []byte) (tasks, regions map[string][]span) {
	t.Helper()
	r, err := reader.NewReader(bytes.NewReader(of))
	if err != nil {
		t.Skipf("the reader does not know traces of %s: %v", runtime.Version(), err)
	}
	tasks, regions = map[string][]span{}, map[string][]span{}
	begun, open := map[reader.TaskID]span{}, map[reader.GoID]int{}
	add := func(to map[string][]span, s span) {
		kind, _, _ := strings.Cut(s.name, " ")
		to[kind] = append(to[kind], s)
	}
	for {
		e, err := r.ReadEvent()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatalf("runtime/trace: the trace cannot be read, or regions do not nest: %v", err)
		}
		switch e.Kind() {
		case reader.EventTaskBegin:
			begun[e.Task().ID] = span{name: e.Task().Type, task: e.Task().ID, parent: e.Task().Parent, begun: e.Goroutine()}
		case reader.EventTaskEnd:
			s := begun[e.Task().ID]
			s.ended = e.Goroutine()
			add(tasks, s)
			delete(begun, e.Task().ID)
		case reader.EventRegionBegin:
			add(regions, span{name: e.Region().Type, task: e.Region().Task, begun: e.Goroutine()})
			open[e.Goroutine()]++
		case reader.EventRegionEnd:
			if open[e.Goroutine()]--; open[e.Goroutine()] < 0 {
				t.Errorf("runtime/trace: the region %q ends on a goroutine that has not begun it", e.Region().Type)
			}
		}
	}
	maps.DeleteFunc(open, func(_ reader.GoID, n int) bool { return n == 0 })
	if len(begun)+len(open) > 0 {
		t.Errorf("runtime/trace: the tasks %v, and regions on goroutines %v, have not ended", begun, open)
	}
	return tasks, regions
}

// traced calls fn while a trace is recorded.
func traced(t *testing.T, fn func()) (tasks, regions map[string][]span) {
	t.Helper()
	var b bytes.Buffer
	if err := trace.Start(&b); err != nil {
		t.Skipf("another trace is recorded: %v", err)
	}
	func() {
		defer trace.Stop()
		fn()
	}()
	return read(t, b.Bytes())
}

func newPool(t *testing.T, workers int) *pool.Pool {
	t.Helper()
	p, err := pool.New(pool.WithWorkers(workers), pool.WithEagerPublish())
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// steal forks fn, and returns when another worker has begun it.
func steal(w *pool.Worker, fn func(w *pool.Worker, begun *atomic.Bool) int) pool.Forked[*atomic.Bool, int] {
	var begun atomic.Bool
	f := pool.Fork(w, fn, &begun)
	for !begun.Load() {
		runtime.Gosched()
	}
	return f
}

func returns(_ *pool.Worker, begun *atomic.Bool) int { begun.Store(true); return 1 }
func panics(_ *pool.Worker, begun *atomic.Bool) int  { begun.Store(true); panic("expected") }
func exits(_ *pool.Worker, begun *atomic.Bool) int {
	begun.Store(true)
	runtime.Goexit()
	return 1
}

// If this fails, a trace does not show which request a Run is for, or regions begin on one goroutine
// and end on another one, or never.
func TestTasksAndRegions(t *testing.T) {
	ctx := context.Background()
	tasks, regions := traced(t, func() {
		p := newPool(t, 2)
		for _, fn := range []func(*pool.Worker, *atomic.Bool) int{returns, panics, exits} {
			ended := make(chan bool)
			go func() {
				defer close(ended)
				defer func() { _ = recover() }()
				pool.Run(ctx, p, func(w *pool.Worker, _ int) int { return steal(w, fn).Join(w) }, 0)
			}()
			<-ended
		}
		_, err := pool.RunErr(ctx, p, func(ctx context.Context, w *pool.Worker, _ int) (int, error) {
			trace.WithRegion(ctx, "user", func() {})
			return pool.Run(ctx, p, func(*pool.Worker, int) int { return 0 }, 0)
		}, 0)
		if err != nil {
			t.Error(err)
		}
		err = pool.RunGroup(ctx, p, func(_ context.Context, w *pool.Worker, g *pool.Group) error {
			var begun atomic.Bool
			g.Spawn(w, func(context.Context, *pool.Worker) error { begun.Store(true); return nil })
			for !begun.Load() {
				runtime.Gosched()
			}
			return nil
		})
		if err != nil {
			t.Error(err)
		}
		h, err := pool.SubmitErr(ctx, p, func(context.Context, *pool.Worker) (int, error) { panic("expected") })
		if err != nil {
			t.Fatal(err)
		}
		h.Wait(ctx)
		p.Close()
	})
	if len(tasks["Run"]) != 6 {
		t.Errorf("runtime/trace: the tasks are %+v, want one for each of 6 calls of Run", tasks)
	}
	names := map[string]int{}
	inner := 0
	for _, s := range tasks["Run"] {
		if !strings.Contains(s.name, "TestTasksAndRegions.func") || s.begun != s.ended {
			t.Errorf("runtime/trace: a task of Run is %+v, want one with the name of its function, on one goroutine", s)
		}
		for _, outer := range tasks["Run"] {
			if outer.task == s.parent && len(regions["user"]) == 1 && regions["user"][0].task == outer.task {
				inner++
			}
		}
	}
	if inner != 1 {
		t.Errorf("runtime/trace: of %d tasks %d are within that of RunErr, which has %v; want 1", len(tasks["Run"]), inner, regions["user"])
	}
	for _, s := range regions["stolen"] {
		names[s.name[strings.LastIndex(s.name, ".")+1:]]++
	}
	if len(regions["stolen"]) != 4 || names["returns"] != 1 || names["panics"] != 1 || names["exits"] != 1 {
		t.Errorf("runtime/trace: the regions of stolen jobs are %+v, want one each of returns, panics, exits, and of the group's", regions["stolen"])
	}
	if len(regions["submitted"]) != 1 {
		t.Errorf("runtime/trace: the regions of submitted jobs are %+v, want that of SubmitErr", regions["submitted"])
	}
}

// The owner of a scope that waits for its jobs steals some of them back. If this fails, such a job is no
// region, and the next one that its worker begins is, though nobody has stolen that.
func TestOwnerStealsBack(t *testing.T) {
	tasks, regions := traced(t, func() {
		p := newPool(t, 2)
		var taken, spawned, back atomic.Bool
		await := func(b *atomic.Bool) {
			for !b.Load() {
				runtime.Gosched()
			}
		}
		_, err := pool.Run(context.Background(), p, func(w *pool.Worker, _ int) int {
			w.Scope(func(w *pool.Worker, s *pool.Scope) {
				s.Spawn(w, func(w *pool.Worker) {
					taken.Store(true)
					s.Spawn(w, func(*pool.Worker) { back.Store(true) })
					spawned.Store(true)
					await(&back)
				})
				await(&taken)
				await(&spawned)
			})
			return 0
		}, 0)
		if err != nil {
			t.Error(err)
		}
		p.Close()
	})
	if len(tasks["Run"]) != 1 || len(regions["stolen"]) != 2 {
		t.Fatalf("runtime/trace: the tasks are %v, and the regions of stolen jobs %v, want that of Run, and two", tasks, regions)
	}
	one, other := regions["stolen"][0], regions["stolen"][1]
	if owner := tasks["Run"][0].begun; (one.begun == owner) == (other.begun == owner) {
		t.Errorf("runtime/trace: goroutine %d has stolen one job back, and the regions are %+v", owner, regions["stolen"])
	}
}

// If this fails, a job that is submitted without a context costs more while a flight recorder runs,
// as those that hand them over by steals would.
func TestSubmittedJobsAreNoRegions(t *testing.T) {
	tasks, regions := traced(t, func() {
		p := newPool(t, 2)
		fns := make([]func(*pool.Worker) int, 1000)
		for i := range fns {
			fns[i] = func(*pool.Worker) int { return i }
		}
		all, err := pool.SubmitAll(p, fns)
		if err != nil {
			t.Fatal(err)
		}
		for _, h := range all {
			h.Wait(context.Background())
		}
		p.Close()
	})
	if len(tasks)+len(regions) > 0 {
		t.Errorf("runtime/trace: of jobs without a context there are tasks %v and regions %v", tasks, regions)
	}
}
