//go:build !race

package conformance

// raceEnabled says that the race detector makes everything slow.
const raceEnabled = false
