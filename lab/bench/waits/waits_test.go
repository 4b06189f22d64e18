package waits_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/rouse-go/rouse/lab/bench/waits"
	"github.com/rouse-go/rouse/tools/pick"
)

// The test program, with an argument, is a peer.
func TestMain(m *testing.M) {
	if len(os.Args) != 2 || strings.HasPrefix(os.Args[1], "-") {
		os.Exit(m.Run())
	}
	for in := bufio.NewScanner(os.Stdin); in.Scan(); {
		fake(os.Args[1], in.Text())
	}
}

// fake answers a line in the way that its name says.
func fake(name, line string) {
	right := func() {
		if err := waits.Serve("goroutine", strings.NewReader(line+"\n"), os.Stdout); err != nil {
			panic(err)
		}
	}
	switch {
	case name == "hangs", name == "hangs-once" && strings.HasSuffix(line, " 2"):
		// It goes on reading, and says nothing.
	case name == "wrong" && strings.HasSuffix(line, " 2"):
		fmt.Println("1000 1 1")
	case name == "late":
		fmt.Println(40_000_000, 72, 71)
	case name == "beside":
		fmt.Println(200_000_000, 0, 0, 1000, 900, 1_000_000, 40_000_000)
	case name == "loses":
		fmt.Println(200_000_000, 1, 0, 1000, 900, 1_000_000, 40_000_000)
	case name == "short":
		fmt.Println(200_000_000, 0, 0, 1000, 900)
	case name == "backwards":
		fmt.Println(-5, 72, 71)
	case name == "dies":
		fmt.Fprintln(os.Stderr, "a library is missing")
		os.Exit(7)
	default:
		right()
	}
}

// run tries a program on fakes, on 1 worker.
func run(t *testing.T, program string, patience time.Duration, names ...string) *waits.Report {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	plan := &waits.Plan{Workers: []int{1}, Tries: 3, Patience: patience}
	for _, p := range waits.Programs() {
		if p.Name == program {
			plan.Programs = append(plan.Programs, p)
		}
	}
	for _, name := range names {
		plan.Implementations = append(plan.Implementations, waits.Implementation{Name: name, Command: []string{self, name}})
	}
	seen := 0
	plan.Watch = func(_ *waits.Row, done int) { seen = max(seen, done+1) }
	rows, err := plan.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if seen > plan.TriesInAll() {
		t.Errorf("%d tries were shown, %d announced", seen, plan.TriesInAll())
	}
	if len(rows) != len(names) {
		t.Fatalf("%d rows, want %d", len(rows), len(names))
	}
	return &waits.Report{Rows: rows}
}

// checkRow checks the numbers of the only row, and what the table says.
func checkRow(t *testing.T, r *waits.Report, tries, hangs, ended int, err string, says ...string) {
	t.Helper()
	row := r.Rows[0]
	if row.Tries != tries || row.Hangs != hangs || len(row.Nanos) != ended || !strings.Contains(row.Error, err) || r.OK() != (row.Error == "") || r.OK() != (err == "") {
		t.Errorf("%s: %+v, OK %v; want %d tries, %d hangs, %d times, error %q", row.Implementation, row, r.OK(), tries, hangs, ended, err)
	}
	var table strings.Builder
	if err := r.WriteTable(&table, 0); err != nil {
		t.Fatal(err)
	}
	for _, s := range says {
		if !strings.Contains(table.String(), s) {
			t.Errorf("%s: no %q in\n%s", row.Implementation, s, &table)
		}
	}
}

// A failure here means that a peer that hangs stops the command, or is counted as one that
// ends; that one which ends, or is in time, is blamed; or that what a recursion loses, or how
// long a request takes, is told wrongly. A hang is a result.
func TestVerdicts(t *testing.T) {
	for _, test := range []struct {
		program, peer       string
		patience            time.Duration
		tries, hangs, ended int
		says                string
	}{
		{"locks-once", "hangs", 10 * time.Millisecond, 3, 3, 0, "hangs in 3 of 3 tries        1          -       -           -           -       -"},
		{"locks-once", "right", time.Minute, 3, 0, 3, "  ends "},
		{"late", "late", time.Minute, 3, 0, 3, "late in 3 of 3 tries        1     40.000  40.000      40.000"},
		{"beside", "beside", time.Minute, 3, 0, 6, "late in 3 of 6 requests        1     20.500  40.000      40.000        10.0    10.0"},
	} {
		checkRow(t, run(t, test.program, test.patience, test.peer), test.tries, test.hangs, test.ended, "", test.says)
	}
}

// A failure here means that a hang spoils the tries that follow it.
func TestGoesOnAfterHang(t *testing.T) {
	// On a busy machine a peer that is about to answer counts as one that hangs, if the
	// patience is short. So that is asked again with more.
	patience := 50 * time.Millisecond
	r := run(t, "locks-once", patience, "hangs-once")
	for ; r.Rows[0].Hangs > 1 && patience < 10*time.Second; patience *= 2 {
		r = run(t, "locks-once", 2*patience, "hangs-once")
	}
	checkRow(t, r, 3, 1, 2, "", "hangs in 1 of 3 tries")
}

