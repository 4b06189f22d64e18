// Package traced reads back what pools tell runtime/trace. The reader is no dependency of the pool.
package traced

import (
	"bytes"
	"context"
	"errors"
	"io"
	"maps"
	"regexp"
	"runtime"
	"runtime/trace"
	"sync/atomic"
	"testing"

	reader "golang.org/x/exp/trace"

	"github.com/rouse-go/rouse/pool"
)

// traced calls fn with a pool of two workers, and returns how often the trace of that has each task and region: its
// name without that of the package, and the task that it is in. A region on the goroutine of a task is at home. All must
// have ended, on the goroutine that began them; that the innermost region of a goroutine ends first, the reader checks.
func traced(t *testing.T, fn func(p *pool.Pool)) map[string]int {
	t.Helper()
	p, err := pool.New(pool.WithWorkers(2), pool.WithEagerPublish())
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := trace.Start(&b); err != nil {
		t.Skipf("another trace is recorded: %v", err)
	}
	fn(p)
	p.Close()
	trace.Stop()
	r, err := reader.NewReader(&b)
	if err != nil {
		t.Skipf("the reader does not know traces of %s: %v", runtime.Version(), err)
	}
	all := map[string]int{}
	name := map[reader.TaskID]string{}
	tasks, regions := map[reader.GoID]int{}, map[reader.GoID]int{}
	add := func(what string, in reader.TaskID) string {
		what = regexp.MustCompile(`\S+/traced\.`).ReplaceAllString(what, "")
		if name[in] != "" {
			what += " in " + name[in]
		}
		return what
	}
	for {
		e, err := r.ReadEvent()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatalf("runtime/trace: the trace cannot be read, or regions do not nest: %v", err)
		}
		g := e.Goroutine()
		switch e.Kind() {
		case reader.EventTaskBegin:
			name[e.Task().ID] = add(e.Task().Type, e.Task().Parent)
			all[name[e.Task().ID]]++
			tasks[g]++
		case reader.EventTaskEnd:
			delete(name, e.Task().ID)
			tasks[g]--
		case reader.EventRegionBegin:
			what := add(e.Region().Type, e.Region().Task)
			if tasks[g] > 0 {
				what += ", at home"
			}
			all[what]++
			regions[g]++
		case reader.EventRegionEnd:
			regions[g]--
		}
	}
	for _, open := range []map[reader.GoID]int{tasks, regions} {
		maps.DeleteFunc(open, func(_ reader.GoID, n int) bool { return n == 0 })
	}
	if len(name)+len(tasks)+len(regions) > 0 {
		t.Errorf("runtime/trace: the tasks %v have not ended, or not all tasks (%v) and regions (%v) on the goroutine that began them", name, tasks, regions)
	}
	return all
}

// A flag says that a job has begun.
type flag struct{ atomic.Bool }

func (f *flag) await() {
	for !f.Load() {
		runtime.Gosched()
	}
}

func returns(_ *pool.Worker, begun *flag) int { begun.Store(true); return 1 }
func panics(_ *pool.Worker, begun *flag) int  { begun.Store(true); panic("expected") }
func exits(_ *pool.Worker, begun *flag) int   { begun.Store(true); runtime.Goexit(); return 1 }

// joins forks a job, and joins it when another worker has begun it.
func joins(w *pool.Worker, fn func(*pool.Worker, *flag) int) int {
	var begun flag
	f := pool.Fork(w, fn, &begun)
	begun.await()
	return f.Join(w)
}

// calls has a region of its own, and another Run within its task.
func calls(ctx context.Context, _ *pool.Worker, p *pool.Pool) (int, error) {
	trace.WithRegion(ctx, "user", func() {})
	return pool.Run(ctx, p, joins, returns)
}

func spawns(_ context.Context, w *pool.Worker, g *pool.Group) error {
	var begun flag
	g.Spawn(w, func(context.Context, *pool.Worker) error { begun.Store(true); return nil })
	begun.await()
	return nil
}

func submitted(context.Context, *pool.Worker) (int, error) { panic("expected") }

// scope waits for a job that waits for another one, so that its owner steals that back. What this spawns nobody
// steals.
func scope(w *pool.Worker, _ int) int {
	w.Scope(func(w *pool.Worker, s *pool.Scope) {
		var spawned, back flag
		s.Spawn(w, func(w *pool.Worker) {
			s.Spawn(w, func(w *pool.Worker) {
				s.Spawn(w, func(*pool.Worker) { back.Store(true) })
			})
			spawned.Store(true)
			back.await()
		})
		spawned.await()
	})
	return 0
}

// If this fails, a trace does not show which request a Run is for, or who runs what others have forked; or
// regions begin on one goroutine and end on another one, or never. A job that is submitted without a context
// costs more while a flight recorder runs if it is a region.
func TestTasksAndRegions(t *testing.T) {
	ctx := context.Background()
	got := traced(t, func(p *pool.Pool) {
		for _, fn := range []func(*pool.Worker, *flag) int{returns, panics, exits} {
			ended := make(chan bool)
			go func() {
				defer close(ended)
				defer func() { _ = recover() }()
				pool.Run(ctx, p, joins, fn)
			}()
			<-ended
		}
		_, err1 := pool.RunErr(ctx, p, calls, p)
		err2 := pool.RunGroup(ctx, p, spawns)
		_, err3 := pool.Run(ctx, p, scope, 0)
		h, err4 := pool.SubmitErr(ctx, p, submitted)
		if err := errors.Join(err1, err2, err3, err4); err != nil {
			t.Fatal(err)
		}
		for range 1000 {
			if _, err := pool.Submit(p, func(*pool.Worker) int { return 1 }); err != nil {
				t.Fatal(err)
			}
		}
		h.Wait(ctx)
	})
	want := map[string]int{
		"Run joins": 3, "stolen returns": 2, "stolen panics": 1, "stolen exits": 1,
		"Run calls": 1, "user in Run calls, at home": 1, "Run joins in Run calls": 1,
		"Run spawns": 1, "stolen spawns.func1": 1,
		"Run scope": 1, "stolen scope.func1.1": 1, "stolen scope.func1.1.1, at home": 1,
		"submitted job": 1,
	}
	if !maps.Equal(got, want) {
		t.Errorf("runtime/trace: tasks and regions are\n%v, want\n%v", got, want)
	}
}
