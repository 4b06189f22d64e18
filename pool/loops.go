package pool

import "github.com/rouse-go/rouse/api/prim"

// Loops has what you need of a [Worker] to build loops and the like on a pool, as package
// par does: how to notice that others want work, and how to keep nobody waiting for a job
// that takes long. Programs that fork, spawn and submit need none of it.
//
// Like the worker it belongs to the goroutine that runs the job.
type Loops struct{ worker *Worker }

// LoopsOf returns the Loops of the caller's worker. It costs nothing.
func LoopsOf(w *Worker) Loops { return Loops{w} }

// Wanted reports whether somebody wants work that this worker may have. A fork is
// noticed by others only then: so code that could split its work looks first, and forks
// if it must. It costs an atomic load. It is also true while the job is measured.
func (l Loops) Wanted() bool { return l.worker.wanted.Load()&wantForks != 0 || l.worker.probe != nil }

// Publish makes the private forks of the worker's job visible to other workers, as
// [WithEagerPublish] does for every fork of a pool. Call it before work that takes long
// and neither forks nor joins: while that goes on, the job does not notice that another
// worker wants something to do. It costs as much as the publication of so many forks,
// and next to nothing if there are none. In [Worker.Block] it panics.
func (l Loops) Publish() {
	w := l.worker
	if w.state == blocked {
		panic(inBlock)
	}
	w.publishAll()
}

// Recordings show loops by the calls that follow: see [Pool.Record]. Without a recording they cost
// an atomic load.

// BeginLoop tells a recording of the pool, if there is one, that the job begins a loop of n
// elements, whose body has its code at that address. It returns a number for BeginPiece and the
// others, or 0 if there is no recording: then do not call them.
func (l Loops) BeginLoop(code uintptr, n int) (loop uint32) {
	if r := l.worker.pool.recorder.Load(); r != nil {
		loop = lastLoop.Add(1)
		r.job(l.worker, raw{kind: EventLoop, code: code, loop: loop, b: n})
	}
	return loop
}

// EndLoop tells that the loop has ended. The job is the one that has begun it.
func (l Loops) EndLoop(loop uint32) { l.recordPiece(EventLoopEnd, loop, 0, 0) }

// BeginPiece tells that the job begins with the elements lo to hi-1 of the loop, and
// then does one after the other, while others may take some of the last ones.
func (l Loops) BeginPiece(loop uint32, lo, hi int) { l.recordPiece(EventPiece, loop, lo, hi) }

// EndPiece tells that the job has done the elements lo to hi-1 of the loop, for the piece that it
// began last. hi is 0 if one has failed. It need not be called when a Goexit ends the job.
func (l Loops) EndPiece(loop uint32, lo, hi int) { l.recordPiece(EventPieceEnd, loop, lo, hi) }

// lastLoop tells loops apart: one may go on from one recording to the next.
var lastLoop prim.ReportNumber

func (l Loops) recordPiece(k EventKind, loop uint32, lo, hi int) {
	if r := l.worker.pool.recorder.Load(); r != nil {
		r.job(l.worker, raw{kind: k, loop: loop, a: lo, b: hi})
	}
}

// Notes that say which calls were short, for packages like par that build loops on a pool.
// They are guesses: of two that are written to the same place at the same time, one is lost.

// Brief reports whether the last two calls with the key were short, as far as [Pool.Note]
// was told. It costs some nanoseconds.
func (p *Pool) Brief(key uint64) bool {
	all := p.notes.Load()
	if all == nil {
		return false
	}
	key = noteKey(key)
	set, first := all.set(key), key>>2
	for i := range uint64(len(set)) {
		if set[(first+i)%uint64(len(set))].Load() == key|briefs {
			return true
		}
	}
	return false
}

// Note says whether a call with the key was short. Two in a row make it brief, and one that
// was not ends that. A pool has room for about a thousand keys; new ones push some of them
// out. It writes only if the note changes, and allocates the room, 8 KB, when the first
// call was short.
func (p *Pool) Note(key uint64, short bool) {
	all := p.notes.Load()
	if all == nil {
		if !short {
			return
		}
		p.notes.CompareAndSwap(nil, new(notes))
		all = p.notes.Load()
	}
	key = noteKey(key)
	set, first := all.set(key), key>>2
	at := &set[first%uint64(len(set))]
	for i := range uint64(len(set)) {
		place := &set[(first+i)%uint64(len(set))]
		switch old := place.Load(); {
		case old&^3 == key:
			now := key
			if short {
				now |= min(old&3+1, briefs)
			}
			if now != old {
				place.Store(now)
			}
			return
		case old == 0 && at.Load() != 0:
			at = place
		}
	}
	if short {
		at.Store(key | 1)
	}
}

// briefs is how many short calls in a row make the next one brief. The lower two bits of a
// note count them.
const briefs = 2

// notes has the keys in sets, each of a cache line, by their upper bits. In place of its
// lower bits a key has the count.
type notes [128][8]prim.Uint64

func (n *notes) set(key uint64) *[8]prim.Uint64 { return &n[key>>57] }

// noteKey spreads the bits of a key, and makes room for a count. It is not 0.
func noteKey(key uint64) uint64 { return key*0x9e3779b97f4a7c15&^3 | 4 }
