package results

import (
	"fmt"
	"strings"

	"github.com/rouse-go/rouse/lab/bench"
	"github.com/rouse-go/rouse/tools/columns"
)

// rivals are those that a reader knows, and the fastest there is.
var rivals = []string{bench.SequentialName, "goroutine", "rayon", anyPeer}

// level is how far from the same time still counts as the same.
const level = 1.05

// writeGlance appends where the pool and par stand, workload by workload, with the most
// workers. At rest there is nothing to be fast at, and what has a table of its own would be
// many rows that say the same.
func (r *Report) writeGlance(b *strings.Builder, width int) {
	header := []any{"", "time"}
	for _, rival := range rivals {
		header = append(header, "vs "+rival)
	}
	t, most := columns.New(1, header...), 0
	scores := map[string]map[string]int{}
	for _, w := range r.workloads {
		mine := w.ours()
		if mine == nil || mine.judged <= 0 || w.Name == "rest" || w.ownTable() {
			continue
		}
		cells, compared := []any{w.Name, nanos(mine.judged) + " / " + w.Unit}, false
		for _, rival := range rivals {
			other := w.fastest(mine.Workers, rival)
			if other == nil {
				cells = append(cells, "")
				continue
			}
			compared = true
			text, standing := versus(other.judged / mine.judged)
			if rival != other.Implementation {
				text = other.Implementation + ", " + text
			}
			cells = append(cells, text)
			if scores[rival] == nil {
				scores[rival] = map[string]int{}
			}
			scores[rival][standing]++
		}
		if compared {
			t.Row(cells...)
		}
		if w.Name != crowd {
			most = max(most, mine.Workers)
		}
	}
	if t.Len() == 0 {
		return
	}
	fmt.Fprintf(b, "\nat a glance: the pool and par on their defaults with %s, against others with as many\n", plural(most, "worker"))
	for _, rival := range rivals {
		if s := scores[rival]; s != nil {
			fmt.Fprintf(b, "  %-13s ahead in %d of %s, level (within 5 %%) in %d, behind in %d\n", rival+":",
				s["ahead"], plural(s["ahead"]+s["level"]+s["behind"], "workload"), s["level"], s["behind"])
		}
	}
	fmt.Fprintf(b, "\n%s\n", t.Fit(width))
}

// crowd is the workload that has more workers than any other.
const crowd = "fib-64"

// versus says in words that a rival takes so many times as long.
func versus(times float64) (text, standing string) {
	switch {
	case times > level:
		return columns.Times(times) + " faster", "ahead"
	case times < 1/level:
		return columns.Times(1/times) + " slower", "behind"
	}
	return "level", "level"
}
