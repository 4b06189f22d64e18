package docs

import (
	"regexp"
	"strings"

	"github.com/yuin/goldmark/text"
)

// A line of prose is one sentence, so that a diff shows a sentence. What stands in backticks, quotes or
// parentheses may have more of them.
var (
	ended  = regexp.MustCompile(`[.:;!?)]["”*_)]*$`)
	inside = regexp.MustCompile("`[^`]*`" + `|"[^"]*"|\([^()]*\)`)
	two    = regexp.MustCompile(`[\p{Ll})*][.!?] \p{Lu}`)
)

// addProse notes the lines of a paragraph that are more or less than a sentence.
func (p *page) addProse(lines *text.Segments, line int, source []byte) {
	for i, s := range lines.Sliced(0, lines.Len()) {
		words := inside.ReplaceAllString(strings.TrimSpace(string(s.Value(source))), "()")
		if i < lines.Len()-1 && !ended.MatchString(words) {
			p.prose = append(p.prose, reference{"the line ends in the middle of a sentence", line + i})
		}
		if two.MatchString(words) {
			p.prose = append(p.prose, reference{"the line has two sentences", line + i})
		}
	}
}
