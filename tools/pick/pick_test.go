package pick_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/tools/pick"
)

// A name picks one thing or a family. A failure means that a user measures
// something else than what was asked for.
func TestNamed(t *testing.T) {
	for _, test := range []struct {
		picked, want string
	}{
		{"", "fib fib-large fill-flat-64 fill-flat-256 fill-tree-64"},
		{"fib", "fib"}, // not its family, since it is there
		{"fill-tree-64 fib", "fib fill-tree-64"},
		{"fill", "fill-flat-64 fill-flat-256 fill-tree-64"},
		{"fill-flat", "fill-flat-64 fill-flat-256"},
	} {
		known := strings.Fields("fib fib-large fill-flat-64 fill-flat-256 fill-tree-64")
		got, err := pick.Named("workload", known, func(s string) string { return s }, strings.Fields(test.picked))
		if err != nil || !slices.Equal(got, strings.Fields(test.want)) {
			t.Errorf("%q picks %q, error %v; want %q", test.picked, got, err, test.want)
		}
	}
	for _, unknown := range []string{"fil", "fill-", "large", "fill-flat-6"} {
		got, err := pick.Named("workload", []string{"fib-large", "fill-flat-64"}, func(s string) string { return s }, []string{unknown})
		if err == nil || err.Error() != `unknown workload "`+unknown+`"; there are: fib-large, fill-flat-64` {
			t.Errorf("%q picks %q, error %v", unknown, got, err)
		}
	}
}
