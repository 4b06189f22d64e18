package conformance_test

import (
	"testing"

	"github.com/rouse-go/rouse/api"
	"github.com/rouse-go/rouse/conformance"
	"github.com/rouse-go/rouse/deque"
)

func TestDeque(t *testing.T) {
	t.Run("deque=chaselev", func(t *testing.T) {
		conformance.TestDeque(t, func() api.Deque[int] { return deque.NewChaseLev[int]() })
	})
	t.Run("deque=locked", func(t *testing.T) {
		conformance.TestDeque(t, func() api.Deque[int] { return deque.NewLocked[int]() }, stressed())
	})
}

func TestInjector(t *testing.T) {
	conformance.TestInjector(t, func() api.Injector[int] { return deque.NewInjector[int]() })
}
