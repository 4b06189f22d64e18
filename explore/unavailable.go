//go:build !explore

package explore

const available = false

func run(config, func(*Exec)) Report {
	return Report{Failure: &Failure{Kind: Unavailable, Message: unavailable}}
}
