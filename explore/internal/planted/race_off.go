//go:build !race

package planted

// UnderRace says that the race detector is on.
const UnderRace = false
