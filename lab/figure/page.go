package figure

import (
	_ "embed"
	"html/template"
)

//go:embed parts.html
var parts string

// Page returns the template of a page. Its source may use the template "style",
// for the style sheet, and the template "figure", which shows a [*Figure].
// It panics if the source is not a template.
func Page(source string, funcs template.FuncMap) *template.Template {
	return template.Must(template.Must(template.New("page").Funcs(funcs).Parse(source)).Parse(parts))
}
