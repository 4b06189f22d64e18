package deque

// Held returns how many slots of the ring hold a pointer.
func (d *ChaseLev[T]) Held() int {
	n := 0
	for i := range d.ring.Load().slots {
		if d.ring.Load().slots[i].Load() != nil {
			n++
		}
	}
	return n
}

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
