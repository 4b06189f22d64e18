package harness

import (
	"time"

	"go.uber.org/goleak"
)

// GoroutinesNow stands for all goroutines that there are.
func GoroutinesNow() (now goleak.Option) {
	readStacks(func() { now = goleak.IgnoreCurrent() })
	return now
}

// finds are how often goleak looks. Each time it gives up after half a second, in which it wakes up
// twenty times: so many wakings show that the process gets processors, which no clock shows. More
// would look as if nothing went on.
const finds = 3

// GoroutinesSince returns an error that shows the goroutines that were started
// since and do not end.
func GoroutinesSince(before goleak.Option) (err error) {
	for range finds {
		readStacks(func() { err = goleak.Find(before) })
		if err == nil {
			break
		}
	}
	return err
}

// readStacks calls a function of goleak again while it panics because it
// cannot read the stack of a goroutine. It cannot if there are more than a
// hundred frames, and a goroutine that leaves as many by runtime.Goexit has
// them to its very end.
func readStacks(look func()) {
	for range 1000 {
		if !Panics(look) {
			return
		}
		time.Sleep(time.Millisecond)
	}
	look()
}
