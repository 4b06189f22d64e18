//go:build explore

package time_test

import (
	"fmt"
	"testing"
	rt "time"

	"github.com/rouse-go/rouse/explore/drive"
	"github.com/rouse-go/rouse/explore/internal/planted"
	"github.com/rouse-go/rouse/explore/twin/atomic"
	"github.com/rouse-go/rouse/explore/twin/lang"
	. "github.com/rouse-go/rouse/explore/twin/time"
)

// Sleeps end in the order of their deadlines, however late.
func TestSleep(t *testing.T) {
	planted.Outcomes(t, func() string {
		begun := Now()
		s := make(chan string, 3)
		lang.Go(func() { Sleep(2 * Second); lang.Send(s, "")("2") })
		Sleep(Second)
		lang.Send(s, "")("1")
		Sleep(2 * Second)
		return lang.Recv(s, "") + lang.Recv(s, "") + " " + Since(begun).String()
	}, "12 3s", "12 4s", "12 5s", "21 4s", "21 5s")
}

// A timeout competes with what it limits.
func TestAfter(t *testing.T) {
	planted.Outcomes(t, func() string {
		ch := make(chan int)
		lang.Go(func() { lang.Select(true, lang.OnSend(ch, "")(1)) })
		if lang.Select(false, lang.OnRecv(ch, ""), lang.OnRecv(After(Hour), "")) == 0 {
			return "value"
		}
		return "timeout"
	}, "value", "timeout")
	planted.Outcomes(t, func() string {
		a, b := After(Second), After(2*Second)
		lang.Recv(b, "")
		return fmt.Sprint(lang.Select(true, lang.OnRecv(a, "")) == 0)
	}, "true")
}

// After Stop nothing is received.
func TestStop(t *testing.T) {
	planted.Outcomes(t, func() string {
		timer := NewTimer(Second)
		lang.Gosched()
		stopped := timer.Stop()
		return fmt.Sprint(stopped, lang.Select(true, lang.OnRecv(timer.C, "")) == 0, timer.Stop())
	}, "true false false")
	planted.Outcomes(t, func() string {
		timer := NewTimer(Second)
		received := lang.Select(true, lang.OnRecv(timer.C, "")) == 0
		return fmt.Sprint(received, timer.Reset(Minute), !lang.Recv(timer.C, "").IsZero(), timer.Stop())
	}, "true false true false", "false true true false")
}

// The channel of a timer seems to have no buffer, also when its time has come.
func TestTimerLen(t *testing.T) {
	planted.Outcomes(t, func() string {
		timer, ticker := NewTimer(1), NewTicker(1)
		Sleep(2)
		n := lang.Len(timer.C, "") + lang.Len(ticker.C, "") + lang.Cap(timer.C) + lang.Cap(ticker.C)
		lang.Recv(timer.C, "")
		ticker.Stop()
		return fmt.Sprint(n)
	}, "0")
}

func TestAfterFunc(t *testing.T) {
	planted.Outcomes(t, func() string {
		var ran atomic.Bool
		timer := AfterFunc(Second, func() { ran.Store(true) })
		return fmt.Sprint(timer.Stop() != ran.Load())
	}, "true", "false") // it may have begun, and not have come to the end
}

// A ticker does not go on forever.
func TestTicker(t *testing.T) {
	planted.Outcomes(t, func() string {
		stop, n := make(chan bool), 0
		ticker := NewTicker(Second)
		lang.Go(func() { lang.Close(stop, "") })
		for lang.Select(false, lang.OnRecv(ticker.C, ""), lang.OnRecv(stop, "")) == 0 {
			n++
		}
		ticker.Stop()
		return fmt.Sprint(n < 5)
	}, "true")
	planted.Outcomes(t, func() string {
		begun := Now()
		ticker := NewTicker(Second)
		a, b := lang.Recv(ticker.C, ""), lang.Recv(ticker.C, "")
		ticker.Reset(Hour)
		c := lang.Recv(ticker.C, "")
		return fmt.Sprint(a.Sub(begun), b.Sub(begun), c.Sub(b) >= Hour)
	}, "1s 2s true")
}

// A loop that polls has an end, however short it sleeps, and what it waits for may come late.
func TestLoops(t *testing.T) {
	wait := func(until Duration, sleep func()) func() string {
		return func() string {
			var done atomic.Bool
			lang.Go(func() { Sleep(until); done.Store(true) })
			n := 0
			for ; !done.Load(); n++ {
				sleep()
			}
			return fmt.Sprint(n < 5)
		}
	}
	planted.Outcomes(t, wait(1, func() { Sleep(1) }), "true")
	planted.Outcomes(t, wait(Hour, func() { Sleep(1) }), "true")
	planted.Outcomes(t, wait(1, func() { lang.Recv(After(1), "") }), "true")
	planted.Outcomes(t, wait(Hour, func() { lang.Select(false, lang.OnRecv(After(1), "")) }), "true")
	timer := (*Timer)(nil)
	planted.Outcomes(t, wait(Hour, func() {
		if timer == nil {
			timer = NewTimer(1)
			drive.OnEnd(func() { timer = nil })
		} else {
			timer.Reset(1)
		}
		lang.Recv(timer.C, "")
	}), "true")
}

// Time goes on when threads do nothing but wait for it.
func TestSpin(t *testing.T) {
	for _, d := range []Duration{1, Second, 1000 * Hour} {
		planted.Outcomes(t, func() string {
			begun, done := Now(), make(chan bool, 1)
			lang.Go(func() {
				for Since(begun) < d {
				}
				lang.Send(done, "")(true)
			})
			for deadline := begun.Add(d); Now().Before(deadline); {
			}
			return fmt.Sprint(lang.Recv(done, ""))
		}, "true")
		planted.Outcomes(t, func() string {
			begun := Now()
			var n atomic.Int32
			lang.Go(func() { n.Add(1) })
			for Since(begun) < d {
				lang.Gosched()
			}
			return fmt.Sprint(n.Load())
		}, "1")
		planted.Outcomes(t, func() string {
			begun := Now()
			var n atomic.Int32
			for Since(begun) < d {
				n.Add(1)
			}
			return fmt.Sprint(n.Load() > 5)
		}, "true")
	}
}

// Outside of an execution time is that of the machine.
func TestReal(t *testing.T) {
	begun := rt.Now()
	if d := Since(begun); d < 0 || d > Minute {
		t.Error(d)
	}
	Sleep(1)
	<-After(1)
	timer := NewTimer(Hour)
	if !timer.Stop() || timer.Reset(Hour) || !timer.Stop() {
		t.Error("Timer")
	}
	done := make(chan bool)
	AfterFunc(1, func() { close(done) })
	<-done
	ticker := NewTicker(1)
	<-ticker.C
	ticker.Reset(Hour)
	ticker.Stop()
	if Until(begun) > 0 || Now().Before(begun) {
		t.Error("Until")
	}
}
