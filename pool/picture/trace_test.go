package picture_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rouse-go/rouse/api/testrule"
	"github.com/rouse-go/rouse/pool"
	"github.com/rouse-go/rouse/pool/picture"
	"github.com/rouse-go/rouse/pool/record"
)

func TestMain(m *testing.M) { testrule.Main(m) }

// made is a recording of all kinds of events, of two workers, whose moments are known.
func made() *record.Recording {
	ms := func(n float64) time.Duration { return time.Duration(n * float64(time.Millisecond)) }
	return &record.Recording{
		Workers: 2, Processors: 1, Asleep: 2, Length: ms(20), Limit: 100, Began: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC),
		Events: []record.Event{
			{At: ms(1), Kind: record.EventBegin, Worker: 0, Job: 1, Other: record.NoWorker, JobKind: record.JobOfRun, Func: `example.com/a.main</script>"`},
			{At: ms(2), Kind: record.EventPublish, Worker: 0, Job: 1, Count: 1},
			{At: ms(3), Kind: record.EventWake, Worker: 1},
			{At: ms(3.5), Kind: record.EventSteal, Worker: 1, Other: 0, Job: 2},
			{At: ms(4), Kind: record.EventBegin, Worker: 1, Job: 2, Other: 0, JobKind: record.JobForked, Func: "example.com/a.leaf", File: "/src/leaf.go", Line: 12},
			{At: ms(4), Kind: record.EventLoop, Worker: 1, Job: 2, Loop: 1, Hi: 10, Func: "example.com/a.body"},
			{At: ms(4), Kind: record.EventPiece, Worker: 1, Job: 2, Loop: 1, Hi: 10},
			{At: ms(5), Kind: record.EventWait, Worker: 0, Job: 1},
			{At: ms(6), Kind: record.EventLeave, Worker: 0, Job: 1},
			{At: ms(6.5), Kind: record.EventSleep, Worker: 0},
			{At: ms(7), Kind: record.EventPieceEnd, Worker: 1, Job: 2, Loop: 1, Hi: 7},
			{At: ms(8), Kind: record.EventLoopEnd, Worker: 1, Job: 2, Loop: 1},
			{At: ms(9), Kind: record.EventEnd, Worker: 1, Job: 2},
			{At: ms(9), Kind: record.EventGoOn, Worker: record.NoWorker, Job: 1},
			{At: ms(10), Kind: record.EventTake, Worker: 1, Job: 1},
			{At: ms(11), Kind: record.EventLeave, Worker: 1, Job: 1},
			{At: ms(11), Kind: record.EventBlock, Worker: record.NoWorker, Job: 1},
			{At: ms(11), Kind: record.EventSleep, Worker: 1},
			{At: ms(13), Kind: record.EventGoOn, Worker: record.NoWorker, Job: 1},
			{At: ms(13), Kind: record.EventSeatless, Worker: record.NoWorker, Job: 1},
			{At: ms(14), Kind: record.EventBegin, Worker: record.NoWorker, Job: 3, Parent: 1, Other: record.NoWorker, JobKind: record.JobOfRun, Func: "example.com/a.inner"},
			{At: ms(15), Kind: record.EventEnd, Worker: record.NoWorker, Job: 3, Failed: true},
			{At: ms(16), Kind: record.EventEnd, Worker: record.NoWorker, Job: 1},
			{At: ms(18), Kind: record.EventClose, Worker: 1},
		},
	}
}

// ran is a recording of a pool that was at work.
func ran(t *testing.T, limit int) *record.Recording {
	p, err := pool.New(pool.WithWorkers(4), pool.WithEagerPublish())
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	stop, err := p.Record(limit)
	if err != nil {
		t.Fatal(err)
	}
	var tree func(w *pool.Worker, n int) int
	tree = func(w *pool.Worker, n int) int {
		if n == 0 {
			w.Block(func() {})
			return 1
		}
		a, b := pool.Invoke(w, tree, n-1, tree, n-1)
		return a + b
	}
	for range 3 {
		if _, err := pool.Run(t.Context(), p, tree, 6); err != nil {
			t.Fatal(err)
		}
	}
	return stop()
}

func recordings(t *testing.T) map[string]*record.Recording {
	late := made() // what began before the recording, and ends after it
	late.Events, late.Asleep = late.Events[7:20], 0
	return map[string]*record.Recording{
		"made": made(), "late": late, "empty": {Workers: 3, Length: time.Second}, "nothing": {},
		"ran": ran(t, 0), "full": ran(t, 50), "broken": broken(),
	}
}

