//go:build race

package deque_test

import (
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/api"
)

// twoOwnersEnv names the deque on which the test binary, run anew, plays two
// owners.
const twoOwnersEnv = "DEQUE_TEST_TWO_OWNERS"

// D9: two owners corrupt a deque silently, so the race detector must see them,
// even if they come one after the other, and even though the second has looked
// at the deque before.
func TestTwoOwnersAreReported(t *testing.T) {
	if spec := os.Getenv(twoOwnersEnv); spec != "" {
		playTwoOwners(spec)
		return
	}
	for name := range impls {
		for first := range ownerTurns {
			for second := range ownerTurns {
				spec := name + " " + first + " " + second
				t.Run(strings.ReplaceAll(spec, " ", "/"), func(t *testing.T) {
					t.Parallel()
					cmd := exec.Command(os.Args[0], "-test.run=^TestTwoOwnersAreReported$")
					cmd.Env = append(os.Environ(), twoOwnersEnv+"="+spec)
					out, err := cmd.CombinedOutput()
					if err == nil || !strings.Contains(string(out), "DATA RACE") {
						t.Errorf("D9: a %s of one owner and a %s of another were not reported (%v)", first, second, err)
					}
				})
			}
		}
	}
}

// ownerTurns are what an owner may do last, or first.
var ownerTurns = map[string]func(d api.Deque[int]){
	"push":     func(d api.Deque[int]) { d.Push(new(int)) },
	"pop":      func(d api.Deque[int]) { d.Pop() },
	"pop-last": func(d api.Deque[int]) { d.Steal(); d.Steal(); d.Pop() },
}

func playTwoOwners(spec string) {
	f := strings.Fields(spec)
	d := impls[f[0]]()
	for range 3 {
		d.Push(new(int))
	}
	first := make(chan struct{})
	go func() {
		ownerTurns[f[1]](d)
		unseen(func() { close(first) })
	}()
	unseen(func() { <-first })
	d.Len()
	ownerTurns[f[2]](d)
}

// unseen calls fn, whose synchronization the race detector does not see: the
// second owner comes after the first one, and only the atomics of the deque say so.
func unseen(fn func()) {
	runtime.RaceDisable()
	defer runtime.RaceEnable()
	fn()
}
