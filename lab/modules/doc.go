// Package modules makes a release of the repository's modules, or rehearses one: each of them, at
// one version, as a zip in a folder that serves as a module proxy. From there each module must
// build and pass its tests with nothing but the zips of its siblings; a consumer of one module
// gets that and what it is built on, and nothing else; imports follow the arrows of the design;
// and nothing that has a promise is broken.
package modules
