// Package figure has the plots of the pages that rouse writes: how they look, the
// axes that they share, and the style sheet with a colour for light and for dark
// screens. A plot is SVG that stands in the page.
package figure
