package picture

import (
	"cmp"
	_ "embed"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/rouse-go/rouse/pool/record"
)

//go:embed page.html
var pageHTML string

//go:embed page.css
var pageCSS string

//go:embed page.js
var pageJS string

// maxRows is how many lanes of each state without a worker the page has. The trace has all.
const maxRows = 16

// WritePage writes a recording as an HTML page, which needs nothing from elsewhere: a file, or the
// answer of a server. The title may be any text. A page is about as large as the recording. A
// browser can show a hundred thousand events.
func WritePage(w io.Writer, r *record.Recording, title string) error {
	whole := r.Length
	r = fromFirstJob(r)
	t := newTimeline(r)
	t.whole = whole
	data, err := t.data(r)
	if err != nil {
		return err
	}
	answer, others := t.answer(r)
	_, err = strings.NewReplacer(
		"{{title}}", html.EscapeString(cmp.Or(title, "What the pool did")), "{{answer}}", html.EscapeString(answer), "{{others}}", list(others),
		"{{lead}}", html.EscapeString(t.lead(r)),
		"{{when}}", html.EscapeString(t.when(r)), "{{warning}}", warning(r), "{{why}}", t.why(), "{{legend}}", legend(),
		"{{table}}", t.table(r), "{{notes}}", html.EscapeString(t.notes()), "{{data}}", string(data),
		"{{css}}", pageCSS, "{{js}}", pageJS,
	).WriteString(w, pageHTML)
	return err
}

// fromFirstJob returns a recording that begins with the first job, if none ran before: what comes before
// that is nobody's fault.
func fromFirstJob(r *record.Recording) *record.Recording {
	i := slices.IndexFunc(r.Events, func(e record.Event) bool { return e.Job != 0 })
	if i < 0 || r.Events[i].Kind != record.EventBegin && r.Events[i].Kind != record.EventSteal || r.Dropped > 0 && i >= r.First {
		return r
	}
	at := r.Events[i].At
	now := *r
	now.Began, now.Length, now.Events = r.Began.Add(at), r.Length-at, slices.Clone(r.Events)
	for i := range now.Events {
		now.Events[i].At = max(0, now.Events[i].At-at)
	}
	return &now
}

func list(texts []string) string {
	if len(texts) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("<ul class=\"also\">\n")
	for _, text := range texts {
		fmt.Fprintf(&b, "<li>%s</li>\n", html.EscapeString(text))
	}
	b.WriteString("</ul>\n")
	return b.String()
}

// data is what the script shows. JSON of this package has no "<".
func (t *timeline) data(r *record.Recording) ([]byte, error) {
	type row struct {
		Name  string  `json:"name"`
		Spans []int64 `json:"spans"`
	}
	texts, numbers := [][3]string{{}}, map[[3]string]int64{{}: 0}
	var rows []row
	at, seen := map[int]int{}, [states]int{}
	order := make([]int, len(t.lanes))
	for n := range order {
		order[n] = n
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(t.lanes[a].state, t.lanes[b].state) })
	for _, n := range order {
		l := t.lanes[n]
		if n >= r.Workers {
			if seen[l.state]++; seen[l.state] > maxRows {
				continue
			}
		}
		at[n] = len(rows)
		spans := []int64{}
		for _, s := range l.spans {
			text := [3]string{s.name, s.detail, t.where[s.name]}
			number, ok := numbers[text]
			if !ok {
				number = int64(len(texts))
				numbers[text], texts = number, append(texts, text)
			}
			spans = append(spans, int64(s.from), int64(s.to), int64(s.state), int64(s.depth), int64(s.job), number)
		}
		rows = append(rows, row{l.name, spans})
	}
	arrows := [][6]int64{}
	for _, a := range t.arrows { // all are from worker to worker
		steal := int64(0)
		if a.steal {
			steal = 1
		}
		arrows = append(arrows, [6]int64{int64(at[a.from]), int64(at[a.to]), int64(a.leaves), int64(a.arrives), steal, int64(a.job)})
	}
	return json.Marshal(map[string]any{
		"workers": r.Workers, "end": int64(t.end), "gap": [2]int64{int64(t.gapFrom), int64(t.gapTo)}, "states": stateNames, "texts": texts, "lanes": rows, "arrows": arrows,
		"hint": "Point at a span to see what it is. Of a time without work it also says what the others did meanwhile.",
	})
}

