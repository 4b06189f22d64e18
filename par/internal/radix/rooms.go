package radix

import "sync"

// rooms has counts for sorts by one goroutine: those of a wide digit and all narrow ones after it. They cannot be on its
// stack, since a List is an interface. To allocate some for each of a few thousand elements took a third of the time of
// a million strings.
var rooms = sync.Pool{New: func() any { return new([2 << wide]int) }}
