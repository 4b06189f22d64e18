package pool

// numbers are those that may be given out again, the smallest first: the slice is a heap.
// So no more numbers are in use than there ever were workers at once, and neither are
// there more stacks that a profiler sees, which has a number spelt on each.
type numbers []uint32

func (n *numbers) add(number uint32) {
	h := append(*n, number)
	for i := len(h) - 1; i > 0 && h[i] < h[(i-1)/2]; i = (i - 1) / 2 {
		h[i], h[(i-1)/2] = h[(i-1)/2], h[i]
	}
	*n = h
}

// take returns the smallest number. There is one.
func (n *numbers) take() uint32 {
	h := *n
	smallest := h[0]
	h[0] = h[len(h)-1]
	h = h[:len(h)-1]
	for i := 0; ; {
		least := i
		for child := 2*i + 1; child <= 2*i+2 && child < len(h); child++ {
			if h[child] < h[least] {
				least = child
			}
		}
		if least == i {
			break
		}
		h[i], h[least] = h[least], h[i]
		i = least
	}
	*n = h
	return smallest
}
