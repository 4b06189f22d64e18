package mutants

import "slices"

// A Mutant is code that ships, with one fault in it, and what must notice: a row of the
// tables in this package.
type Mutant struct {
	// Name is part, number and fault, as in sleep/5_cascade_after_job. The numbers are
	// those of the list in the README.
	Name string
	Changes
	Killer
}

// Changes are what is done to the source, one after another.
type Changes []Change

// A Change is one place in one declaration. No other part of the file matters to it.
type Change struct {
	// File is a path from the root of the repository: of the folder of a package, in one of
	// whose files the declaration is, or of a file that is a test, or gets a declaration.
	File string
	// In is the declaration: Seat.leave of a method, leave of a function, const most, type
	// seat, or var most. It is empty for Add.
	In string
	Do Op
	// Find is a fragment that must occur exactly once in the declaration. Any space in it
	// stands for any space in the source, so it does not matter how lines are broken.
	Find string
	// With is what comes there, if Do says that something does.
	With string
}

// An Op says what to do with the fragment that was found.
type Op string

// The statement of a fragment is the innermost one in a list of statements that contains it.
const (
	Replace Op = "replace" // the fragment, by With
	Drop    Op = "drop"    // its statement
	Swap    Op = "swap"    // its statement and the next one
	Never   Op = "never"   // the condition of an if or a for that it is in never holds
	Always  Op = "always"  // that condition always holds
	Before  Op = "before"  // With comes before its statement
	After   Op = "after"   // With comes after its statement
	Add     Op = "add"     // With is a new declaration of the file's package
)

// at begins the changes in one declaration of the package that the row's name begins with, and
// in those in another package.
func at(decl string) Changes         { return in("", decl) }
func in(folder, decl string) Changes { return Changes{{File: folder, In: decl}} }

// and goes on in another declaration, of the same package.
func (c Changes) and(decl string) Changes { return c.andIn(c[len(c)-1].File, decl) }

// andIn goes on in another package, or in a file.
func (c Changes) andIn(place, decl string) Changes { return append(c, Change{File: place, In: decl}) }

func (c Changes) replace(find, with string) Changes { return c.does(Replace, find, with) }
func (c Changes) drop(find string) Changes          { return c.does(Drop, find, "") }
func (c Changes) swap(find string) Changes          { return c.does(Swap, find, "") }
func (c Changes) never(find string) Changes         { return c.does(Never, find, "") }
func (c Changes) always(find string) Changes        { return c.does(Always, find, "") }
func (c Changes) before(find, with string) Changes  { return c.does(Before, find, with) }
func (c Changes) after(find, with string) Changes   { return c.does(After, find, with) }

// add adds a declaration to the file of the last change.
func (c Changes) add(decl string) Changes {
	c = c.does(Add, "", decl)
	c[len(c)-1].In = ""
	return c
}

// does gives the last change its operation, or adds one in the same declaration.
func (c Changes) does(do Op, find, with string) Changes {
	c = slices.Clone(c)
	if last := c[len(c)-1]; last.Do != "" {
		c = append(c, Change{File: last.File, In: last.In})
	}
	last := &c[len(c)-1]
	last.Do, last.Find, last.With = do, find, with
	return c
}

// A Mode says how the program is built that a mutant is in, and what is run of it.
type Mode string

// The modes.
const (
	Explored Mode = "explored" // a scenario, under every schedule up to a bound
	Suite    Mode = "suite"    // a subtest of the public suite, on the real scheduler
	Own      Mode = "own"      // a test of the package itself
)

// A Killer is what must fail on a mutant, and how.
type Killer struct {
	Mode Mode
	// Folder has the test, if it is not that of the first change.
	Folder string
	// Test is the full name of a test or a subtest.
	Test string
	// Says is part of what the failure says, so that the mutant dies of what is wrong with
	// it and of nothing else.
	Says string
	// Bound is the smallest number of preemptions of a schedule that kills the mutant, if it
	// is explored.
	Bound int
	// Shallow says why the scenario is explored with fewer preemptions on what ships, if it is: the
	// same fault in other words passes there.
	Shallow string
}

func explored(bound int, test, says string) Killer {
	return Killer{Mode: Explored, Test: test, Says: says, Bound: bound}
}

// pooled is a scenario on a pool; one that hangs misses a wake.
func pooled(bound int, scenario, says string) Killer { return explored(bound, onPool(scenario), says) }
func hangs(bound int, scenario string) Killer        { return pooled(bound, scenario, missedWake) }

func suite(test, says string) Killer { return Killer{Mode: Suite, Test: test, Says: says} }
func own(test, says string) Killer   { return Killer{Mode: Own, Test: test, Says: says} }

// ownOf is own of another package, of the same module.
func ownOf(folder, test, says string) Killer {
	return Killer{Mode: Own, Folder: folder, Test: test, Says: says}
}

// tooMany is why a scenario of many workers or callers is shallow.
const tooMany = "so many preemptions have more schedules than a run of the tests has time for"

func (k Killer) shallow(why string) Killer {
	k.Shallow = why
	return k
}
