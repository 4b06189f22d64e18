// Package machine says on what a figure was measured.
package machine