// broken has lost what came between the first and the last events.
func broken() *record.Recording {
	r := made()
	r.Events, r.Dropped, r.First, r.Limit = slices.Delete(r.Events, 5, 12), 7, 5, 17
	return r
}

type failing struct{ room int }

var errFull = errors.New("no space left on device")

func (f *failing) Write(b []byte) (int, error) {
	if f.room -= len(b); f.room < 0 {
		return 0, errFull
	}
	return len(b), nil
}

type slice struct {
	Name, Ph, Bp, Cat string
	TS                *float64
	PID, TID, ID      int
	Args              map[string]any
}

// If this fails, Perfetto shows nothing, or slices of another length, or on another lane.
func TestTrace(t *testing.T) {
	for name, r := range recordings(t) {
		t.Run(name, func(t *testing.T) {
			var b bytes.Buffer
			if err := picture.WriteTrace(&b, r, `a "title"`); err != nil {
				t.Fatalf("WriteTrace: it returned the error %v", err)
			}
			var trace struct {
				TraceEvents     []slice
				DisplayTimeUnit string
			}
			if err := json.Unmarshal(b.Bytes(), &trace); err != nil || trace.DisplayTimeUnit != "ns" {
				t.Fatalf("WriteTrace: it wrote no JSON, or not that times have nanoseconds: %v", err)
			}
			groups := map[int]bool{}
			type track struct{ pid, tid int }
			named, open, last := map[track]bool{}, map[track][]string{}, map[track]float64{}
			flows, ends := map[int]slice{}, 0
			for _, e := range trace.TraceEvents {
				at := track{e.PID, e.TID}
				if e.TS == nil || *e.TS < 0 || *e.TS > float64(r.Length)/1e3 {
					t.Fatalf("WriteTrace: the event %+v is at no time of the recording, in µs", e)
				}
				switch e.Ph {
				case "M":
					named[at] = named[at] || e.Name == "thread_name"
					groups[e.PID] = groups[e.PID] || e.Name == "process_name"
					continue
				case "B":
					if *e.TS < last[at] {
						t.Errorf("WriteTrace: a slice begins at %v, and one before at %v", *e.TS, last[at])
					}
					open[at] = append(open[at], e.Name)
					last[at] = *e.TS
				case "E":
					n := len(open[at])
					if n == 0 || open[at][n-1] != e.Name || *e.TS < last[at] {
						t.Fatalf("WriteTrace: slices do not nest: %q ends at %v, after %v, in %v", e.Name, *e.TS, last[at], open[at])
					}
					open[at], last[at] = open[at][:n-1], *e.TS
				case "s":
					if _, twice := flows[e.ID]; twice || e.ID == 0 {
						t.Errorf("WriteTrace: two flows have the number %d", e.ID)
					}
					flows[e.ID] = e
				case "f":
					ends++
					if s, ok := flows[e.ID]; !ok || s.Name != e.Name || s.Cat != e.Cat || *s.TS > *e.TS || e.Bp != "e" {
						t.Errorf("WriteTrace: the flow %+v ends as %+v", s, e)
					}
				default:
					t.Errorf("WriteTrace: an event of the phase %q", e.Ph)
				}
				if !named[at] || !groups[e.PID] {
					t.Errorf("WriteTrace: the lane of %+v has no name", e)
				}
			}
			for at, names := range open {
				if len(names) > 0 {
					t.Errorf("WriteTrace: slices on %v have no end: %v", at, names)
				}
			}
			if ends != len(flows) {
				t.Errorf("WriteTrace: of %d flows %d have an end", len(flows), ends)
			}
			// Perfetto sorts by time, and hangs a flow on the slice that is open there.
			byTime := slices.Clone(trace.TraceEvents)
			slices.SortStableFunc(byTime, func(a, b slice) int { return cmp.Compare(*a.TS, *b.TS) })
			depth := map[track]int{}
			for _, e := range byTime {
				switch at := (track{e.PID, e.TID}); e.Ph {
				case "B":
					depth[at]++
				case "E":
					depth[at]--
				case "s", "f":
					if depth[at] == 0 {
						t.Errorf("WriteTrace: the flow %+v lies in no slice", e)
					}
				}
			}
			for room := 0; room < b.Len(); room += 1 + b.Len()/5 {
				if err := picture.WriteTrace(&failing{room}, r, ""); !errors.Is(err, errFull) {
					t.Errorf("WriteTrace: the writer fails after %d bytes, and it returned %v", room, err)
				}
			}
		})
	}
}

