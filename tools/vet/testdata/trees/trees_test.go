package trees

import (
	"testing"

	"github.com/rouse-go/rouse/par"
)

func TestWalk(t *testing.T) {
	var down func(n int)
	down = func(n int) {
		if n > 0 {
			par.For(2, func(int) { down(n - 1) }) // want `the 2 elements of par.For`
		}
	}
	down(3)
}
