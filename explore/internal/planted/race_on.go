//go:build race

package planted

// UnderRace says that the race detector is on: it reports the data races that tests have by
// purpose, unless the explorer has ended the execution before.
const UnderRace = true