// A failure here means that a peer which computes something else is compared.
func TestFailures(t *testing.T) {
	for _, test := range []struct {
		program, peer, says string
		tries               int
	}{
		{"locks-once", "wrong", `the answer of "run locks-once 1 2" is 1 with 1 forks, must be 330103354878 with 639`, 1},
		{"late", "backwards", `says "-5 72 71", must be NS RESULT FORKS`, 0},
		{"locks-mutex", "dies", "a library is missing", 0},
		{"beside", "loses", `the answer of "run beside 1 2000" is 1 with 0 forks, must be 0 with 0`, 0},
		{"beside-busy", "short", "2 numbers, must be the leaves a second", 0},
	} {
		checkRow(t, run(t, test.program, time.Minute, test.peer), test.tries, 0, test.tries, test.says,
			"failed, see below", test.program+" on "+test.peer+", 1 workers: ")
	}
}

// An implementation that is not there has a row for each program; an interrupt leaves none.
func TestNoRows(t *testing.T) {
	plan := &waits.Plan{
		Programs: waits.Programs(), Workers: []int{1}, Tries: 1, Patience: time.Minute,
		Implementations: []waits.Implementation{{Name: "absent", Command: []string{filepath.Join(t.TempDir(), "absent")}}},
	}
	rows, err := plan.Run(t.Context())
	if err != nil || len(rows) != 5 || plan.TriesInAll() != 5 {
		t.Fatalf("%d rows, %d tries, error %v; want one for each program", len(rows), plan.TriesInAll(), err)
	}
	for _, row := range rows {
		if !strings.HasPrefix(row.Error, "not installed: ") {
			t.Errorf("%+v, want that it is not installed", row)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	plan.Implementations[0].Command = []string{os.Args[0], "right"}
	if rows, err := plan.Run(ctx); err != context.Canceled || rows != nil {
		t.Errorf("interrupted: %d rows, error %v", len(rows), err)
	}
}

// What the programs of lab/peers answer, too. A failure here means that the programs
// are not the same in all languages, that a lock does not lock, or that a lock
// that is held across a join makes the pool hang.
func TestServe(t *testing.T) {
	const usage = "error: there are list and run WORKLOAD WORKERS [SIZE]"
	rows := [][2]string{
		{"list", "locks-once locks-mutex late beside beside-busy"},
		{"run locks-once 0 1", "NS 371642056432 0"},
		{"run locks-once 1 1", "NS 371642056432 662"},
		{"run locks-once 1 2", "NS 330103354878 639"},
		{"run locks-once 2 2", "NS 330103354878 639"},
		{"run locks-once 4 2", "NS 330103354878 639"},
		{"run locks-mutex 1 1", "NS 12786998078808 1806"},
		{"run locks-mutex 2 1", "NS 12786998078808 1806"},
		{"run locks-mutex 4 1", "NS 12786998078808 1806"},
		{"run late 1 1", "NS 65 64"},
		{"run late 2 8", "NS 72 71"},
		{"run beside 0 200", "NS 0 0 MORE"},
		{"run beside 1 200", "NS 0 0 MORE"},
		{"run beside-busy 2 200", "NS 0 0 MORE"},
		{"walk", usage},
		{"run", usage},
		{"run nothing 1", "error: no workload nothing"},
		{"run locks-once 257", "error: workers 257 is not a number from 0 to 256"},
		{"run locks-mutex 1 0", "error: size 0 is not a number from 1 to 1000000"},
		{"run late 1 x", "error: size x is not a number from 1 to 1000"},
	}
	asked := ""
	for _, row := range rows {
		asked += row[0] + "\n"
	}
	for _, name := range waits.Local() {
		var out strings.Builder
		if err := waits.Serve(name, strings.NewReader(asked), &out); err != nil {
			t.Fatal(err)
		}
		said := strings.Split(out.String(), "\n")
		if len(said) != len(rows)+1 {
			t.Fatalf("%s: %d lines asked, and the answers are\n%s", name, len(rows), &out)
		}
		for i, row := range rows {
			got := nanos.ReplaceAllString(said[i], "NS $1")
			if got = more.ReplaceAllString(got, "$1 MORE"); got != row[1] {
				t.Errorf("%s: %s: says %q, want %q", name, row[0], got, row[1])
			}
		}
	}
	if err := waits.Serve("coffee", strings.NewReader(""), new(bytes.Buffer)); err == nil || !strings.Contains(err.Error(), "there are: rouse, goroutine") {
		t.Errorf("an implementation that there is not: %v", err)
	}
}

// A time begins an answer, and more follows if there was a recursion.
var (
	nanos = regexp.MustCompile(`^[1-9]\d* (\d+ \d+)`)
	more  = regexp.MustCompile(`^(NS \d+ \d+)( \d+){3,}$`)
)

// A failure here means that a script cannot tell "no time" from a time of 0.
func TestJSON(t *testing.T) {
	r := run(t, "locks-once", 10*time.Millisecond, "hangs")
	r.Patience = 0.01
	var b bytes.Buffer
	if err := pick.WriteJSON(&b, r); err != nil {
		t.Fatal(err)
	}
	var got struct {
		Patience float64          `json:"patience_seconds"`
		Rows     []map[string]any `json:"rows"`
	}
	if err := json.Unmarshal(b.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	row := got.Rows[0]
	if got.Patience != 0.01 || row["hangs"] != 3.0 || row["median_ns"] != nil || row["late"] != nil || len(row["ns"].([]any)) != 0 {
		t.Errorf("%s", b.String())
	}
}
