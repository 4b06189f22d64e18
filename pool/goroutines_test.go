package pool_test

import (
	"fmt"
	"regexp"
	"runtime"
	"strings"
)

// allStacks returns the stacks of all goroutines.
func allStacks() string {
	buf := make([]byte, 1<<20)
	n := runtime.Stack(buf, true)
	for ; n == len(buf) && n < 1<<26; n = runtime.Stack(buf, true) {
		buf = make([]byte, 2*n)
	}
	return string(buf[:n])
}

// stacks returns where the goroutines are that matter: those of the test and of
// the pools. Goroutines that are at the same place are shown once, and of their
// calls only those of this repository.
func stacks() string {
	count, order := make(map[string]int), []string(nil)
	for g := range strings.SplitSeq(allStacks(), "\n\n") {
		if strings.Contains(g, "pool_test.allStacks(") || strings.Contains(g, "pool_test.await(") || strings.Contains(g, "testing.(*T).Run(") {
			continue // it reports, or waits for those that matter
		}
		if g = placeOf(g); g != "" {
			if count[g]++; count[g] == 1 {
				order = append(order, g)
			}
		}
	}
	var s strings.Builder
	for _, g := range order {
		fmt.Fprintf(&s, "%d at %s\n", count[g], g)
	}
	return s.String()
}

var (
	// state is what a goroutine does, with its labels, which stand within the brackets
	// in Go 1.26 and behind them since Go 1.27.
	state = regexp.MustCompile(`^goroutine \d+ (\[.*):\n`)
	frame = regexp.MustCompile(`(?m)^[^\s(]*/rouse/(\S+)\(.*\)\n\t.*/(\w+/\w+\.go:\d+)`)
	// minutes is for how long a goroutine has waited.
	minutes = regexp.MustCompile(`, \d+ minutes`)
)

// placeOf says where a goroutine is whose stack is given, or "" if it is nowhere
// in this repository.
func placeOf(stack string) string {
	head := state.FindStringSubmatch(stack)
	if head == nil {
		return ""
	}
	var s strings.Builder
	for _, f := range frame.FindAllStringSubmatch(stack, -1) {
		// The calls by which package pool spells a number say nothing here.
		if function, line := f[1], f[2]; !strings.HasPrefix(line, "pool/spell.go") && !strings.HasPrefix(line, "pool/watchdog_test.go") {
			fmt.Fprintf(&s, "\t%s  %s\n", function, line)
		}
	}
	if s.Len() == 0 {
		return ""
	}
	return minutes.ReplaceAllString(head[1], "") + "\n" + s.String()
}
