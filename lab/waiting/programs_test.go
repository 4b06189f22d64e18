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

// TestEnds fails if a program of the promise hangs, or breaks an invariant, on one, two or three
// seats; or if it does not end with a goroutine for each job, so that no promise is made for it.
func TestEnds(t *testing.T) {
	for name, text := range Programs {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := parse(t, text)
			if r := p.WithGoroutines(); r.Verdict != Ends {
				t.Fatalf("with a goroutine for each job it %s: no promise is made for it", r.Verdict)
			}
			for seats := 1; seats <= 3; seats++ {
				for _, pool := range []Pool{{Seats: seats}, {Seats: seats, FindsNoSeat: true}} {
					if r := p.Search(pool); r.Verdict != Ends {
						t.Errorf("on %d seats (finds none that sleeps: %t) it %s; it should end, as it does with a goroutine for each job:\n%s\n%s", seats, pool.FindsNoSeat, r.Verdict, text, r.Trace)
					}
				}
			}
		})
	}
}

// TestPromisesNoMore fails if the model ends the programs of Beyond on one seat, and so is too
// kind to be believed about the others; or if they hang with a goroutine for each job.
func TestPromisesNoMore(t *testing.T) {
	for name, text := range Beyond {
		p := parse(t, text)
		if r := p.WithGoroutines(); r.Verdict != Ends {
			t.Errorf("%s: with a goroutine for each job it %s, want: ends", name, r.Verdict)
		}
		if r := p.Search(Pool{Seats: 1}); r.Verdict != Hangs {
			t.Errorf("%s: on one seat it %s, want: hangs", name, r.Verdict)
		}
	}
}
