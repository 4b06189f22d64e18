// Package vet finds workers that are used outside their job, parallel loops where you should
// fork, and elements of streams whose memory is reused.
//
// A [pool.Worker] belongs to one job and to the goroutine that runs it. The compiler does
// not check that; [Analyzer] does. It reports a place only if it is wrong in practically
// every program. It follows variables, and functions that the same package hands on, but neither
// interfaces nor fields of structs that outlive a job, so it misses some places.
//
// Calling package par at each node of a tree costs more than most nodes. [Trees] reports
// such calls over few elements. The program is right, but slow.
//
// A stream may read an element after its source has gone on. [Elements] reports elements that
// are overwritten then: the parameter of a Write, and the Bytes of a [bufio.Scanner].
//
// A comment suppresses a report on the next line, or, after code, on its own line:
//
//	//lint:ignore rousetree every leaf takes a second
//
// It names an analyzer and gives a reason. Without a reason it is reported itself.
package vet
