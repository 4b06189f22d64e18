// Package modules makes a release of the repository's modules, or rehearses one.
//
// The modules are at one version, and their go.mod files in the repository have replace lines for
// each other. A release is a commit of its own, which no branch has, where they require each other
// at the version instead; the tags are at that commit. To make it, a copy of the repository gets
// such go.mod files, and each module in turn becomes a zip in a folder that serves as a module
// proxy. From there each module must build and pass its tests with nothing but the zips of its
// siblings, and nothing that has a promise may be broken.
package modules
