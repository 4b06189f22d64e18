// Package races has a data race for each form of access, and the same code with a lock.
package races

// N is a variable of another package.
var N int

// An Item is of another package.
type Item struct {
	A, B int
	Next *Item
	Done flag
}

// A flag has no name elsewhere.
type flag bool

// Sum is a method that copies its receiver.
func (i Item) Sum() int { return i.A + i.B }

// Inc is a method that changes its receiver.
func (i *Item) Inc() { i.A++ }
