// Package picture shows recordings of a pool: [record.Recording] has what the workers did,
// [WritePage] makes an HTML page of it, and [WriteTrace] a file of trace events, which Perfetto
// opens (https://ui.perfetto.dev).
//
//	stop, err := p.Record(0)
//	…
//	err = picture.WritePage(file, stop(), "what it was")
//
// Each worker has a lane: what it works at, with the loops of package par and their pieces within;
// when it looks for work, and when it sleeps. Lanes below are of jobs that have no worker: they are
// set aside, because they wait for other jobs; they are in [pool.Worker.Block]; or they work without
// one. Arrows are steals.
//
// Above all that the page says why the program is not faster, in a sentence or two. It knows these
// reasons: too little work; jobs that are too short; one long job at the end; locks; jobs that sleep, or wait
// for a disk; forks that no worker could see; more workers than processors; other programs; and garbage
// collection. Nobody can tell what one job does while it runs, so the processor time and the waits of the whole
// process are held against the time that jobs ran. What other goroutines of the program compute hides waits of
// jobs. The wait for locks is an estimate of the runtime, from one wait in eight, and far off if few
// goroutines wait. What takes less than a tenth of the time is not told.
//
// The functions may be called by any goroutine. Each event costs some microseconds, and up to a
// few hundred bytes. An error of the writer is returned.
package picture
