package simulate

import (
	"errors"
	"io"
)

var errSkeleton = errors.New("simulate: not built yet")

func Machines() []string                                                   { return []string{"this-2", "one-socket-64", "two-sockets-256"} }
func Load(name string) (*Machine, error)                                   { return nil, errSkeleton }
func Parse(name string, r io.Reader) (*Machine, error)                     { return nil, errSkeleton }
func (m *Machine) With(v Variation) *Machine                               { c := *m; return &c }
func (m *Machine) WithConstant(name string, v Variation) (*Machine, error) { return nil, errSkeleton }
