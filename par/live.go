package par

import (
	"context"
	"iter"
	"math"

	"github.com/rouse-go/rouse/api/prim"
	"github.com/rouse-go/rouse/pool"
	"github.com/rouse-go/rouse/pool/loops"
)

// A live sequence is one use of a sequence of MapSeq whose source has a goroutine of its own,
// which is the feeder. The consumer does the element at the head if nobody has begun it. Else
// it waits for the one that does it, or for the source.
type live[T, R any] struct {
	stream[T, R]
	// reader is where the consumer waits.
	reader bell
	// ends says that the source has ended.
	//
	// Writers: the source's goroutine, after the last element.
	// Readers: the consumer, which then looks for elements once more.
	// Pairs:   with at of the reader: see bell.
	ends prim.Bool
	gone prim.WaitGroup // the source's goroutine
	// returned says that the source has ended by returning, and value what it has panicked
	// with otherwise. The consumer reads them when the goroutine is gone.
	returned bool
	value    *pool.PanicError
}

// runLive yields the results of the source's elements.
func runLive[T, R any](c config, in iter.Seq[T], f func(context.Context, T) (R, error), yield func(R, error) bool) {
	l := &live[T, R]{stream: stream[T, R]{config: c, f: f}}
	l.yield, l.deliver, l.broke = yield, l.drain, endAs
	l.hasEnded = func(i int64) { l.reader.ringFor(i + 1) } // the consumer may wait for the element
	l.start()
	all := l.consume(in)
	if !l.returned {
		endAs(l.value)
	}
	if all {
		l.finish()
	}
}

// consume reports whether all was yielded. However it ends, the source has ended by then.
func (l *live[T, R]) consume(in iter.Seq[T]) (all bool) {
	defer l.stop()
	l.gone.Go(func() { l.source(in) })
	for l.drain() {
		head := l.head.Load()
		ends := l.ends.Load()
		switch c, state := l.first(head); {
		case state == cellReady && l.limit == 0:
			l.own(c)
		case state == cellEmpty && ends:
			return true
		case state < cellDone:
			l.await(head)
		}
	}
	return false
}

// await waits until the element at the head has come or has been done, or the source has ended.
func (l *live[T, R]) await(head int64) {
	l.reader.wait(head+1, false, func() bool {
		_, state := l.first(head)
		return state >= cellDone || state == cellReady && l.limit == 0 || state == cellEmpty && l.ends.Load()
	}, l.block)
}

// stop ends the stream, and waits for the source's current step.
func (l *live[T, R]) stop() {
	l.failed.Store(-1)
	l.endAbove(-1)
	l.feeder.ring()
	l.block(l.gone.Wait)
	l.end()
}

// source is the feeder's goroutine.
func (l *live[T, R]) source(in iter.Seq[T]) {
	defer func() {
		if !l.returned {
			l.value = loops.Caught(recover())
		}
		l.ends.Store(true)
		l.reader.ring()
	}()
	for x := range in {
		if !l.feed(x) {
			break
		}
	}
	l.returned = true
}

// feed puts an element into the ring, and waits for room for one more. It reports whether to
// go on. A consumer that waits for the element does it. With a limit it is woken, too: somebody may have
// ended the element before it was taken, and the consumer has not found it then.
func (l *live[T, R]) feed(x T) bool {
	l.put(x)
	waits := l.reader.ringFor(l.tail)
	if l.limit > 0 || !waits && l.worthwhile() {
		l.ask(l.limit > 0)
	}
	for {
		head, failed := l.head.Load(), l.failed.Load()
		switch {
		case failed < 0:
			return false
		case failed == math.MaxInt64 && l.room(head):
			return true
		}
		l.feeder.wait(head+1, l.set == 0, func() bool {
			return l.failed.Load() < 0 || l.head.Load() > head || l.stretches(head)
		}, func(wait func()) { wait() })
	}
}