// shares are how long a worker was in each state.
func (l *lane) shares() (times [states]time.Duration) {
	for _, s := range l.spans {
		if s.depth == 0 {
			times[s.state] += s.to - s.from
		}
	}
	return times
}

// lead says in a sentence how busy the workers were.
func (t *timeline) lead(r *record.Recording) string {
	var busy, most time.Duration
	least, lazy := t.end+1, 0
	steals := 0
	for n := range r.Workers {
		times := t.lanes[n].shares()
		b := times[own] + times[stolen]
		busy += b
		most = max(most, b)
		if b < least {
			least, lazy = b, n
		}
		steals += t.steals[n]
	}
	was := "were"
	if r.Workers == 1 {
		was = "was"
	}
	text := fmt.Sprintf("%s %s at work for %s of %s", count(r.Workers, "worker"), was,
		percent(busy, t.end*time.Duration(r.Workers)), round(t.end))
	if r.Workers > 1 {
		text += fmt.Sprintf(": the busiest one for %s, the least busy one, worker %d, for %s", percent(most, t.end), lazy, percent(least, t.end))
	}
	text += fmt.Sprintf(". %s, %s.", count(t.jobs, "job"), count(steals, "steal"))
	if r.Processors > 0 && r.Processors < r.Workers {
		text += fmt.Sprintf(" %s: no more workers can compute at the same time, and the others come late.", thereWere(r.Processors, "processor"))
	}
	if r.Usage.CPU > 0 && t.whole > 0 {
		text += fmt.Sprintf(" The process used %.1f processors on average.", float64(r.Usage.CPU)/float64(t.whole))
	}
	return text
}

func (t *timeline) when(r *record.Recording) string {
	return fmt.Sprintf("Recorded from %s on, for %s. %s, %d dropped.", r.Began.Format("2006-01-02 15:04:05.000 MST"),
		round(r.Length), count(len(r.Events), "event"), r.Dropped)
}

func warning(r *record.Recording) string {
	if r.Dropped == 0 {
		return ""
	}
	what := fmt.Sprintf("It shows all of the first %s, of %s, and nothing after that", round(r.FullAfter()), round(r.Length))
	if r.Resumes() < r.Length {
		what = fmt.Sprintf("It shows all of the first %s and of the last %s, of %s, and nothing between. The view begins with the last part; <i>show all</i> has both", round(r.FullAfter()), round(r.Length-r.Resumes()), round(r.Length))
	}
	return fmt.Sprintf("<p class=\"warn\"><strong>The recording is full.</strong> %s. There was room for %s, and %s were dropped. Give Pool.Record a higher limit.</p>\n",
		what, count(r.Limit, "event"), count(int(r.Dropped), "other"))
}

// why says what went on while workers were idle, the most important first.
func (t *timeline) why() string {
	var all time.Duration
	reasons := make([]reason, 0, len(t.idle))
	for why, d := range t.idle {
		all += d
		reasons = append(reasons, why)
	}
	if all == 0 {
		return "<p>No worker was ever idle.</p>\n"
	}
	slices.SortFunc(reasons, func(a, b reason) int {
		return cmp.Or(cmp.Compare(t.idle[b], t.idle[a]), cmp.Compare(a.running, b.running), cmp.Compare(a.fn, b.fn), cmp.Compare(a.forked, b.forked))
	})
	var b strings.Builder
	b.WriteString("<p class=\"soft\">Of the time that workers had no work, this is what went on meanwhile:</p>\n<ul class=\"why\">\n")
	shown := time.Duration(0)
	for i, why := range reasons {
		d := t.idle[why]
		text := t.because(why)
		if i == 5 && len(reasons) > 6 {
			d, text = all-shown, fmt.Sprintf("%d other cases.", len(reasons)-i)
		}
		shown += d
		fmt.Fprintf(&b, "<li><b>%s</b><span class=\"bar\"><i style=\"width:%.1f%%\"></i></span><span>%s</span></li>\n",
			percent(d, all), 100*float64(d)/float64(all), html.EscapeString(text))
		if shown == all {
			break
		}
	}
	b.WriteString("</ul>\n")
	return b.String()
}

