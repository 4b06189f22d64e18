//go:build explore

package scenarios

// at is the failure of an element.
type at int

func (at) Error() string { return "an element fails" }

func caught(f func()) (v any) {
	defer func() { v = recover() }()
	f()
	return nil
}
