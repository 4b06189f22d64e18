// Package synctest is a twin of package testing/synctest, for rewritten code: in an execution, all of
// it is the bubble.
package synctest

import (
	"testing"
	rt "testing/synctest"

	"github.com/rouse-go/rouse/explore/drive"
	"github.com/rouse-go/rouse/explore/twin/time"
)

// Test lets time move only when all threads wait.
func Test(t *testing.T, f func(*testing.T)) {
	if !drive.Driven() {
		rt.Test(t, f)
		return
	}
	time.Bubble()
	f(t)
	time.Sleep(1000 * time.Hour) // the others come before
}

// Wait returns when no other thread can go on.
func Wait() {
	if !drive.Driven() {
		rt.Wait()
		return
	}
	drive.AwaitLast(drive.OpYield, nil, nil)
}