// If this fails, the moments in a trace are not those of the recording.
func TestTraceOfKnownMoments(t *testing.T) {
	var b bytes.Buffer
	if err := picture.WriteTrace(&b, made(), ""); err != nil {
		t.Fatalf("WriteTrace: it returned the error %v", err)
	}
	var trace struct{ TraceEvents []slice }
	if err := json.Unmarshal(b.Bytes(), &trace); err != nil {
		t.Fatalf("WriteTrace: it wrote no JSON: %v", err)
	}
	lanes, got := map[int]string{}, map[string][]string{}
	for _, e := range trace.TraceEvents {
		if e.Name == "thread_name" {
			lanes[e.TID] = e.Args["name"].(string)
		}
		if at := e.Args["at"]; e.Ph == "B" && e.Name == "example.com/a.leaf" && at != "/src/leaf.go:12" {
			t.Errorf("WriteTrace: a function is at %v, want its file and line", at)
		}
		if e.Ph != "M" {
			lane := lanes[e.TID]
			got[lane] = append(got[lane], e.Ph+" "+time.Duration(*e.TS*1e3).String()+" "+e.Name)
		}
	}
	for lane, want := range map[string]string{
		"worker 0": `B 0s asleep, E 1ms asleep, B 1ms example.com/a.main</script>", E 5ms example.com/a.main</script>", ` +
			`B 5ms looking for work, E 6ms looking for work, B 6ms looking for work, E 6.5ms looking for work, B 6.5ms asleep, E 20ms asleep, ` +
			`s 3.5ms steal, s 6ms goes on`,
		"worker 1": `B 0s asleep, E 3ms asleep, B 3ms looking for work, E 4ms looking for work, B 4ms example.com/a.leaf, ` +
			`B 4ms loop: example.com/a.body, B 4ms piece of a loop: example.com/a.body, E 7ms piece of a loop: example.com/a.body, ` +
			`E 8ms loop: example.com/a.body, E 9ms example.com/a.leaf, B 9ms looking for work, E 10ms looking for work, ` +
			`B 10ms example.com/a.main</script>", E 11ms example.com/a.main</script>", B 11ms asleep, E 18ms asleep, B 18ms ended, E 20ms ended, ` +
			`f 4ms steal, f 10ms goes on`,
		"set aside 1":              `B 6ms example.com/a.main</script>", E 9ms example.com/a.main</script>", B 9ms example.com/a.main</script>", E 10ms example.com/a.main</script>"`,
		"in Block 1":               `B 11ms example.com/a.main</script>", E 13ms example.com/a.main</script>"`,
		"works without a worker 1": `B 13ms example.com/a.main</script>", E 14ms example.com/a.main</script>", B 14ms example.com/a.inner, E 15ms example.com/a.inner, B 15ms example.com/a.main</script>", E 16ms example.com/a.main</script>"`,
	} {
		if line := strings.Join(got[lane], ", "); line != want {
			t.Errorf("WriteTrace: the lane %q has\n%s, want\n%s", lane, line, want)
		}
	}
	if len(got) != 5 {
		t.Errorf("WriteTrace: there are %d lanes, want 5", len(got))
	}
}

var scripts = regexp.MustCompile(`(?s)(<(script|style)[^>]*>)(.*?)(</(?:script|style)>)`)

// wellFormed reads a page as XML, without its scripts and styles, and returns its text.
func wellFormed(t *testing.T, page string) string {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(scripts.ReplaceAllString(page, "$1$4")))
	d.Entity = xml.HTMLEntity
	var text strings.Builder
	for {
		token, err := d.Token()
		if err == io.EOF {
			return text.String()
		}
		if err != nil {
			t.Fatalf("WritePage: the page is not well formed: %v", err)
		}
		if c, ok := token.(xml.CharData); ok {
			text.Write(c)
		}
	}
}

var elsewhere = regexp.MustCompile(`(?i)(src|href)\s*=|url\(|@import|fetch\(|XMLHttpRequest|https?:`)

