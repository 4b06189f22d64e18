package par

import (
	"context"
	"iter"

	"github.com/rouse-go/rouse/pool/loops"
)

// MapSeq returns a sequence of the results of f for the elements of in, in their order.
// Several calls of f may run at the same time, also while the source and the consumer, the
// loop over the sequence, do something else. They must not wait for each other. The sequence
// may be used as often as the source. A nil ctx panics.
//
// # Source and window
//
// The source runs on the consumer's goroutine, and not while f or the loop do something else
// there. A result that is ready is yielded before the source is asked for more; one that gets
// ready while the source is busy is yielded after that, for a sequence cannot interrupt its
// source. So a source that waits keeps results back: of events each result comes with the next
// one, and a source that waits for the loop, as a crawler does for links, may wait forever.
// [WithLiveSource] is for these.
//
// The source is ahead of the consumer by at most the window: so many elements have been taken
// from it whose results were not yielded, the one that the consumer is at included. [WithWindow]
// sets that. By default it is 4 elements for each worker of the pool if f takes longer than 20 µs;
// and more, up to 256 for each worker, if f is shorter, or as long as fewer than one for each worker
// wait to be begun, since the first one takes longer than the others. Results do not depend on it.
// Elements that the source has handed over do not wait for the source: workers do them meanwhile.
// Where none is free, the consumer's goroutine does them, before or after.
//
// # Whose memory an element is
//
// f may be called when the source has gone on, and a result may wait for those before it. So an
// element, and all that it refers to, must not change until its result has been yielded, or the loop
// is over. A [bufio.Scanner] overwrites its Bytes at the next Scan: yield its Text, or
// [bytes.Clone] of them. A result is the consumer's: f must not return memory that it uses again,
// as that of a [Scratch]. The command rouse-vet finds elements that are overwritten.
//
// # Errors and contexts
//
// The first element, in the order of the input, for which f returns an error is yielded as
// that error, with the zero R, and is the last one. Calls for elements above that have not
// begun by then do not begin. If ctx ends, the first element for which f has not begun is yielded
// as an error that is both ctx's error and its cause. If it has ended before, that error is all
// that is yielded, and the source is not asked.
//
// The context that f is handed ends with ctx, and when an element below has failed: nobody wants
// f's result then. Calls below return what they would without the failure. It also ends when the
// loop is over, so use a result that needs it, as the body of an HTTP response does, in the loop.
// Several elements may share one, and those that the consumer does have ctx itself.
//
// # The end of the loop
//
// The consumer may break: the contexts of calls that run end, these are waited for, and nothing of
// the sequence runs any more. That holds for each end of the loop, by a panic of the source or of
// the consumer, too. A panic of f leaves the loop over the sequence at the element's place in
// the order, with its value, and so does [runtime.Goexit]. It passes through the source.
// After a panic of the source, results that were not yielded are lost.
//
// # Which goroutine does the elements
//
// Workers that are free do the elements. So does the consumer, with the first one whose result is
// not there: when the source has ended, when no worker is free, and, of elements that take less than
// 20 µs, when the window is full. So a use waits for no worker to become free, a lock may be held over it,
// and there may be one call of f more than workers. It waits, in a job without its seat, for calls that have begun.
//
// If elements are cheap, the consumer's goroutine does everything, and no element is taken ahead, until
// they have taken 20 µs all together, and half a microsecond on average. A use begins so if the last two
// with f were short: they took less than 100 µs, or half a microsecond for each element.
//
// With [WithLimit] it is different: n goroutines of the sequence do the elements, from the first
// one on, and neither workers nor the consumer. That is for elements that wait.
//
// No element holds others up, as the documentation of the package says, but where the window is
// set, and so small that it does; and where elements get long after many short ones. The consumer
// times few of these: after the first 128 each second one, after thousands each 64th, and each
// seventeenth if the last two uses with f were short. It does up to so many long ones by
// itself, and 1.3 ms more if workers came before and found too little to do.
//
// # Cost
//
// An element costs some dozens of nanoseconds if the consumer's goroutine does it, and hundreds of
// nanoseconds if a worker does. A use allocates some words, and room for the window when
// workers come to help. [WithProgress] counts the results that the consumer is done with; nobody
// knows how many there will be, so total is -1 until the source has ended and all are yielded.
func MapSeq[T, R any](ctx context.Context, in iter.Seq[T], f func(context.Context, T) (R, error), opts ...Option) iter.Seq2[R, error] {
	refuse("MapSeq", 0, in == nil || f == nil)
	mustContext("MapSeq", ctx)
	c := configured(codeOf(f), opts).uncounted()
	c.ctx = ctx
	return func(yield func(R, error) bool) {
		if ctx.Err() != nil {
			var none R
			yield(none, endOf(ctx))
			return
		}
		if c.live {
			runLive(c, in, f, yield)
			return
		}
		s := &stream[T, R]{config: c, f: f, handover: handover[R]{yield: yield}}
		if w := loops.Measured(); w != nil && s.limit == 0 {
			s.fan = loops.NewFan(w)
			defer s.fan.Close()
			s.fan.Resume()
		}
		s.start()
		defer s.end()
		for x := range in {
			if !s.take(x) {
				return
			}
		}
		if s.settle(true) {
			s.finish()
		}
	}
}
