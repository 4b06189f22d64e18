package forms

//lint:file-ignore ST1001 A form that must be rewritten.

import (
	"fmt"
	. "runtime"
	. "sync/atomic"
)

// Dots waits for a goroutine by functions of packages whose names it does not say.
func Dots() string {
	var n int32
	go AddInt32(&n, 1)
	for give := Gosched; LoadInt32(&n) == 0; give() {
		Gosched()
	}
	return fmt.Sprint(n)
}
