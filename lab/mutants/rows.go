package mutants

import (
	"cmp"
	"slices"
	"strings"
)

// Mutants returns all of them, part by part.
func Mutants() []Mutant {
	all := slices.Concat(
		sleepRows, latchRows, dequeRows, poolRows, holeRows, leaveRows, unseenRows, practicalRows, ownRows, nameRows,
		parRows, measureRows, crewRows, parListRows, parStreamRows, gapRows, stepRows, partRows, smallRows, manyRows, recordRows, exploreRows,
	)
	for i := range all {
		m := &all[i]
		folder, _, _ := strings.Cut(m.Name, "/")
		m.Changes = slices.Clone(m.Changes)
		for i := range m.Changes {
			m.Changes[i].File = cmp.Or(m.Changes[i].File, folder)
		}
	}
	return all
}
