//go:build !explore

package simulate

// Available says whether this build can simulate.
const Available = false

func run(*Machine, func()) (*Report, error) { return nil, ErrUnavailable }
func work(Time)                             {}
func sleep(Time)                            {}
func now() Time                             { return 0 }
func mark(string)                           {}
