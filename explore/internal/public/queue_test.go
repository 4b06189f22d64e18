package public

import (
	"errors"
	"testing"
	"time"

	"github.com/Workiva/go-datastructures/queue"

	"github.com/rouse-go/rouse/explore"
)

// In go-datastructures 1.1.7 Len is less than nothing beside a Put and a Get.
func TestQueueRingLen(t *testing.T) {
	fault(t, "Len is 18446744073709551615", func(x *explore.Exec) {
		r := queue.NewRingBuffer(2)
		done := make(chan bool)
		go func() { _ = r.Put(1); _, _ = r.Get(); done <- true }()
		if n := r.Len(); n > r.Cap() {
			x.Errorf("Len is %d", n)
		}
		<-done
	})
}

// A ring of one takes two.
func TestQueueRingOfOne(t *testing.T) {
	fault(t, "the second is taken", func(x *explore.Exec) {
		r := queue.NewRingBuffer(1)
		_ = r.Put(1)
		if ok, _ := r.Offer(2); ok {
			x.Errorf("the second is taken")
		}
	})
}

// A ring with room for four refuses the first or the second.
func TestQueueRingOffer(t *testing.T) {
	fault(t, "one is refused", func(x *explore.Exec) {
		r := queue.NewRingBuffer(4)
		offered := make(chan bool)
		go func() { ok, _ := r.Offer(1); offered <- ok }()
		ok, _ := r.Offer(2)
		if was := <-offered; !was || !ok {
			x.Errorf("one is refused")
		}
	})
}

// ExecuteInParallel on an empty queue keeps the lock.
func TestQueueExecuteInParallel(t *testing.T) {
	fault(t, "deadlock", func(*explore.Exec) {
		q := queue.New(1)
		queue.ExecuteInParallel(q, func(any) {})
		q.Len()
	})
}

// What is put comes out, once, though Put and Get wait.
func TestQueueRing(t *testing.T) {
	explore.Test(t, func(t *testing.T) {
		r := queue.NewRingBuffer(2)
		got := make(chan int)
		go func() { _ = r.Put(1) }()
		go func() { v, _ := r.Get(); got <- v.(int) }()
		_ = r.Put(2)
		v, _ := r.Get()
		if a, b := v.(int), <-got; a+b != 3 {
			t.Errorf("TestQueueRing: %v %v", a, b)
		}
	})
}

// A Poll that times out takes nothing; what is put is got or left.
func TestQueuePoll(t *testing.T) {
	explore.Test(t, func(t *testing.T) {
		q := queue.New(1)
		got := make(chan int)
		go func() {
			items, err := q.Poll(2, time.Second)
			explore.Possible(t, err == queue.ErrTimeout, "it times out")
			if err != nil && !errors.Is(err, queue.ErrTimeout) {
				t.Errorf("TestQueuePoll: %v", err)
			}
			got <- len(items)
		}()
		_ = q.Put(1)
		_ = q.Put(2)
		n := <-got
		explore.Possible(t, n == 1, "it gets the first alone")
		if left := len(q.Dispose()); n+left != 2 {
			t.Errorf("TestQueuePoll: %d are got, %d are left", n, left)
		}
	})
}

// Dispose ends a Get that waits.
func TestQueueDispose(t *testing.T) {
	explore.Test(t, func(t *testing.T) {
		q := queue.New(1)
		got := make(chan error)
		go func() { _, err := q.Get(1); got <- err }()
		_ = q.Put(1)
		n := len(q.Dispose())
		if err := <-got; n == 0 && err != nil || n == 1 && err != queue.ErrDisposed {
			t.Errorf("TestQueueDispose: %d are left, and Get says %v", n, err)
		}
	})
}

type item int

func (i item) Compare(other queue.Item) int { return int(i) - int(other.(item)) }

// What is got is not left.
func TestQueuePriority(t *testing.T) {
	explore.Test(t, func(t *testing.T) {
		q := queue.NewPriorityQueue(1, true)
		got := make(chan item)
		go func() { items, _ := q.Get(1); got <- items[0].(item) }()
		_ = q.Put(item(2))
		_ = q.Put(item(1))
		taken := <-got
		if left := q.Peek().(item); taken+left != 3 {
			t.Errorf("TestQueuePriority: %v is taken, %v is left", taken, left)
		}
	})
}
