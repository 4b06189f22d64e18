package mutants

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/conformance/explore"
)

// root is where the repository's files are found.
func root(t *testing.T) string {
	t.Helper()
	dir, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// TestPatchesFit checks that what the patches change is still there.
func TestPatchesFit(t *testing.T) {
	root := root(t)
	names := make(map[string]bool)
	for _, p := range Patches() {
		if names[p.Name] {
			t.Errorf("%s: there are two of that name", p.Name)
		}
		names[p.Name] = true
		if p.Kills == "" || len(p.Edits) == 0 || (p.Says == "") == (p.Harmless == "") {
			t.Errorf("%s: a patch needs edits, a test that it fails, and what that says or why it does not", p.Name)
		}
		if _, err := p.apply(root); err != nil {
			t.Errorf("%s: %v", p.Name, err)
		}
	}
}

// takesMinutes skips a test unless the tag says that there is the time for it.
func takesMinutes(t *testing.T) {
	t.Helper()
	if explore.Explore(func(*explore.Exec) {}).Failure != nil || testing.Short() {
		t.Skip("takes minutes: run it with -tags explore")
	}
}

// TestPatches builds each mutant and runs the test that must kill it.
func TestPatches(t *testing.T) {
	takesMinutes(t)
	root := root(t)
	// Tests that are not explored measure time, or wait for what does not end: two at a
	// time, while others are built or explored.
	measured := make(chan struct{}, 2)
	for _, p := range Patches() {
		t.Run(p.Name, func(t *testing.T) {
			t.Parallel()
			b, err := build(root, t.TempDir(), p)
			if err != nil {
				t.Fatal(err)
			}
			if !p.explored() && !p.Race {
				measured <- struct{}{}
				defer func() { <-measured }()
			}
			bound := maxBound
			if p.Harmless != "" || p.Race {
				bound = p.Bound
			}
			f, err := b.test(p.Kills, bound)
			switch {
			case err != nil:
				t.Fatal(err)
			case p.Harmless != "":
				if f != nil {
					t.Fatalf("%s fails although the patch is harmless: %s\n%v", p.Kills, p.Harmless, f)
				}
				t.Attr("killer", "nobody: it is harmless")
			case f == nil:
				t.Fatalf("%s passes on the mutant", p.Kills)
			case p.explored() && !ofTheCode(f.Kind):
				t.Fatalf("%s cannot be explored on the mutant: %v", p.Kills, f)
			case !strings.Contains(string(f.Kind)+": "+f.Message, p.Says):
				t.Fatalf("%s fails on the mutant, but does not say %q:\n%v", p.Kills, p.Says, f)
			case !p.explored():
				t.Attr("killer", p.Kills)
				t.Logf("killed by %s", p.Kills)
			default:
				t.Attr("killer", fmt.Sprintf("%s, bound %d", p.Kills, f.Preemptions))
				t.Logf("killed by %s with %d preemptions: %v", p.Kills, f.Preemptions, f)
				if f.Preemptions != p.Bound {
					t.Errorf("the smallest number of preemptions that kills it is %d, the patch says %d", f.Preemptions, p.Bound)
				}
			}
		})
	}
}

// ofTheCode reports whether a failure is the fault of the code under test.
func ofTheCode(k explore.Kind) bool {
	switch k {
	case explore.Deadlock, explore.Livelock, explore.Panicked, explore.Asserted:
		return true
	}
	return false
}

// TestUnpatched is the control: what ships must pass the same scenarios, as deep
// as the patches need them. Of some that is deeper than their Bound.
func TestUnpatched(t *testing.T) {
	takesMinutes(t)
	bounds, races := make(map[string]int), make(map[string]int)
	for _, p := range Patches() {
		switch {
		case p.explored():
			bounds[p.Kills] = max(bounds[p.Kills], p.Bound)
		case p.Race:
			races[p.Kills] = max(races[p.Kills], p.Bound)
		}
	}
	unpatched(t, Patch{}, bounds)
	t.Run("race", func(t *testing.T) { unpatched(t, Patch{Race: true}, races) })
}

// unpatched runs scenarios of what ships, built like the patch, which changes nothing.
func unpatched(t *testing.T, p Patch, bounds map[string]int) {
	b, err := build(root(t), t.TempDir(), p)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range slices.Sorted(maps.Keys(bounds)) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f, err := b.test(name, bounds[name])
			if err != nil {
				t.Fatal(err)
			}
			if f != nil {
				t.Fatalf("fails on what ships: %v", f)
			}
		})
	}
}
