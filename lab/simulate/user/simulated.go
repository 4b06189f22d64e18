//go:build explore

package user

import "github.com/rouse-go/rouse/lab/simulate"

// Own stands for the code around it, which takes about so long when it runs.
func Own(d simulate.Time) { simulate.Work(d) }

// Busy stands for work of the user that takes so long.
func Busy(d simulate.Time) { simulate.Work(d) }

// Rest does nothing for so long, and needs no processor meanwhile.
func Rest(d simulate.Time) { simulate.Sleep(d) }
