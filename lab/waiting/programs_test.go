package waiting

import "testing"

// parse reads a program of a test.
func parse(t *testing.T, text string) *Program {
	t.Helper()
	p, err := Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// covered fails the test unless the program ends with a goroutine for each job,
// and on one, two and three seats, with no invariant broken, even if each look
// for a seat that sleeps finds none.
func covered(t *testing.T, p *Program) {
	t.Helper()
	if r := p.WithGoroutines(0); r.Verdict != Ends {
		t.Fatalf("with a goroutine for each job it %v: no promise is made for it", r)
	}
	states := 0
	defer func() { t.Logf("%d states on one to three seats", states) }()
	for seats := 1; seats <= 3; seats++ {
		for _, pool := range []Pool{{Seats: seats}, {Seats: seats, FindsNoSeat: true}} {
			r := p.Search(pool)
			states += r.States
			if r.Verdict != Ends {
				t.Errorf("on %v it %v; it should end, as it does with a goroutine for each job:\n%v\n%s", pool, r, p, r.Trace)
			}
		}
	}
}

// TestEnds fails if a program hangs, or breaks an invariant, that is covered by
// the promise.
func TestEnds(t *testing.T) {
	for name, text := range Programs {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			covered(t, parse(t, text))
		})
	}
}

// TestPromisesNoMore fails if the model ends the programs of Beyond, and so is too
// kind to be believed about the others.
func TestPromisesNoMore(t *testing.T) {
	for name, text := range Beyond {
		t.Run(name, func(t *testing.T) { needNotEnd(t, parse(t, text)) })
	}
}

// TestAdmission has programs that hang since admission is a lock: what ends a
// job's wait waits for admission itself. It fails if the model ends them, or does
// not end them on a pool that admits a job in the end without a seat.
func TestAdmission(t *testing.T) {
	for name, text := range map[string]string{
		"Run from outside under a lock that jobs take": `
			outside G: lock L; run c; unlock L
			other: lock L; unlock L`,
		"a handle waited for from outside under a lock that jobs take": `
			outside G: submit h; lock L; get h; unlock L
			other: lock L; unlock L`,
		"Block, under a lock, for a goroutine that calls Run": `
			main: lock L; block; await e; unblock; unlock L
			outside G: run c; signal e
			other: lock L; unlock L`,
		"a wait without Block for a goroutine that calls Run": `
			main: await e
			outside G: run c; signal e`,
		"a wait without Block for a job in Block": `
			main: submit h; block; await e; unblock; signal d; get h
			h: await d
			outside G: run c; signal e`,
	} {
		t.Run(name, func(t *testing.T) {
			p := parse(t, text)
			needNotEnd(t, p)
			for seats := 1; seats <= 3; seats++ {
				if r := p.Search(Pool{Seats: seats, AdmitsAll: true}); r.Verdict != Ends {
					t.Errorf("on %d seats of a pool that admits all it %v, want: ends\n%s", seats, r, r.Trace)
				}
			}
		})
	}
}

// needNotEnd fails the test unless the program ends with a goroutine for each job
// and hangs on one seat.
func needNotEnd(t *testing.T, p *Program) {
	t.Helper()
	if r := p.WithGoroutines(0); r.Verdict != Ends {
		t.Errorf("with a goroutine for each job it %v, want: ends", r)
	}
	if r := p.Search(Pool{Seats: 1}); r.Verdict != Hangs {
		t.Errorf("on one seat it %v, want: hangs", r)
	}
}
