package par_test

import (
	"context"
	"reflect"
	"runtime"
	"sync"
	"testing"
	"testing/synctest"
	"time"
	"weak"

	"github.com/rouse-go/rouse/par"
	"github.com/rouse-go/rouse/pool"
)

// An element may keep its context and use it when it has returned, on any goroutine: while the
// call goes on, and when it is over. The context ends with the call at the latest, although
// the caller's goes on, and what was made from it ends, too. In a bubble, a goroutine that is
// left over fails the test.
func TestContextKept(t *testing.T) {
	for _, workers := range []int{2, 5} {
		inBubble(t, workers, func(t *testing.T, p *pool.Pool) {
			for _, limit := range []int{0, 1, 7} {
				opts := []par.Option{par.On(p)}
				if limit > 0 {
					opts = append(opts, par.WithLimit(limit))
				}
				outer, end := context.WithCancel(context.WithValue(background, keyOfTest{}, "value"))
				var over sync.WaitGroup // all that elements have left behind
				var mu sync.Mutex
				var kept []context.Context
				const n = 20
				err := par.ForErr(outer, n, func(ctx context.Context, i int) error {
					child, cancel := context.WithCancel(ctx)
					timed, stop := context.WithTimeout(ctx, time.Hour)
					mu.Lock()
					kept = append(kept, ctx, child, timed)
					mu.Unlock()
					over.Go(func() { // it asks now and then
						defer cancel()
						for asked := 0; ctx.Err() == nil; asked++ {
							if asked > 10_000 {
								t.Error("F4: the context of an element goes on when the call is over")
								return
							}
							if ctx.Value(keyOfTest{}) != "value" {
								t.Error("F3: a context that is kept has lost its values")
							}
							time.Sleep(time.Millisecond)
						}
					})
					over.Go(func() { // it waits
						defer stop()
						<-timed.Done()
						<-child.Done()
						<-ctx.Done()
					})
					over.Go(func() { // it comes late, maybe when all is over
						time.Sleep(time.Duration(i) * 20 * time.Millisecond)
						for _, after := range []func(func()) func() bool{
							func(f func()) func() bool { return context.AfterFunc(ctx, f) },
							ctx.(interface {
								AfterFunc(f func()) (stop func() bool)
							}).AfterFunc, // what package context calls, if the context has not ended when it asks first
						} {
							called := make(chan bool)
							after(func() { close(called) })
							<-called
						}
						late, cancel := context.WithCancel(ctx)
						defer cancel()
						if late.Err() != context.Canceled {
							t.Errorf("F4: the context of an element has ended, and what is made from it has the error %v", late.Err())
						}
					})
					time.Sleep(10 * time.Millisecond)
					return nil
				}, opts...)
				if err != nil {
					t.Errorf("F3: all elements have run, and ForErr with limit %d returned %v", limit, err)
				}
				for _, ctx := range kept {
					if _, deadline := ctx.Deadline(); !deadline && ctx.Err() != context.Canceled { // a timeout's goroutine may not have run yet
						t.Errorf("F4: ForErr with limit %d on %d workers is over, and a context of an element has the error %v", limit, workers, ctx.Err())
					}
				}
				synctest.Wait()
				for _, ctx := range kept {
					if ctx.Err() == nil {
						t.Errorf("F4: ForErr with limit %d on %d workers is over, and what an element has made from its context goes on", limit, workers)
					}
				}
				if outer.Err() != nil {
					t.Errorf("F4: the caller's context has ended with the call: %v", outer.Err())
				}
				over.Wait()
				end()
			}
		})
	}
}

// When the call is over, the caller's context, which may live for long, keeps nothing of it: no
// context of an element, and no function that was to be called at its end.
func TestContextForgotten(t *testing.T) {
	outer, end := context.WithCancel(background)
	defer end()
	p := newPool(t, pool.WithWorkers(2))
	var mu sync.Mutex
	var contexts []weak.Pointer[byte]
	var told []weak.Pointer[[64]byte]
	const n = 10
	par.ForErr(outer, n, func(ctx context.Context, _ int) error {
		x := new([64]byte)
		context.AfterFunc(ctx, func() { runtime.KeepAlive(x) })
		mu.Lock()
		contexts = append(contexts, weak.Make((*byte)(reflect.ValueOf(ctx).UnsafePointer())))
		told = append(told, weak.Make(x))
		mu.Unlock()
		return nil
	}, par.On(p))
	kept := func() (n int) {
		for i := range told {
			if contexts[i].Value() != nil || told[i].Value() != nil {
				n++
			}
		}
		return n
	}
	for range 100 { // a function that was called may be about to return
		runtime.GC()
		if kept() == 0 {
			break
		}
		runtime.Gosched()
	}
	if len(told) != n || kept() != 0 {
		t.Errorf("F4: ForErr is over, the caller's context goes on, and of %d elements %d have a context that is kept, or a function for its end", len(told), kept())
	}
	runtime.KeepAlive(outer)
}
