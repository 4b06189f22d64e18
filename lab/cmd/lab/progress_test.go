package main

import "testing"

// A line of the display must fit, or each time it is drawn it is a new one.
func TestShorten(t *testing.T) {
	for _, test := range []struct {
		text string
		n    int
		want string
	}{
		{"fib", 3, "fib"}, {"fib rouse 2", 20, "fib rouse 2"}, {"fib rouse 2", 7, "fib ro…"}, {"30µs 300µs", 5, "30µs…"},
	} {
		if got := shorten(test.text, test.n); got != test.want {
			t.Errorf("shorten(%q, %d) is %q, want %q", test.text, test.n, got, test.want)
		}
	}
}
