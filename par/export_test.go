package par

// Where operations begin to do something else, or a block of theirs ends.
const (
	OrderedAlone = orderedAlone
	ChunkLeast   = chunkLeast
	ClassBlock   = classBlock
	RadixAlone   = radixAlone
	SampleMost   = sampleMost
	SamplesMost  = samplesMost
	StepsMost    = stepsMost
	RadixBlock   = radixBlock
	FirstRing    = firstRing
)

// ReportAlways has progress reported as often as somebody looks, until restore is called.
func ReportAlways() (restore func()) {
	every := reportEvery
	reportEvery = 0
	return func() { reportEvery = every }
}

// Made returns how many values there are, or may be again.
func (s *Scratch[T]) Made() int {
	if made := s.made.Load(); made != nil {
		return len(*made)
	}
	return 0
}
