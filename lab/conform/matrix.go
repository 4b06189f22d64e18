package conform

import (
	"cmp"
	"slices"
	"strconv"
)

// A Matrix says how many checks of each rule were made on each combination.
type Matrix struct {
	// Rules are those of one letter, such as D1 to D9.
	Rules []string
	Rows  []Row
}

// A Row is a combination.
type Row struct {
	Of string
	// Cells are for each rule of the matrix the number of checks, and of
	// those that failed.
	Cells []Cell
}

// A Cell counts checks.
type Cell struct{ Checks, Failed int }

// Matrices returns one matrix for each letter of a rule, in the order of the
// alphabet.
func (r *Report) Matrices() []Matrix {
	var all []Matrix
	for _, letter := range "CDFILPS" {
		m := Matrix{}
		rows := map[string]map[string]Cell{}
		var order []string
		for _, c := range r.Checks {
			if c.Rule[0] != byte(letter) {
				continue
			}
			if rows[c.Of] == nil {
				rows[c.Of] = map[string]Cell{}
				order = append(order, c.Of)
			}
			cell := rows[c.Of][c.Rule]
			cell.Checks++
			if !c.Passed {
				cell.Failed++
			}
			rows[c.Of][c.Rule] = cell
			if !slices.Contains(m.Rules, c.Rule) {
				m.Rules = append(m.Rules, c.Rule)
			}
		}
		if len(order) == 0 {
			continue
		}
		slices.SortFunc(m.Rules, func(a, b string) int { return cmp.Compare(number(a), number(b)) })
		for _, of := range order {
			row := Row{Of: of}
			for _, rule := range m.Rules {
				row.Cells = append(row.Cells, rows[of][rule])
			}
			m.Rows = append(m.Rows, row)
		}
		all = append(all, m)
	}
	return all
}

// number is the number of a rule such as P12.
func number(rule string) int {
	n, _ := strconv.Atoi(rule[1:])
	return n
}
