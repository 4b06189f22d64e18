//go:build explore

package simulate

// A heap is a binary heap of threads, the least clock first and the least number
// among equals. It holds copies of the clocks, which do not change meanwhile.
type heap []entry

type entry struct {
	clock  Time
	id     int
	thread *thread
}

func (a entry) before(clock Time, id int) bool {
	return a.clock < clock || a.clock == clock && a.id < id
}

func (h *heap) push(t *thread) {
	*h = append(*h, entry{})
	i := len(*h) - 1
	for i > 0 {
		p := (i - 1) / 2
		if (*h)[p].before(t.clock, t.id) {
			break
		}
		(*h)[i] = (*h)[p]
		i = p
	}
	(*h)[i] = entry{t.clock, t.id, t}
}

// pop takes the first thread. There is one.
func (h *heap) pop() *thread {
	n := len(*h) - 1
	first, last := (*h)[0].thread, (*h)[n]
	(*h)[n] = entry{}
	*h = (*h)[:n]
	if n > 0 {
		h.down(last)
	}
	return first
}

// exchange puts t into the heap, and takes the first thread then.
func (h *heap) exchange(t *thread) *thread {
	if len(*h) == 0 || !(*h)[0].before(t.clock, t.id) {
		return t
	}
	first := (*h)[0].thread
	h.down(entry{t.clock, t.id, t})
	return first
}

// down puts x in the place of the first one.
func (h *heap) down(x entry) {
	s := *h
	i := 0
	for {
		c := 2*i + 1
		if c >= len(s) {
			break
		}
		if c+1 < len(s) && s[c+1].before(s[c].clock, s[c].id) {
			c++
		}
		if !s[c].before(x.clock, x.id) {
			break
		}
		s[i] = s[c]
		i = c
	}
	s[i] = x
}
