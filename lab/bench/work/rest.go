package work

import "time"

// Rest has the workers work a little, and then nobody do anything for a while.
func Rest(d time.Duration) *Program {
	p := Fib(20)
	p.Sleeps = Wake(0).Sleeps
	p.Rests = d
	return p
}
