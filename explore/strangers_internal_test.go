//go:build explore

package explore

import "testing"

// TestStrangerInPlaceOfAnother: a goroutine that is left behind must be found though one that was
// there before has ended meanwhile, as that of an earlier test.
func TestStrangerInPlaceOfAnother(t *testing.T) {
	before, quit := make(chan struct{}), make(chan struct{})
	defer close(quit)
	go func() { <-before }()
	r := run(configOf(t), func(*Exec) {
		close(before)
		go func() { <-quit }()
	})
	if r.Failure == nil || r.Failure.Kind != Foreign {
		t.Errorf("not found: %v", r)
	}
}
