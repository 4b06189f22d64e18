//go:build explore

package lang_test

import (
	"bytes"
	"fmt"
	"log"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/rouse-go/rouse/explore"
	"github.com/rouse-go/rouse/explore/internal/planted"
	driven "github.com/rouse-go/rouse/explore/twin/atomic"
	. "github.com/rouse-go/rouse/explore/twin/lang"
	"github.com/rouse-go/rouse/explore/twin/time"
)

func TestHandOver(t *testing.T) {
	planted.Outcomes(t, func() string {
		ch := make(chan int)
		Go(func() { Send(ch, "")(1) })
		Go(func() { Send(ch, "")(2) })
		return fmt.Sprint(Recv(ch, ""), Recv(ch, ""))
	}, "1 2", "2 1")
}

// To give way is not to wait for the others, but a loop that does so lets them come.
func TestGosched(t *testing.T) {
	planted.Outcomes(t, func() string {
		var x driven.Int32
		Go(func() { x.Store(1); Gosched(); x.Store(2) })
		Gosched()
		return fmt.Sprint(x.Load())
	}, "0", "1", "2")
	planted.Outcomes(t, func() string {
		var x driven.Int32
		Go(func() { x.Store(1) })
		for x.Load() == 0 {
			Gosched()
		}
		return ""
	}, "")
}

// A select with a default meets a thread that waits, in some executions.
func TestDefaultMeetsPartner(t *testing.T) {
	planted.Outcomes(t, func() string {
		ch := make(chan int)
		done := make(chan bool, 1)
		Go(func() { done2 := Recv(ch, ""); Send(done, "")(done2 == 1) })
		k := OnSend(ch, "")(1)
		if Select(true, k) == 1 {
			Close(ch, "")
			return fmt.Sprint("default ", Recv(done, ""))
		}
		return fmt.Sprint("sent ", Recv(done, ""))
	}, "default false", "sent true")
}

// Of two selects that meet, one has waited, and so had no other case.
func TestSelectsMeet(t *testing.T) {
	meet := func(begin func(func())) func() string {
		return func() string {
			ch, stop := make(chan int), make(chan int)
			begin(func() { Close(stop, "") })
			Go(func() { Select(false, OnSend(ch, "")(1), OnRecv(stop, "")) })
			return fmt.Sprint(Select(false, OnRecv(ch, ""), OnRecv(stop, "")) == 0)
		}
	}
	planted.Outcomes(t, meet(Go), "false", "true")
	planted.Outcomes(t, meet(func(f func()) { f() }), "false")
}

func TestSelectChooses(t *testing.T) {
	planted.Outcomes(t, func() string {
		a, b := make(chan int, 1), make(chan string, 1)
		Send(a, "")(1)
		Send(b, "")("x")
		ka, kb := OnRecv(a, ""), OnRecv(b, "")
		switch Select(false, ka, kb) {
		case 0:
			return fmt.Sprint(ka.Value())
		}
		return kb.Value()
	}, "1", "x")
}

func TestSelectWaits(t *testing.T) {
	planted.Outcomes(t, func() string {
		a, b := make(chan int), make(chan string)
		Go(func() { Send(a, "")(1) })
		Go(func() { Close(b, "") })
		ka, kb := OnRecv(a, ""), OnRecv(b, "")
		switch Select(false, ka, kb) {
		case 0:
			return fmt.Sprint(ka.Value2())
		}
		Recv(a, "")
		return fmt.Sprint(kb.Value2())
	}, "1 true", "false")
}

// A buffer of one keeps its order, and a third send waits.
func TestBuffered(t *testing.T) {
	planted.Outcomes(t, func() string {
		ch := make(chan int, 1)
		Go(func() {
			for i := range 3 {
				Send(ch, "")(i)
			}
			Close(ch, "")
		})
		s := ""
		for r, v := Range1(ch, ""); r.Next(&v); {
			s += fmt.Sprint(v)
		}
		return s
	}, "012")
}

func TestLen(t *testing.T) {
	planted.Outcomes(t, func() string {
		ch := make(chan int, 2)
		Go(func() { Send(ch, "")(1); Send(ch, "")(1) })
		return fmt.Sprint(Len(ch, ""))
	}, "0", "1", "2")
}

func TestNil(t *testing.T) {
	planted.Fails(t, "deadlock", func() { Recv((chan int)(nil), "") })
	planted.Fails(t, "deadlock", func() { Send((chan int)(nil), "")(1) })
	planted.Fails(t, "deadlock", func() { Select(false, OnRecv((chan int)(nil), "")) })
	planted.Fails(t, "close of nil channel", func() { Close((chan int)(nil), "") })
	planted.Outcomes(t, func() string {
		return fmt.Sprint(Select(true, OnRecv((chan int)(nil), "")), Len((chan int)(nil), ""))
	}, "1 0")
}

func TestClosed(t *testing.T) {
	planted.Fails(t, "close of closed channel", func() {
		ch := make(chan int)
		Close(ch, "")
		Close(ch, "")
	})
	planted.Fails(t, "send on closed channel", func() {
		ch := make(chan int)
		Go(func() { Close(ch, "") })
		Send(ch, "")(1)
	})
}

