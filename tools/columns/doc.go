// Package columns writes tables for a terminal: columns and nothing else, no
// colours, no spaces at the end of a line.
package columns
