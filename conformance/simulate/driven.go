//go:build explore

package simulate

func run(*Machine, func()) (*Report, error) { return nil, errSkeleton }
func work(Time)                             {}
func now() Time                             { return 0 }
func mark(string)                           {}
