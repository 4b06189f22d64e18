package workers

import "github.com/rouse-go/rouse/pool"

// What golangci-lint is to leave out, rouse-vet reports: only that linter reads the comment.
func leftOut(w *pool.Worker, t *tree) {
	pool.Fork(w, sum, t) //nolint:rouse // nobody needs the result // want `the fork is never joined`
}