func TestDeadlock(t *testing.T) {
	planted.Fails(t, "deadlock", func() {
		a, b := make(chan int), make(chan int)
		Go(func() { Send(a, "")(1); Recv(b, "") })
		Send(b, "")(1)
		Recv(a, "")
	})
}

// What comes from outside of the execution is received, as is an end.
func TestOutside(t *testing.T) {
	ch := make(chan int, 1)
	ch <- 7
	end := make(chan int)
	close(end)
	planted.Outcomes(t, func() string {
		s := "none"
		if k := OnRecv(ch, ""); Select(true, k) == 0 {
			s = fmt.Sprint(k.Value())
			Send(ch, "")(7)
		}
		_, ok := Recv2(end, "")
		return fmt.Sprint(s, ok)
	}, "7false")
}

// looks has another thread see the channel, so that there is more than one order.
func looks[T any](ch chan T) { Go(func() { Len(ch, "") }) }

// A send is before its receive, and a receive before the send that takes its place.
func TestOrders(t *testing.T) {
	for size := range 3 {
		var x int
		publish := func() {
			ch := make(chan bool, size)
			looks(ch)
			Go(func() { *Write(&x, "x") = 1; Send(ch, "")(true) })
			Recv(ch, "")
			*Write(&x, "x") = 2
		}
		planted.Passes(t, publish)
		place := func(n int) func() {
			return func() {
				ch := make(chan bool, size)
				looks(ch)
				Go(func() { *Write(&x, "x") = 1; Recv(ch, "") })
				for range n {
					Send(ch, "")(true)
				}
				*Write(&x, "x") = 2
			}
		}
		planted.Passes(t, place(size+1))
		if size > 0 {
			planted.Fails(t, "data race", place(size))
		}
		closes := func() {
			ch := make(chan bool, size)
			looks(ch)
			Go(func() { *Write(&x, "x") = 1; Close(ch, "") })
			Recv(ch, "")
			*Write(&x, "x") = 2
		}
		planted.Passes(t, closes)
	}
	planted.Fails(t, "data race", func() {
		var x int
		Go(func() { *Write(&x, "x") = 1 })
		*Read(&x, "x") = 0
	})
}

// What a form of access reads and writes, and when.
func TestPlain(t *testing.T) {
	for name, c := range map[string]struct {
		racy bool
		f    func(xs []int, m map[int]int)
	}{
		"copy to":        {true, func(xs []int, m map[int]int) { Copy(xs, make([]int, 2), "", "") }},
		"copy from":      {true, func(xs []int, m map[int]int) { Copy(make([]int, 2), xs, "", "") }},
		"copy of less":   {false, func(xs []int, m map[int]int) { Copy(xs, make([]int, 1), "", "") }},
		"append":         {true, func(xs []int, m map[int]int) { Append(xs[:1], "")(1) }},
		"append, grown":  {true, func(xs []int, m map[int]int) { Append(xs, "")(1, 2, 3) }},
		"append beyond":  {false, func(xs []int, m map[int]int) { Append(xs, "")(1) }},
		"append nothing": {false, func(xs []int, m map[int]int) { Append(xs[:1], "")() }},
		"clear":          {true, func(xs []int, m map[int]int) { ClearSlice(xs, "") }},
		"first":          {false, func(xs []int, m map[int]int) { ReadFirst(1, xs, "") }},
		"range": {true, func(xs []int, m map[int]int) {
			for r := RangeSlice(xs, ""); r.More(); {
			}
		}},
		"range, begun": {false, func(xs []int, m map[int]int) { RangeSlice(xs, "").More() }},
		"map":          {true, func(xs []int, m map[int]int) { ReadMap(m, "") }},
		"map set":      {true, func(xs []int, m map[int]int) { SetMap(m, "")(1)(1) }},
		"delete":       {true, func(xs []int, m map[int]int) { Delete(m, "")(1) }},
		"not deleted":  {false, func(xs []int, m map[int]int) { Delete(m, "") }},
		"range of map": {true, func(xs []int, m map[int]int) { RangeMap(m, "").More() }},
		"then": {true, func(xs []int, m map[int]int) {
			xs[1] = Then(1)(At(&xs[1], ""))
		}},
		"wrote": {true, func(xs []int, m map[int]int) {
			xs[0], xs[1] = Wrote2(1, 2)(At(&xs[0], ""), At(&xs[1], ""))
		}},
	} {
		f := func() {
			xs, m := make([]int, 2, 3), map[int]int{1: 1}
			ch := make(chan bool, 1)
			looks(ch)
			Go(func() {
				Write(&xs[1], "x")
				WriteMap(m, "m")[2] = 2
				Send(ch, "")(true)
			})
			c.f(xs, m)
			Recv(ch, "")
		}
		t.Run(name, func(t *testing.T) {
			if c.racy {
				planted.Fails(t, "data race", f)
			} else {
				planted.Passes(t, f)
			}
		})
	}
}

