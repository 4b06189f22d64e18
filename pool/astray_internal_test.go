package pool

import "testing"

// Two goroutines that fork with one worker leave it a head for which there are no
// frames. If this fails, what is done then recurses until the stack overflows, or
// panics with an index that says nothing.
func TestStackWithoutFrames(t *testing.T) {
	leaf := func(*Worker, int) int { return 0 }
	for name, f := range map[string]func(w *Worker){
		"Fork":    func(w *Worker) { Fork(w, leaf, 0) },
		"publish": func(w *Worker) { w.publishAll() },
		"settle":  func(w *Worker) { w.settle(w.bottom()) },
		"discard": func(w *Worker) { w.discard(w.bottom()) },
		"Both":    func(w *Worker) { Both(w, func(w *Worker) int { return 0 }, func(w *Worker) int { return 0 }) },
	} {
		t.Run(name, func(t *testing.T) {
			w := newLone(t, 1).Worker
			Fork(w, leaf, 0).Join(w)
			w.head += 7
			defer func() {
				if got := recover(); got != astray {
					t.Errorf("P29: Worker: %s panics with %v, want %q", name, got, astray)
				}
				if w.head != w.bottom() {
					t.Errorf("P29: after %s, which was refused, the stack still has %d slots", name, w.head-w.bottom())
				}
			}()
			f(w)
		})
	}
}

// If this fails, the join of a fork that another goroutine has taken off the stack
// panics with a nil pointer that says nothing.
func TestForkWithoutFunction(t *testing.T) {
	w := newLone(t, 1).Worker // whose flag is up, so that it goes the long ways
	defer func() {
		if got := recover(); got != noFunction {
			t.Errorf("P29: Worker: Join panics with %v, want %q", got, noFunction)
		}
	}()
	Fork[int, int](w, nil, 0).Join(w)
}
