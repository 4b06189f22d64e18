package par

import "encoding/binary"

// sortStrings sorts strings by eight bytes at a time, which it keeps beside them: so it looks
// at most of them once, in the order of the memory, and not again with each comparison (Ng
// and Kakehi, "Cache efficient radix sort for string sorting", 2007).
func sortStrings(s []string, c config) {
	sortItems(s, prefix(0).key, prefix(0), nil, c)
}

// A prefix is how many bytes of strings have been looked at, and are the same. Bytes after
// the end are zeros, so when all strings have ended, their lengths decide.
type prefix int

const lengths prefix = -1

func (d prefix) less(a, b string) bool { return a < b }

func (d prefix) length(s string) int { return len(s) }

func (d prefix) next(_, longest int) ties[string] {
	if int(d)+8 < longest {
		return d + 8
	}
	return lengths
}

// key is eight bytes of s as a number.
func (d prefix) key(s string) uint64 {
	if d == lengths {
		return uint64(len(s))
	}
	s = s[min(int(d), len(s)):]
	if len(s) >= 8 {
		return uint64(s[7]) | uint64(s[6])<<8 | uint64(s[5])<<16 | uint64(s[4])<<24 |
			uint64(s[3])<<32 | uint64(s[2])<<40 | uint64(s[1])<<48 | uint64(s[0])<<56
	}
	var b [8]byte
	copy(b[:], s)
	return binary.BigEndian.Uint64(b[:])
}
