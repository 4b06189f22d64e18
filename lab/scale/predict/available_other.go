//go:build !explore

package predict

// Available says whether this build can simulate.
const Available = false
