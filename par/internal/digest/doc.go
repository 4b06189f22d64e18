// Package digest has a test of all functions of par: each gives the same result on every
// pool and schedule, to the last bit. It is a package of its own, so that it can be
// compiled without the other tests of par, for machines that run no others.
package digest
