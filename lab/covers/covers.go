// Package covers says which tests of this repository show the bugs of others'
// pools, schedulers and deques if this repository should have them too, and
// which stand for the tests that those have.
//
// The tests are written anew. Where a test of theirs can have no equivalent
// here, the reason is given. The command lab conform lists all of it, and
// fails if a test that is named here did not run or did not pass.
package covers

import "strings"

// A Cover says what covers a bug or a test of someone else's.
type Cover struct {
	// Source is a project with the number of an issue or pull request, or
	// with the name of a test.
	Source string
	// About is what went wrong there, or what is tested; "" if there is a Reason.
	About string
	// By are the tests that cover it: their names as go test prints them,
	// after that of their package and a dot, as in
	// "conformance/scenarios.TestLatch/latch=core/reuse_after_set".
	By []string
	// Reason, if there is no such test, is why there can be none.
	Reason string
}

// packages are the import paths that the names in By begin with. Those in
// conformance are the public suite's, scenarios are run with the build tag explore,
// and those in pool are the pool's own.
var packages = map[string]string{
	"pool":                  "github.com/rouse-go/rouse/pool",
	"conformance":           "github.com/rouse-go/rouse/conformance",
	"conformance/scenarios": "github.com/rouse-go/rouse/conformance/scenarios",
	"lab/scenarios":         "github.com/rouse-go/rouse/lab/scenarios",
}

// Split returns the import path of the package and the name of a test in By.
// ok is false if there is no such package.
func Split(by string) (path, test string, ok bool) {
	pkg, test, _ := strings.Cut(by, ".")
	path, ok = packages[pkg]
	return path, test, ok
}

// by returns the names with a prefix.
func by(prefix string, names ...string) []string {
	all := make([]string, len(names))
	for i, n := range names {
		all[i] = prefix + n
	}
	return all
}

// suite returns names of the suite's tests of the pool as it comes.
func suite(names ...string) []string {
	return by("conformance.TestPool/publish=demand/", names...)
}

// own returns names of the pool's own tests.
func own(names ...string) []string { return by("pool.", names...) }

// explored returns names of scenarios of a pool, on a backend whose jobs event
// counter wraps all the time.
func explored(names ...string) []string {
	return by("lab/scenarios.TestPool/sleep=jec/deque=chaselev/", names...)
}

// played returns names of programs of the model of waiting, played on a pool.
func played(names ...string) []string {
	return by("lab/scenarios.TestPrograms/sleep=futex/", names...)
}

// queued returns names of scenarios of a pool whose backend lends no seats, so
// that all jobs from outside are queued.
func queued(names ...string) []string {
	return by("lab/scenarios.TestPoolWithoutLender/", names...)
}

// deques returns names of scenarios of the Chase-Lev deque.
func deques(names ...string) []string {
	return by("conformance/scenarios.TestDeque/deque=chaselev/", names...)
}
