// Package elsewhere runs the repository's tests for platforms that this one is
// not: Linux on other processors under QEMU's user-mode emulation, Windows
// under Wine, and js/wasm on Node.
//
// An emulator shows what depends on the width and order of bytes, on
// alignment, on the numbers of system calls and on what the platform's own
// park does. It does not show another processor's memory order: the host's is
// the one in force.
package elsewhere
