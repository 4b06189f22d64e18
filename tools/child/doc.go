// Package child asks a program questions, a line each, and kills the program
// when it does not answer in time.
package child