// because says in a sentence why workers had no work.
func (t *timeline) because(r reason) string {
	switch {
	case r.waiting:
		return "No job ran: all waited, or were in Block."
	case r.running == 0:
		return "There was no job in the pool."
	case r.running == 1:
		return "Only one job ran, of " + t.whereIs(r.fn) + [...]string{".", ": it forked nothing meanwhile.", ": it had forked, and nobody could see that."}[r.forked]
	case r.fn != "":
		return "Some jobs ran, all of " + t.whereIs(r.fn) + "."
	}
	return "Some jobs ran, of several functions."
}

func legend() string {
	var b strings.Builder
	for _, l := range []struct {
		state state
		text  string
	}{
		{own, "own work"}, {stolen, "stolen work"}, {looking, "looks for work"}, {asleep, "asleep"},
		{piece, "a loop, and its pieces, in a job"}, {aside, "job set aside: it waits for others"}, {blocked, "job in Block"},
		{seatless, "job works without a worker"}, {closed, "ended, or not known"},
	} {
		fmt.Fprintf(&b, "<li><canvas data-state=\"%d\" aria-hidden=\"true\"></canvas>%s</li>\n", l.state, l.text)
	}
	return b.String()
}

// table has a row for each worker.
func (t *timeline) table(r *record.Recording) string {
	var b strings.Builder
	b.WriteString("<table>\n<thead><tr><th scope=\"col\">worker</th><th scope=\"col\">at work</th>")
	for _, h := range []string{"busy", "own work", "stolen work", "looking", "asleep", "steals"} {
		fmt.Fprintf(&b, "<th scope=\"col\" class=\"n\">%s</th>", h)
	}
	b.WriteString("</tr></thead>\n<tbody>\n")
	for n := range r.Workers {
		times := t.lanes[n].shares()
		part := func(d time.Duration) float64 { return 100 * float64(d) / float64(max(t.end, 1)) }
		fmt.Fprintf(&b, "<tr><th scope=\"row\">%d</th><td><span class=\"bar\"><i class=\"own\" style=\"width:%.1f%%\"></i><i class=\"stolen\" style=\"width:%.1f%%\"></i></span></td>",
			n, part(times[own]), part(times[stolen]))
		for _, d := range []time.Duration{times[own] + times[stolen], times[own], times[stolen], times[looking], times[asleep]} {
			fmt.Fprintf(&b, "<td class=\"n\">%s</td>", percent(d, t.end))
		}
		fmt.Fprintf(&b, "<td class=\"n\">%d</td></tr>\n", t.steals[n])
	}
	b.WriteString("</tbody>\n</table>\n")
	return b.String()
}

// notes say how much there was without a worker.
func (t *timeline) notes() string {
	var parts []string
	more := false
	for _, s := range []state{aside, blocked, seatless} {
		if n := t.rows[s]; n > 0 {
			parts = append(parts, fmt.Sprintf("%s: up to %d at once", stateNames[s], n))
			more = more || n > maxRows
		}
	}
	if len(parts) == 0 {
		return "No job was ever without a worker."
	}
	text := "Jobs without a worker: " + strings.Join(parts, "; ") + "."
	if more {
		text += fmt.Sprintf(" The picture has %d lanes for each.", maxRows)
	}
	return text
}

// thereWere begins a sentence.
func thereWere(n int, what string) string {
	if n == 1 {
		return "There was " + count(n, what)
	}
	return "There were " + count(n, what)
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

func percent(d, of time.Duration) string {
	return fmt.Sprintf("%.0f %%", 100*float64(d)/float64(max(of, 1)))
}

// round leaves four digits.
func round(d time.Duration) string {
	switch {
	case d >= time.Second:
		return fmt.Sprintf("%.4g s", d.Seconds())
	case d >= time.Millisecond:
		return fmt.Sprintf("%.4g ms", float64(d)/1e6)
	case d >= time.Microsecond:
		return fmt.Sprintf("%.4g µs", float64(d)/1e3)
	}
	return fmt.Sprintf("%d ns", d)
}

// inShort returns the name of a function without the path of its package.
func inShort(fn string) string { return fn[strings.LastIndexByte(fn, '/')+1:] }
