// Program conc shows two faults of github.com/sourcegraph/conc 0.3.0.
//
// Pool.Go blocks forever: it starts a goroutine, and then sends it the task. A second Go may
// send that goroutine its own task first. If that one panics, the goroutine ends, and nobody
// receives the task of the first Go: the program hangs instead of panicking in Wait.
//
// Stream.Go blocks although the pool has no limit: the queue of callbacks then has room for one,
// so the third task starts only when the first one has ended.
package main

import (
	"fmt"
	"os"
	"sync"
	"time"

	"github.com/sourcegraph/conc/pool"
	"github.com/sourcegraph/conc/stream"
)

const (
	tries  = 200_000
	hanged = 5 * time.Second
)

func main() {
	bad := false
	for n := range tries {
		if hangs(callsOfGo) {
			fmt.Printf("Pool.Go hangs in try %d of %d\n", n+1, tries)
			bad = true
			break
		}
	}
	if hangs(threeTasks) {
		fmt.Println("Stream.Go hangs with the third task, which the first one waits for")
		bad = true
	}
	if bad {
		os.Exit(1)
	}
	fmt.Println("nothing hangs")
}

func hangs(f func()) bool {
	done := make(chan bool)
	go func() { f(); close(done) }()
	select {
	case <-done:
		return false
	case <-time.After(hanged):
		return true
	}
}

func callsOfGo() {
	p := pool.New()
	var wg sync.WaitGroup
	for range 4 {
		wg.Add(1)
		go func() { p.Go(func() { panic("bad") }); wg.Done() }()
	}
	wg.Wait()
	defer func() { _ = recover() }()
	p.Wait()
}

func threeTasks() {
	s := stream.New()
	third := make(chan bool)
	s.Go(func() stream.Callback { <-third; return func() {} })
	s.Go(func() stream.Callback { return func() {} })
	s.Go(func() stream.Callback { close(third); return func() {} })
	s.Wait()
}
