package pool

// A worker that is used by something else than its job goes astray. The short ways
// of Fork and Join do not check that: it would cost as much as they do. The long ways
// panic with a text that names the mistake where they see it for nothing. To see it
// is luck: most such uses are data races, and may do anything.

const (
	astray = "pool: a worker is used by something else than its job: " + whose
	// noFunction is what a join finds if another one came between, and took it.
	noFunction = "pool: a fork has no function: it is nil, or its worker is used by something else than its job: " + whose

	whose = "what is forked, spawned or submitted must use the worker that it is given, and another goroutine must use none (rouse-vet finds most such places)"
)

// checkJob panics if it is plain that the caller is not the job of the worker: there
// is none, or it is set aside.
func (w *Worker) checkJob() {
	if w.ended || w.aside {
		panic(astray)
	}
}

// slot returns the number of the slot of a position. If there is none, the stack is
// void, and what is done after the panic must not look for its frames again.
func (s *stack) slot(position uint64) uint32 {
	i := uint32(position)
	if uint(i) >= uint(len(s.frames)) {
		s.lose()
	}
	return i
}

//go:noinline
func (s *stack) lose() {
	s.head, s.public, s.gaps = s.bottom(), s.bottom(), nil
	panic(astray)
}
