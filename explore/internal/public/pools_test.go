package public

import (
	"context"
	"testing"
	"time"

	"github.com/alitto/pond/v2"
	"github.com/jackc/puddle/v2"
	"golang.org/x/time/rate"

	"github.com/rouse-go/rouse/explore"
)

// A Pool of one runs one task at a time, and all of them.
func TestPond(t *testing.T) {
	explore.Test(t, func(t *testing.T) {
		p := pond.NewPool(1)
		n := 0
		a := p.Submit(func() { n++ })
		b := p.Submit(func() { n++ })
		if a.Wait() != nil || b.Wait() != nil || n != 2 {
			t.Errorf("TestPond: %d", n)
		}
		p.StopAndWait()
	})
}

// A task that comes beside StopAndWait has run when that returns, or is refused.
func TestPondStop(t *testing.T) {
	explore.Test(t, func(t *testing.T) {
		p := pond.NewPool(2)
		ran, submitted := false, make(chan error)
		go func() { submitted <- p.Submit(func() { ran = true }).Wait() }()
		p.StopAndWait()
		if err := <-submitted; (err == nil) != ran {
			t.Errorf("TestPondStop: %v %v", err, ran)
		}
		explore.Possible(t, ran, "it runs")
		explore.Possible(t, !ran, "it is refused")
	})
}

func puddles(t *testing.T) *puddle.Pool[int] {
	p, err := puddle.NewPool(&puddle.Config[int]{
		Constructor: func(context.Context) (int, error) { return 1, nil },
		Destructor:  func(int) {},
		MaxSize:     1,
	})
	if err != nil {
		t.Fatalf("TestPuddle: %v", err)
	}
	return p
}

// One at a time has the resource.
func TestPuddle(t *testing.T) {
	explore.Test(t, func(t *testing.T) {
		p, n, done := puddles(t), 0, make(chan bool)
		use := func() {
			r, err := p.Acquire(context.Background())
			if err != nil {
				t.Errorf("TestPuddle: %v", err)
				return
			}
			n++
			r.Release()
		}
		go func() { use(); done <- true }()
		use()
		<-done
		p.Close()
		if n != 2 {
			t.Errorf("TestPuddle: %d", n)
		}
	})
}

// An Acquire that is cancelled loses no resource.
func TestPuddleCancel(t *testing.T) {
	explore.Test(t, func(t *testing.T) {
		p, done := puddles(t), make(chan bool)
		ctx, cancel := context.WithCancel(context.Background())
		go func() {
			if r, err := p.Acquire(ctx); err == nil {
				r.Release()
			}
			done <- true
		}()
		cancel()
		<-done
		r, err := p.Acquire(context.Background())
		if err != nil {
			t.Fatalf("TestPuddleCancel: %v", err)
		}
		r.Release()
		p.Close()
	})
}

// Of two that ask for the one token, one gets it; the next one comes in its time.
func TestRate(t *testing.T) {
	explore.Test(t, func(t *testing.T) {
		l, other := rate.NewLimiter(rate.Every(time.Second), 1), make(chan bool)
		go func() { other <- l.Allow() }()
		a, b := l.Allow(), <-other
		if !a && !b {
			t.Errorf("TestRate: %v %v", a, b)
		}
		explore.Possible(t, a && !b, "the test gets it")
		explore.Possible(t, b && !a, "the other gets it")
		if err := l.Wait(context.Background()); err != nil {
			t.Errorf("TestRate: %v", err)
		}
	})
}
