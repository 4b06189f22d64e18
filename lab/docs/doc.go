// Package docs checks that what the documentation points at exists:
//
//   - the targets of relative links in Markdown files, with their anchors;
//   - Go names in backticks that follow a package or type of this repository;
//   - the Go names that doc comments link to;
//   - the labels that Go comments cite (a letter and a number).
//
// A label of a rule gets its meaning in a list of api; that of a step where a heading, bold text, a
// sentence or, with a colon, a list item begins with it, on a page of the same module or one that such
// a page links to. A label has one meaning in the whole tree.
//
// A line of a page is one sentence.
//
// Each test of a part says which promise is broken when it fails. One of the test's messages must
// begin with the label of a rule, or with a name or a heading of the module, and a colon. A test without
// messages of its own may leave that to a function or table that it names.
//
// It reports only what is certain, and does not check names without a qualifier, packages from
// elsewhere and links to the web.
package docs
