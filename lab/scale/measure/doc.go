// Package measure measures the rows of package scale on the machine at hand, and
// keeps what was measured in a file that others can read.
package measure
