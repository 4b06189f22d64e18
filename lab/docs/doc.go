// Package docs checks that what the documentation points at exists: the
// targets of relative links in Markdown files, the Go names that these quote
// in backticks with a package or type before them, the doc links of Go
// comments, and the labels of rules and protocol steps, and the README sections,
// that Go comments cite. Also, that no label has two meanings, that a line of prose is one
// sentence, and that each test of a part says, when it fails, which promise is broken.
//
// It reports only what is certain, and does not check names without a qualifier, packages from
// elsewhere and links to the web.
package docs