// If this fails, a browser shows nothing, or runs what somebody has put into a title, or loads
// something.
func TestPage(t *testing.T) {
	for name, r := range recordings(t) {
		t.Run(name, func(t *testing.T) {
			const title = `<b>"1" & '2'</b></title></script>`
			var b strings.Builder
			if err := picture.WritePage(&b, r, title); err != nil {
				t.Fatalf("WritePage: it returned the error %v", err)
			}
			page := b.String()
			text := wellFormed(t, page)
			if strings.Count(text, title) != 2 {
				t.Errorf("WritePage: the title is not in the text of the page, twice:\n%s", text)
			}
			if found := elsewhere.FindString(page); found != "" {
				t.Errorf("WritePage: the page loads something: %q", found)
			}
			all := scripts.FindAllStringSubmatch(page, -1)
			if len(all) != 3 || strings.Contains(page, "{{") {
				t.Fatalf("WritePage: the page has %d scripts and styles, want 3, or a part is missing", len(all))
			}
			var data struct {
				Workers int
				End     int64
				Lanes   []struct{ Spans []int64 }
				Texts   [][2]string
				Arrows  [][6]int64
			}
			if err := json.Unmarshal([]byte(all[1][3]), &data); err != nil || len(data.Lanes) < r.Workers {
				t.Fatalf("WritePage: the data are no JSON, or have too few lanes: %v", err)
			}
			for n, l := range data.Lanes {
				covered := int64(0) // by spans that lie in no other
				for i := 0; i < len(l.Spans); i += 6 {
					from, to, depth, number := l.Spans[i], l.Spans[i+1], l.Spans[i+3], l.Spans[i+5]
					if from < 0 || to <= from || to > data.End || number >= int64(len(data.Texts)) {
						t.Fatalf("WritePage: lane %d has the span %v", n, l.Spans[i:i+6])
					}
					if depth == 0 {
						if n < r.Workers && from != covered || from < covered {
							t.Fatalf("WritePage: on lane %d a span begins at %d, and the one before ends at %d", n, from, covered)
						}
						covered = to
					} else if to > covered {
						t.Fatalf("WritePage: on lane %d a span within another one ends at %d, and that at %d", n, to, covered)
					}
				}
				if n < r.Workers && covered != data.End {
					t.Errorf("WritePage: lane %d ends at %d, and the recording at %d", n, covered, data.End)
				}
			}
			if full := strings.Contains(text, "The recording is full"); full != (r.Dropped > 0) {
				t.Errorf("WritePage: of %d dropped events the page says that it is full: %t", r.Dropped, full)
			}
			if err := picture.WritePage(&failing{len(page) / 2}, r, title); !errors.Is(err, errFull) {
				t.Errorf("WritePage: the writer fails, and it returned %v", err)
			}
		})
	}
}

// If this fails, the page gives wrong numbers, or a wrong reason.
func TestPageOfKnownMoments(t *testing.T) {
	var b strings.Builder
	if err := picture.WritePage(&b, made(), "made"); err != nil {
		t.Fatalf("WritePage: it returned the error %v", err)
	}
	text := wellFormed(t, b.String())
	for _, want := range []string{
		"All jobs waited for each other, or were in Block",
		"2 workers were at work for 26 % of 19 ms: the busiest one for 32 %, the least busy one, worker 0, for 21 %. 3 jobs, 1 steal. There was 1 processor: no more workers can compute at the same time",
		"021 %21 %0 %8 %71 %0", "132 %5 %26 %11 %47 %1",
		"Only one job ran, of a.leaf (leaf.go:12): it forked nothing meanwhile.",
		"There was no job in the pool.", "No job ran: all waited, or were in Block.",
		"24 events, 0 dropped", "set aside: up to 1 at once",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("WritePage: the page does not say %q:\n%s", want, text)
		}
	}
	full := made()
	full.Dropped, full.Limit, full.First = 7, len(full.Events), len(full.Events)
	b.Reset()
	if err := picture.WritePage(&b, full, ""); err != nil {
		t.Fatalf("WritePage: it returned the error %v", err)
	}
	want := "It shows all of the first 17 ms, of 19 ms, and nothing after that. There was room for 24 events, and 7 others were dropped."
	if !strings.Contains(wellFormed(t, b.String()), want) {
		t.Errorf("WritePage: the page of a full recording does not say %q", want)
	}
	b.Reset()
	if err := picture.WritePage(&b, broken(), ""); err != nil {
		t.Fatalf("WritePage: it returned the error %v", err)
	}
	want = "It shows all of the first 3 ms and of the last 11 ms, of 19 ms, and nothing between. The view begins with the last part; show all has both."
	if !strings.Contains(wellFormed(t, b.String()), want) {
		t.Errorf("WritePage: the page of a recording with a gap does not say %q:\n%s", want, wellFormed(t, b.String())[:700])
	}
	if want := `"gap":[3000000,8000000]`; !strings.Contains(b.String(), want) {
		t.Errorf("WritePage: the page of a recording with a gap does not have %s", want)
	}
}
