// Package docs checks that what the documentation points at exists: the
// targets of relative links in Markdown files, the Go names that these quote
// in backticks with a package or type before them, the doc links of Go
// comments, and the labels of rules and protocol steps, and the README sections,
// that Go comments cite. Also, that each test of a part says, when it fails, which
// promise is broken.
//
// It reports only what is certain. A name without a qualifier, a package from
// elsewhere and a link to the web are nobody's business here.
package docs
