package pool_test

import (
	"os"
	"runtime"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/pool"
)

// A program must not go on as if nothing had happened when a job has panicked and nobody
// is told: it ends, and prints the value and where the panic was raised.
func TestUnseenPanicEndsProgram(t *testing.T) {
	for _, c := range []struct {
		name string
		run  func(p *pool.Pool)
	}{
		{"Go", func(p *pool.Pool) { pool.Go(p, func(*pool.Worker) { raiseUnseen() }) }},
		{"dropped", func(p *pool.Pool) {
			for range 10 { // one may be kept by a register
				pool.Submit(p, func(*pool.Worker) int { return raiseUnseen() })
			}
			for {
				runtime.GC()
			}
		}},
		{"closed", func(p *pool.Pool) {
			h, _ := pool.Submit(p, func(*pool.Worker) int { return raiseUnseen() })
			p.Close()
			runtime.KeepAlive(h)
			t.Error("P21: Close has returned")
		}},
		{"handler", func(p *pool.Pool) {
			handled, _ := pool.New(pool.WithWorkers(1), pool.WithPanicHandler(func(e *pool.PanicError) { panic(e.Value) }))
			pool.Go(handled, func(*pool.Worker) { raiseUnseen() })
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if os.Getenv(inChild) == t.Name() {
				during(t, "P21", "a panic that nobody is told of ends the program", func() {
					c.run(newPool(t, pool.WithWorkers(1)))
					<-make(chan bool)
				})
				return
			}
			out := child(t)
			for _, want := range []string{"panic: ", "unseen value", "goroutine "} {
				if !strings.Contains(out, want) {
					t.Errorf("P21: the program ends without %q:\n%s", want, out)
				}
			}
			if c.name != "handler" && !strings.Contains(out, "raiseUnseen") {
				t.Errorf("P21: the program does not say where the panic was raised:\n%s", out)
			}
		})
	}
}

//go:noinline
func raiseUnseen() int { panic("unseen value") }

func TestGoRefuses(t *testing.T) {
	p := newPool(t, pool.WithWorkers(1))
	if v := recovered(func() { pool.Go(p, nil) }); v == nil {
		t.Error("P29: Go: a nil function is accepted")
	}
	p.Close()
	if err := pool.Go(p, func(*pool.Worker) { t.Error("P6: a refused job runs") }); err != pool.ErrClosed {
		t.Errorf("P6: Go on a closed pool returned %v, want ErrClosed", err)
	}
}
