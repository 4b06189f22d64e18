package pool

import (
	"context"
	"reflect"
	"strconv"
	"testing"
)

// line is how many bytes a cache line has on most processors. Where it has 128, or
// is fetched in pairs, half of what is promised here still holds.
const line = 64

// apart checks that a field shares no cache line with any other one, wherever the
// struct begins. Fields without a name are room.
func apart(t *testing.T, of reflect.Type, name string) {
	t.Helper()
	own, ok := of.FieldByName(name)
	check(t, ok, "Layout: %v has no field %s", of, name)
	for i := range of.NumField() {
		f := of.Field(i)
		if f.Name == "_" || f.Name == name {
			continue
		}
		before := int(own.Offset) - int(f.Offset+f.Type.Size()-1)
		after := int(f.Offset) - int(own.Offset+own.Type.Size()-1)
		if before < line && after < line {
			t.Errorf("Layout: %v: %s, at %d to %d, may share a cache line with %s, at %d to %d", of,
				name, own.Offset, own.Offset+own.Type.Size()-1, f.Name, f.Offset, f.Offset+f.Type.Size()-1)
		}
	}
	expect(t, int(of.Size()-own.Offset-own.Type.Size()) >= line-int(own.Type.Size()),
		"Layout: %v: %s may share a cache line with what lies behind the struct", of, name)
}

// If this fails, a fork of one worker slows down all who look at its flag: what
// others read lies on a line that the fork writes.
func TestLayout(t *testing.T) {
	apart(t, reflect.TypeFor[Worker](), "wanted")
	apart(t, reflect.TypeFor[seat](), "stats")
}

// If this fails, each job that is queued slows down all searches: they read what lies on a line with the
// counts of the inbox.
func TestLayoutOfPool(t *testing.T) {
	of := reflect.TypeFor[Pool]()
	inbox, _ := of.FieldByName("inbox")
	injected, ok := inbox.Type.FieldByName("injected")
	check(t, ok, "Layout: the inbox has no field injected")
	for _, name := range []string{"seats", "queue", "observer", "notes", "guests"} {
		f, ok := of.FieldByName(name)
		base := uintptr(0)
		if name == "queue" {
			f, ok = inbox.Type.FieldByName(name)
			base = inbox.Offset
		}
		end, written := base+f.Offset+f.Type.Size(), inbox.Offset+injected.Offset
		expect(t, ok && end+line <= written+1, "Layout: %s ends at %d, and what callers write begins at %d", name, end, written)
	}
}

// If this fails, a thief that raids one seat slows down those that look at another, or a scope or a handle takes more
// memory than a cache line, or the lists of two seats share one.
func TestLayoutOfLines(t *testing.T) {
	if strconv.IntSize < 64 {
		t.Skip("structs are smaller here, and need not fill a cache line: the room between fields is made for 64 bits")
	}
	// Go allocates what has these sizes so that it begins with a line.
	for of, lines := range map[reflect.Type]uintptr{reflect.TypeFor[seat](): 6, reflect.TypeFor[Worker](): 7, reflect.TypeFor[seatList](): 1} {
		equal(t, of.Size(), lines*line, "Layout: the size of %v is", of)
	}
	deque, _ := reflect.TypeFor[seat]().FieldByName("deque")
	equal(t, deque.Offset%line, 0, "Layout: what others read of a seat begins, in its cache line, at")
	for _, of := range []reflect.Type{reflect.TypeFor[Scope](), reflect.TypeFor[Handle[int]]()} {
		expect(t, of.Size() <= line, "Layout: %v has %d bytes, must have at most %d", of, of.Size(), line)
	}
}

// If this fails, each job of one of these kinds allocates more than its frame: twice as much garbage is the price.
func TestAllocations(t *testing.T) {
	p := open(t, WithWorkers(1))
	const jobs = 1000
	for what, f := range map[string]func(){
		"Scope.Spawn, of jobs that lie in the list together": func() {
			_, _ = Run(context.Background(), p, func(w *Worker, _ int) int {
				w.Scope(func(w *Worker, s *Scope) {
					for range jobs {
						s.Spawn(w, func(*Worker) {})
					}
				})
				return 0
			}, 0)
		},
		"Group.Spawn": func() {
			_ = RunGroup(context.Background(), p, func(_ context.Context, w *Worker, g *Group) error {
				for range jobs {
					g.Spawn(w, func(context.Context, *Worker) error { return nil })
				}
				return nil
			})
		},
		"Go": func() {
			for range jobs {
				_ = Go(p, func(*Worker) {})
			}
			_, _ = Run(context.Background(), p, func(*Worker, int) int { return 0 }, 0)
		},
	} {
		n := testing.AllocsPerRun(10, f)
		expect(t, n < 1.5*jobs, "Allocations: %s: %v for %d jobs", what, n, jobs)
	}
}
