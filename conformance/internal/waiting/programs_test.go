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
	for name, text := range map[string]string{
		"a lock held across a join, and wanted by a sibling": `
			main: lock L; fork f; join f; unlock L
			f: fork g; join g
			g:
			other: lock L; unlock L; fork x; join x
			x: lock L; unlock L`,
		"a cell that is computed once, from others": `
			main: fork a; fork b; join b; join a
			a: lock A; fork c; lock C; unlock C; join c; unlock A
			b: lock A; unlock A; lock C; unlock C
			c: lock C; unlock C`,
		"two locks in order": `
			main: fork a; lock K; fork b; lock L; join b; unlock L; unlock K; join a
			a: lock K; fork c; lock L; unlock L; join c; unlock K
			b:
			c:`,
		"three forks joined in the order of forking": `
			main: fork a; fork b; fork c; lock L; join a; unlock L; join b; join c
			a:
			b: lock L; unlock L
			c: lock L; unlock L`,
		"nested joins out of order": `
			main: fork a; fork b; lock L; join a; unlock L; join b
			a: fork c; fork d; lock K; join c; unlock K; join d
			b: lock K; unlock K; lock L; unlock L
			c:
			d: lock K; unlock K`,
		"the work that a set-aside owner left wants its lock": `
			main: fork f; fork x; fork y; lock L; join f; unlock L
			f: fork g; join g
			g:
			x: lock L; unlock L
			y: lock L; unlock L`,
		"a handle that several join": `
			main: submit h; fork a; fork b; lock L; get h; unlock L; join b; join a
			a: get h; lock L; unlock L
			b: get-before h
			h: fork c; join c
			c:`,
		"a handle that ends without a seat, and several wait for it": `
			main: submit h; fork a; lock L; get h; unlock L; join a
			a: get h; lock L; unlock L
			h: block; unblock; fork c; join c
			c:`,
		"a handle joined under a lock that a root wants": `
			main: submit h; lock L; get h; unlock L
			h: submit k; get k
			k:
			other: lock L; unlock L`,
		"handles with deadlines under a lock that they want": `
			main: submit h; submit k; lock L; get-before h; get-before k; unlock L; get k
			h: lock L; unlock L
			k: lock L; unlock L; get h`,
		"jobs of a scope spawn into an outer one, and block": `
			main: lock L; spawn a inner; spawn b inner; wait inner; unlock L; wait outer
			a: block; lock K; unlock K; unblock; spawn x outer
			b: lock K; spawn y outer; unlock K
			x: lock L; unlock L
			y: lock K; unlock K`,
		"a scope inside a scope's job": `
			main: spawn a S; lock L; wait S; unlock L; wait T
			a: spawn b U; spawn c T; wait U
			b: spawn d S
			c: lock L; unlock L
			d:`,
		"Block in a scope's job, with private forks beneath": `
			main: fork f; spawn a S; lock L; wait S; unlock L; join f
			f: lock L; unlock L
			a: fork g; block; await e; unblock; join g
			g:
			outside G: signal e`,
		"jobs without a seat fork and join": `
			main: lock L; block; unblock; fork a; fork b; join a; unlock L; join b
			a:
			b: lock L; unlock L
			other: lock L; unlock L`,
		"a job without a seat waits for a scope": `
			main: lock L; block; unblock; spawn a S; wait S; unlock L
			a: spawn b S
			b:
			other: lock L; unlock L`,
		"Block waits for a goroutine that calls Run": `
			main: fork f; block; await e; unblock; join f
			f:
			outside G: run c; signal e
			c: fork d; join d
			d:`,
		"all seats in Block wait for Runs": `
			a: block; await e; unblock
			b: block; await e; unblock
			outside G: run c; signal e
			c:`,
		"Run in a job, and in Block": `
			main: lock L; run c; block; run d; unblock; unlock L
			c: fork f; join f
			f:
			d: fork g; join g
			g:
			other: lock L; unlock L`,
		"a lock handed on from Block": `
			main: fork f; block; lock L; unblock; join f; unlock L
			f:
			other: lock L; fork g; join g; unlock L
			g:`,
		"a seat takes along what wants the lock of its job": `
			main: submit h; submit a; submit b
			h: block; await e; unblock
			a: lock L; get h; unlock L
			b: lock L; unlock L
			outside G: signal e`,
		"a thief takes along what wants the lock of its job": `
			main: spawn a S; spawn b S; spawn c S; wait S
			a: lock L; fork x; join x; unlock L
			b: lock L; unlock L
			c: lock L; unlock L
			x:`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			covered(t, parse(t, text))
		})
	}
}

// TestPromisesNoMore has programs that end with a goroutine for each job and may
// hang on a pool: each waits, in another way than by a join, for a job that need
// not have begun. It fails if the model ends them, and so is too kind to be
// believed about the others.
func TestPromisesNoMore(t *testing.T) {
	for name, text := range map[string]string{
		"a fork of mine is to signal": `
			main: fork f; await e; join f
			f: signal e`,
		"a sibling is to signal": `
			main: fork a; fork b; join b; join a
			a: signal e
			b: await e`,
		"a root is to signal": `
			main: await e
			other: signal e`,
	} {
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
			c:
			other: lock L; unlock L`,
		"a handle waited for from outside under a lock that jobs take": `
			outside G: submit h; lock L; get h; unlock L
			h:
			other: lock L; unlock L`,
		"Block, under a lock, for a goroutine that calls Run": `
			main: lock L; block; await e; unblock; unlock L
			outside G: run c; signal e
			c:
			other: lock L; unlock L`,
		"a wait without Block for a goroutine that calls Run": `
			main: await e
			outside G: run c; signal e
			c:`,
		"a wait without Block for a job in Block": `
			main: submit h; block; await e; unblock; signal d; get h
			h: await d
			outside G: run c; signal e
			c:`,
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
