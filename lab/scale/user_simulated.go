//go:build explore

package scale

import "github.com/rouse-go/rouse/lab/simulate"

// own stands for the code around it, which takes about so long when it runs.
func own(d simulate.Time) { simulate.Work(d) }

// busy stands for work of the user that takes so long.
func busy(d simulate.Time) { simulate.Work(d) }

// rest does nothing for so long, and needs no processor meanwhile.
func rest(d simulate.Time) { simulate.Sleep(d) }