// Random numbers are those of a thread, and the same in each execution.
func TestRandom(t *testing.T) {
	numbers := make(map[string]bool)
	random, below := Random(func() int64 { return -1 }), RandomBelow(func(n uint32) uint32 { return n })
	planted.Passes(t, func() {
		drawn := make(chan int64)
		looks(drawn)
		Go(func() { Send(drawn, "")(random()) })
		a, b := random(), random()
		c := Recv(drawn, "")
		if a < 0 || b < 0 || c < 0 || a == b || a == c || b == c {
			t.Error(a, b, c)
		}
		numbers[fmt.Sprint(a, b, c)] = true
		for range 10 {
			if n := below(3); n > 2 {
				t.Error(n)
			}
		}
	})
	if len(numbers) != 1 {
		t.Error(numbers)
	}
	if random() != -1 || below(3) != 3 {
		t.Error("what is real is not called")
	}
}

// Goroutines that were started before the exploration wait for its end, at their next operation,
// or in the one that they are in.
func TestOutsider(t *testing.T) {
	begun, end, ended := make(chan bool), make(chan bool), make(chan bool)
	tick := make(chan bool, 1)
	var woken atomic.Bool
	Go(func() { Recv(tick, ""); woken.Store(true); Close(end, "") })
	var rounds atomic.Int32
	Go(func() {
		close(begun)
		for open := true; open; rounds.Add(1) {
			select {
			case <-end:
				open = false
			default:
				Gosched()
			}
		}
		time.AfterFunc(0, func() { Close(ended, "") })
	})
	<-begun
	planted.Passes(t, func() {
		ch := make(chan int)
		before := rounds.Load()
		Go(func() { Send(ch, "")(1) })
		Go(func() { Send(ch, "")(2) })
		select {
		case tick <- true:
		default:
		}
		for range 10 {
			runtime.Gosched()
		}
		if woken.Load() {
			t.Error("woken beside the execution")
		}
		if Recv(ch, "")+Recv(ch, "") != 3 || rounds.Load() > before+1 {
			t.Errorf("%d rounds beside the execution", rounds.Load()-before)
		}
	})
	<-ended
}

// What would end the process fails the execution. Outside, it ends the process.
func TestExit(t *testing.T) {
	const outside = "EXPLORE_TEST_EXIT"
	var b bytes.Buffer
	l := log.New(&b, "logged at ", log.Lshortfile)
	if os.Getenv(outside) != "" {
		l.SetOutput(os.Stdout)
		Logs(l).Fatalln("outside")
	}
	planted.Fails(t, "panics: os.Exit(3)", func() { Go(func() { Exit(3) }) })
	planted.Fails(t, "panics: Logger.Fatalf: number 1", func() { Logs(l).Fatalf("number %d", 1) })
	if s := b.String(); !strings.HasPrefix(s, "logged at lang_test.go:") || !strings.HasSuffix(s, ": number 1\n") {
		t.Errorf("%q", s)
	}
	cmd := exec.Command(os.Args[0], "-test.run=^TestExit$")
	cmd.Env = append(os.Environ(), outside+"=1")
	out, err := cmd.Output()
	if cmd.ProcessState.ExitCode() != 1 || !strings.HasPrefix(string(out), "logged at lang_test.go:") || !strings.Contains(string(out), ": outside\n") {
		t.Errorf("%v: %s", err, out)
	}
}

// Outside of an execution everything is the real thing.
func TestReal(t *testing.T) {
	ch, ack := make(chan any), make(chan int, 1)
	Go(func() {
		Send(ch, "")(nil)
		Send(ch, "")("x")
		Close(ch, "")
	})
	var all []any
	for r := Range(ch, ""); r.More(); {
		all = append(all, r.V)
	}
	if fmt.Sprint(all) != "[<nil> x]" {
		t.Error(all)
	}
	ks, kr := OnSend(ack, "")(3), OnRecv(ch, "")
	for i := 0; i != 0 || i == 0 && Len(ack, "") == 0; {
		i = Select(false, kr, ks)
		if i == 0 {
			if _, ok := kr.Value2(); ok {
				t.Error("received from a closed channel")
			}
			i = 0
		} else {
			break
		}
	}
	if v, ok := Recv2(ack, ""); v != 3 || !ok {
		t.Error(v, ok)
	}
	if i := Select(true, OnRecv(ack, ""), OnRecv((chan int)(nil), "")); i != 2 {
		t.Error(i)
	}
}

// A line that writes, again and again, what is there already is traced as fast as any.
func TestPlainLoop(t *testing.T) {
	f := explore.Explore(func(*explore.Exec) {
		s := make([]int, 12_000)
		done := make(chan bool)
		Go(func() { Close(done, "done") })
		for i := range s {
			*Write(&s[i], "s[i]") = 0
		}
		Recv(done, "done")
		panic("the end")
	}).Failure
	if f == nil || f.Kind != explore.Panicked {
		t.Error(f)
	}
}
