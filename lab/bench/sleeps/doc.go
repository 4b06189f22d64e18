// Package sleeps holds sleep backends that nobody should use: what the backends
// of the repository are measured against.
package sleeps
