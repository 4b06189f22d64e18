package deque

// Capacity returns the number of slots of the ring.
func (d *ChaseLev[T]) Capacity() int { return len(d.ring.Load().slots) }

// Blocks returns how many blocks the queue consists of.
func (q *Injector[T]) Blocks() int {
	n := 0
	for b := q.head.Load(); b != nil; b = b.next.Load() {
		n++
	}
	return n
}
