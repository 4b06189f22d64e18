package pool_test

import (
	"context"
	"fmt"
	"log"
	"time"

	"github.com/rouse-go/rouse/pool"
	"github.com/rouse-go/rouse/pool/record"
)

// A recording says what the workers did. Package picture makes a page of it, or a file for Perfetto.
func ExamplePool_Record() {
	p, err := pool.New(pool.WithWorkers(2))
	if err != nil {
		log.Fatal(err)
	}
	defer p.Close()

	stop, err := p.Record(0) // with room for as many events as is usual
	if err != nil {
		log.Fatal(err)
	}
	_, _ = pool.Run(context.Background(), p, func(w *pool.Worker, _ int) error {
		w.Block(func() { time.Sleep(time.Millisecond) })
		return nil
	}, 0)
	recording := stop()

	for _, e := range recording.Events {
		switch e.Kind {
		case record.EventBegin, record.EventBlock, record.EventGoOn, record.EventEnd:
			fmt.Println("job", e.Job, e.Kind)
		}
	}
	fmt.Println(recording.Dropped, "events dropped")
	// Output:
	// job 1 begin
	// job 1 block
	// job 1 go on
	// job 1 end
	// 0 events dropped
}

// How much faster can it be on more processors? Here each file is joined before the next one is
// forked: more processors are of no use.
func ExamplePool_Measure() {
	compress := func(w *pool.Worker, took time.Duration) int {
		time.Sleep(took)
		return 0
	}
	profile, err := pool.Default().Measure(context.Background(), func(w *pool.Worker) {
		for range 8 {
			pool.Fork(w, compress, 10*time.Millisecond).Join(w)
		}
	})
	if err != nil {
		panic(err)
	}
	fmt.Printf("at least %.0f times as fast, with %d forks\n", profile.Parallelism(), profile.Forks)
	// Output:
	// at least 1 times as fast, with 8 forks
}
