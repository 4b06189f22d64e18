package mutants

import "slices"

// Patches returns all of them, part by part.
func Patches() []Patch {
	return slices.Concat(sleepPatches, latchPatches, dequePatches, poolPatches, leavePatches, unseenPatches, unseenAgainPatches, unseenThirdPatches, unseenFourthPatches, unseenFifthPatches, practicalPatches, ownPatches, parPatches, parListPatches)
}
