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
// one. Arrows are steals. The page also says why workers had no work.
//
// The functions may be called by any goroutine. Each event costs some microseconds, and up to a
// few hundred bytes. An error of the writer is returned.
package picture
