//go:build explore

package explore

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// A table of threads is as wide as widest, if it can be: with the eight places by which go test
// moves it in, that is a hundred.
const widest = 92

// least is how far apart columns are, at least.
const least = 4

// most is how many lines a table has, at most: the last ones. A page has all.
const most = 400

// table has a line for each step: where it is, and, in the thread's column, what. Only one thread
// has something to say in a line, so columns may be narrower than what is in them.
func table(threads []string, steps []Step) string {
	if k := len(steps) - most; k > 0 {
		steps = append([]Step{remark("(%s not shown)", plural(k, "operation"))}, steps[k:]...)
	}
	length := utf8.RuneCountInString
	wide := make([]int, len(threads)) // what is in each column, and 0 if nothing is
	place, marks := 0, false
	for _, s := range steps {
		place, marks = max(place, length(s.Place)), marks || s.Marked
		if s.Thread >= 0 {
			wide[s.Thread] = max(wide[s.Thread], length(s.What))
		}
	}
	var columns []int // threads
	for i, w := range wide {
		if w > 0 {
			columns = append(columns, i)
		}
	}
	first := place + 2
	if marks {
		first += 2
	}
	at, narrow := offsets(columns, threads, wide, first)
	var b strings.Builder
	line := func(mark, place string) int {
		n := b.Len()
		if marks {
			fmt.Fprintf(&b, "%-2s", mark)
		}
		fmt.Fprintf(&b, "%s%s", place, strings.Repeat(" ", max(0, first-length(b.String()[n:])-length(place))))
		return n
	}
	title := func(i int) string { return threads[i] }
	if narrow {
		title = func(i int) string { return strings.Fields(threads[i])[0] }
		b.WriteString(legend(columns, threads))
	}
	if len(columns) > 0 {
		n := line("", "")
		for _, i := range columns {
			fmt.Fprintf(&b, "%s%s", strings.Repeat(" ", max(0, at[i]-length(b.String()[n:]))), title(i))
		}
		b.WriteByte('\n')
	}
	for _, s := range steps {
		if s.Thread < 0 {
			line("", "")
			b.WriteString(s.What + "\n")
			continue
		}
		mark := ""
		if s.Marked {
			mark = "✗"
		}
		n := line(mark, s.Place)
		for _, i := range columns {
			pad := max(0, at[i]-length(b.String()[n:]))
			b.WriteString(strings.Repeat(" ", pad))
			if i == s.Thread {
				break
			}
			b.WriteString("│")
		}
		b.WriteString(s.What + "\n")
	}
	lines := strings.Split(b.String(), "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return strings.Join(lines, "\n")
}

// legend says what the threads are called, in lines.
func legend(columns []int, threads []string) string {
	var b strings.Builder
	line := "threads:"
	for k, i := range columns {
		s := " " + threads[i]
		if k < len(columns)-1 {
			s += ","
		}
		if utf8.RuneCountInString(line+s) > widest {
			b.WriteString(line + "\n")
			line = "        "
		}
		line += s
	}
	return b.String() + line + "\n"
}

func remark(format string, args ...any) Step {
	return Step{Thread: -1, What: fmt.Sprintf(format, args...)}
}

// offsets returns where the column of each thread begins, and whether they are too near to each
// other for the threads' names.
func offsets(columns []int, threads []string, wide []int, first int) (at []int, narrow bool) {
	at = make([]int, len(threads))
	next := first
	for _, i := range columns {
		at[i] = next
		next += max(wide[i], utf8.RuneCountInString(threads[i])) + 2
	}
	if next-2 <= widest {
		return at, false
	}
	apart := widest
	for k, i := range columns {
		if k > 0 {
			apart = min(apart, (widest-first-wide[i])/k)
		}
	}
	apart = max(apart, least)
	for k, i := range columns {
		at[i] = first + k*apart
		narrow = narrow || utf8.RuneCountInString(threads[i])+2 > apart
	}
	return at, narrow
}
