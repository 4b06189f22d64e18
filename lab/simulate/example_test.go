//go:build explore

package simulate_test

import (
	"fmt"

	"github.com/rouse-go/rouse/api/prim"
	"github.com/rouse-go/rouse/lab/simulate"
)

// shard is one of the words that count together.
type shard struct {
	n prim.Int64
	_ [56]byte // the next one has a line of its own
}

// count lets threads count to 2,000 each, with 50 ns of other work between, in as
// many shards as given.
func count(threads, shards int) {
	all := make([]shard, shards)
	prim.DeclareSlice(all)
	var done prim.WaitGroup
	for i := range threads {
		done.Go(func() {
			simulate.Work(simulate.Millisecond - simulate.Now()) // until all are there
			for range 2000 {
				simulate.Work(50 * simulate.Nanosecond)
				all[i%shards].n.Add(1)
			}
		})
	}
	done.Wait()
}

// A counter that is one word against one that has a shard for each thread, on a
// predicted server. The program knows nothing of Rouse but api/prim, through which
// it synchronizes. Run it with go test -tags explore.
func Example() {
	m, err := simulate.Load("one-socket-64")
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, processors := range []int{1, 8, 64} {
		m.Processors = processors
		for _, shards := range []int{1, processors} {
			r, err := simulate.Run(m, func() { count(processors, shards) })
			if err != nil {
				fmt.Println(err)
				return
			}
			s := r.Sections[0]
			fmt.Printf("%d processors, %d shards: %.3f ms", processors, shards, 1000*(s.Elapsed-simulate.Millisecond).Seconds())
			if len(s.Lines) > 0 {
				fmt.Printf(", hottest is %s with %d misses", s.Lines[0].Name, s.Lines[0].Misses)
			}
			fmt.Println()
		}
	}
	// Output:
	// 1 processors, 1 shards: 0.105 ms
	// 1 processors, 1 shards: 0.105 ms
	// 8 processors, 1 shards: 0.358 ms, hottest is shard.n with 15999 misses
	// 8 processors, 8 shards: 0.107 ms, hottest is undeclared WaitGroup in prim.(*WaitGroup).Go.func1 with 7 misses
	// 64 processors, 1 shards: 4.704 ms, hottest is shard.n with 127999 misses
	// 64 processors, 64 shards: 0.109 ms, hottest is undeclared WaitGroup in prim.(*WaitGroup).Go.func1 with 64 misses
}
