// Package faults has a fault of each kind that explore.Test finds, and the same without the
// fault: one test for each construct of the language and the library.
package faults
