package poolhttp

// BeginDump has the handler believe that a dump is being made, until end is called.
func (h *Handler) BeginDump() (end func()) {
	h.dumping.Store(true)
	return func() { h.dumping.Store(false) }
}
