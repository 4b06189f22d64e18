package impl

import (
	"context"
	"errors"
	"reflect"
	"testing"

	"github.com/rouse-go/rouse/lab/bench"
	"github.com/rouse-go/rouse/lab/bench/work"
	"github.com/rouse-go/rouse/pool"
)

// Where a program needs the workers asleep, all of them are when it begins: a
// job that is submitted then takes the seat of one, and is not queued. A
// failure means that runs begin with workers that still look for work.
func TestAsleep(t *testing.T) {
	program := &work.Program{Asleep: true, Pool: func(p *pool.Pool) (uint64, error) {
		before := p.Stats()
		h, err := pool.Submit(p, func(*pool.Worker) uint64 { return 1 })
		if err != nil {
			return 0, err
		}
		if now := p.Stats(); now.Injected != before.Injected {
			return 0, errors.New("the job was queued, so somebody is awake")
		}
		return h.Wait(context.Background())
	}}
	for _, i := range pools {
		instance, err := i.Open(new(bench.Workload), program, 40)
		if err != nil {
			t.Fatalf("%s: %v", i.Name, err)
		}
		for range 5 {
			if run, err := instance.Run(); err != nil || run.Answer != 1 {
				t.Errorf("%s: %v, error %v", i.Name, run, err)
			}
		}
		if err := instance.Close(); err != nil {
			t.Errorf("%s: %v", i.Name, err)
		}
	}
}

// The pool does not say which sleep backend it has by default, and the bench
// must ask that one. A failure means that the default has changed, and that
// defaultSleep must follow.
func TestDefaultSleep(t *testing.T) {
	for _, workers := range []int{1, 2, 64, 256} {
		p, err := pool.New(pool.WithWorkers(workers))
		if err != nil {
			t.Fatal(err)
		}
		is := reflect.ValueOf(p).Elem().FieldByName("sleep").Elem().Type()
		if err := p.Close(); err != nil {
			t.Fatal(err)
		}
		if s, err := defaultSleep(workers); err != nil || is != reflect.TypeOf(s) {
			t.Errorf("%d workers: the pool's default is %v, the bench measures %T, error %v", workers, is, s, err)
		}
	}
}
