package mutants

import "slices"

// Mutants returns all of them, part by part.
func Mutants() []Mutant {
	return slices.Concat(
		sleepRows, latchRows, dequeRows, poolRows, holeRows,
		leaveRows, unseenRows, unseenAgainRows, unseenThirdRows, unseenFourthRows, unseenFifthRows, practicalRows, ownRows, parRows, crewRows, parListRows, parStreamRows, gapRows, stepRows, partRows, smallRows, manyRows,
	)
}
