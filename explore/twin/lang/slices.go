package lang

// A Slice is the range of a slice. Each element is read in its turn.
type Slice[E any] struct {
	s    []E
	name string
	K    int
	V    E
}

// RangeSlice begins for range s.
func RangeSlice[S ~[]E, E any](s S, name string) *Slice[E] {
	return &Slice[E]{s: s, name: name, K: -1}
}

// RangeSliceV begins for _, v := range s, and declares v.
func RangeSliceV[S ~[]E, E any](s S, name string) (*Slice[E], E) {
	return RangeSlice(s, name), *new(E)
}

// RangeSliceKV begins for i, v := range s.
func RangeSliceKV[S ~[]E, E any](s S, name string) (*Slice[E], int, E) {
	return RangeSlice(s, name), 0, *new(E)
}

// More goes to the next element, and reports whether there is one.
func (r *Slice[E]) More() bool {
	if r.K++; r.K >= len(r.s) {
		return false
	}
	r.V = *Read(&r.s[r.K], r.name)
	return true
}

// NextV is More for _, v := range s.
func (r *Slice[E]) NextV(v *E) bool {
	ok := r.More()
	if ok {
		*v = r.V
	}
	return ok
}

// NextKV is More for i, v := range s.
func (r *Slice[E]) NextKV(k *int, v *E) bool {
	ok := r.More()
	if ok {
		*k, *v = r.K, r.V
	}
	return ok
}
