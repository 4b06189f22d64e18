package census

import (
	"crypto/sha256"
	"fmt"
)

// An entry is what was found out about one name in a directory.
type entry struct {
	name    string
	kind    kind
	counts  Counts
	digest  Digest
	fault   fault
	reason  string  // of the fault
	entries []entry // of a directory, by name
}

// A kind is the letter that stands for an entry's type in digests.
type kind byte

const (
	directory kind = 'd'
	file      kind = 'f'
	other     kind = 'o'
)

// A fault is the letter that stands in digests for what went wrong.
type fault byte

const (
	none       fault = '-'
	unreadable fault = 'r'
	unparsable fault = 'p'
)

// sum returns the directory that the entries make up. err is what ended the
// reading of the directory early, if anything did.
func sum(name string, entries []entry, err error) entry {
	d := entry{name: name, kind: directory, fault: none, entries: entries}
	d.counts.Directories = 1
	if err != nil {
		d.fail(unreadable, err)
	}
	h := sha256.New()
	for i := range entries {
		e := &entries[i]
		d.counts.add(&e.counts)
		// Quoted, a name cannot run into its neighbours. The reason of a
		// fault is left out: it may depend on the system's language.
		fmt.Fprintf(h, "%c%c %x %v %q\n", e.kind, e.fault, e.digest, e.counts, e.name)
	}
	h.Sum(d.digest[:0])
	return d
}

func (e *entry) fail(f fault, err error) {
	e.fault, e.reason = f, reason(err)
	switch f {
	case unreadable:
		e.counts.Unreadable++
	case unparsable:
		e.counts.Unparsable++
	}
}
