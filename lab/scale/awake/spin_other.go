//go:build !linux

package awake

import "io"

const supported = false

// Spin returns [ErrUnsupported].
func Spin(io.Writer) error { return ErrUnsupported }
