package public

import (
	"testing"

	"github.com/puzpuzpuz/xsync/v4"

	"github.com/rouse-go/rouse/explore"
)

// In xsync 4.5.0 a Clear beside another one can return before anything is cleared.
func TestXsyncClear(t *testing.T) {
	fault(t, "Load finds 1", func(x *explore.Exec) {
		m := xsync.NewMap[int, int]()
		m.Store(1, 1)
		done := make(chan bool)
		go func() { m.Clear(); done <- true }()
		m.Clear()
		if v, ok := m.Load(1); ok {
			x.Errorf("Load finds %d after Clear", v)
		}
		<-done
	})
}

// Stats reads the link to a bucket plainly that a Store beside it writes. Of 450 keys in 128
// buckets of five some bucket has six: hashes are the same in each run.
func TestXsyncStats(t *testing.T) {
	fault(t, "data race: bucketPadded.next#", func(*explore.Exec) {
		m := xsync.NewMap[int, int](xsync.WithPresize(128 * 3))
		done := make(chan bool)
		go func() {
			for k := range 450 {
				m.Store(k, k)
			}
			done <- true
		}()
		m.Stats()
		<-done
	}, explore.MaxSteps(1_000_000))
}

// One of two stores, and the other one gets what it stored.
func TestXsyncLoadOrStore(t *testing.T) {
	explore.Test(t, func(t *testing.T) {
		m := xsync.NewMap[int, int]()
		type result struct {
			v   int
			was bool
		}
		results := make(chan result, 2)
		for i := range 2 {
			go func() {
				v, was := m.LoadOrStore(1, i)
				results <- result{v, was}
			}()
		}
		if a, b := <-results, <-results; a.was == b.was || a.v != b.v {
			t.Errorf("TestXsyncLoadOrStore: %v %v", a, b)
		}
	})
}

// A Store that a LoadAndDelete does not return is there after it.
func TestXsyncLoadAndDelete(t *testing.T) {
	explore.Test(t, func(t *testing.T) {
		m := xsync.NewMap[int, int]()
		m.Store(1, 1)
		deleted := make(chan int)
		go func() { v, _ := m.LoadAndDelete(1); deleted <- v }()
		m.Store(1, 2)
		d := <-deleted
		v, _ := m.Load(1)
		if d == 1 && v != 2 || d == 2 && v != 0 {
			t.Errorf("TestXsyncLoadAndDelete: %d is deleted, %d is left", d, v)
		}
	})
}

// Compute adds, and no addition is lost.
func TestXsyncCompute(t *testing.T) {
	explore.Test(t, func(t *testing.T) {
		m := xsync.NewMap[int, int]()
		add := func() {
			m.Compute(1, func(old int, _ bool) (int, xsync.ComputeOp) { return old + 1, xsync.UpdateOp })
		}
		done := make(chan bool)
		for range 2 {
			go func() { add(); done <- true }()
		}
		add()
		<-done
		<-done
		if v, _ := m.Load(1); v != 3 || m.Size() != 1 {
			t.Errorf("TestXsyncCompute: %d, of %d entries", v, m.Size())
		}
	})
}

// What is put in comes out, once. A TryEnqueue may fail beside another one, though there is
// room: what is documented is what true means.
func TestXsyncMPMCQueue(t *testing.T) {
	explore.Test(t, func(t *testing.T) {
		q := xsync.NewMPMCQueue[int](2)
		put := make(chan int)
		got := make(chan int)
		try := func(i int) int {
			if q.TryEnqueue(i) {
				return i
			}
			return 0
		}
		go func() { put <- try(1) }()
		go func() { v, _ := q.TryDequeue(); got <- v }()
		in := try(2)
		in += <-put
		out := <-got
		explore.Possible(t, in < 3, "a TryEnqueue fails")
		explore.Possible(t, out == 1, "the first is taken beside the second")
		for v, ok := q.TryDequeue(); ok; v, ok = q.TryDequeue() {
			out += v
		}
		if in == 0 || in != out {
			t.Errorf("TestXsyncMPMCQueue: %d in, %d out", in, out)
		}
	})
}

func TestXsyncSPSCQueue(t *testing.T) {
	explore.Test(t, func(t *testing.T) {
		q := xsync.NewSPSCQueue[int](1)
		put := make(chan int)
		go func() {
			n := 0
			for n < 2 && q.TryEnqueue(n+1) {
				n++
			}
			put <- n
		}()
		n := 0
		next := func() bool {
			v, ok := q.TryDequeue()
			if ok {
				n++
			}
			if ok && v != n {
				t.Errorf("TestXsyncSPSCQueue: %d is the %dth", v, n)
			}
			return ok
		}
		next()
		next()
		in := <-put
		explore.Possible(t, in == 2, "both fit")
		for next() {
		}
		if n != in {
			t.Errorf("TestXsyncSPSCQueue: %d in, %d out", in, n)
		}
	})
}

// Dequeue waits for what is on its way. The first value makes both segments, of 4096 places.
func TestXsyncUMPSCQueue(t *testing.T) {
	explore.Test(t, func(t *testing.T) {
		q := xsync.NewUMPSCQueue[int]()
		q.Enqueue(0)
		go q.Enqueue(1)
		q.Enqueue(2)
		if first, a, b := q.Dequeue(), q.Dequeue(), q.Dequeue(); first != 0 || a+b != 3 {
			t.Errorf("TestXsyncUMPSCQueue: %v %v %v", first, a, b)
		}
	})
}

// What is added is counted, whatever stripes the random numbers choose.
func TestXsyncCounter(t *testing.T) {
	explore.Test(t, func(t *testing.T) {
		c := xsync.NewCounter()
		done := make(chan bool)
		go func() { c.Inc(); done <- true }()
		c.Add(2)
		during := c.Value()
		<-done
		explore.Possible(t, during == 2, "the other has not come")
		explore.Possible(t, during == 3, "the other has come")
		if after := c.Value(); after != 3 {
			t.Errorf("TestXsyncCounter: %d", after)
		}
	})
}

// A writer is alone, and readers that come by the fast path see what it has written.
func TestXsyncRBMutex(t *testing.T) {
	explore.Test(t, func(t *testing.T) {
		mu := xsync.NewRBMutex()
		n := 0
		done := make(chan bool)
		read := func() {
			token := mu.RLock()
			explore.Possible(t, token != nil, "the fast path")
			explore.Possible(t, token == nil, "the slow path")
			if n != 0 && n != 2 {
				t.Errorf("TestXsyncRBMutex: %d", n)
			}
			mu.RUnlock(token)
			done <- true
		}
		go read()
		go read()
		mu.Lock()
		n++
		n++
		mu.Unlock()
		<-done
		<-done
	})
}

// TryLock and TryRLock refuse one of two, or come one after the other.
func TestXsyncRBMutexTry(t *testing.T) {
	explore.Test(t, func(t *testing.T) {
		mu := xsync.NewRBMutex()
		n := 0
		done := make(chan bool)
		go func() {
			if mu.TryLock() {
				n++
				mu.Unlock()
			} else {
				explore.Possible(t, true, "the writer is refused")
			}
			done <- true
		}()
		if ok, token := mu.TryRLock(); ok {
			explore.Possible(t, n == 1, "it comes after the writer")
			if n > 1 {
				t.Errorf("TestXsyncRBMutexTry: %d", n)
			}
			mu.RUnlock(token)
		} else {
			explore.Possible(t, true, "the reader is refused")
		}
		<-done
	})
}
