package conform

import "github.com/rouse-go/rouse/lab/covers"

// A Cover is an entry of a table of package covers, with what became of the
// tests that it names.
type Cover struct {
	Source string  `json:"source"`
	About  string  `json:"about"`
	By     []Cited `json:"by,omitempty"`
	Reason string  `json:"reason,omitempty"`
}

// A Cited is a test that an entry names.
type Cited struct {
	Test string `json:"test"`
	// Result is pass, fail or skip, or empty if the test did not run or did
	// not end.
	Result string `json:"result"`
}

// OK reports whether all tests of the entry have passed.
func (c Cover) OK() bool {
	for _, t := range c.By {
		if t.Result != "pass" {
			return false
		}
	}
	return true
}

// Cover fills in the tables of package covers, once all tests were added.
func (r *Report) Cover() {
	r.Regressions, r.Others = r.cover(covers.Regressions), r.cover(covers.Scenarios)
}

// cover looks up the tests of a table among those that were added.
func (r *Report) cover(table []covers.Cover) []Cover {
	var all []Cover
	for _, entry := range table {
		c := Cover{Source: entry.Source, About: entry.About, Reason: entry.Reason}
		for _, by := range entry.By {
			cited := Cited{Test: by}
			if path, test, ok := covers.Split(by); ok {
				cited.Result = r.results[key(path, test)]
			}
			c.By = append(c.By, cited)
		}
		all = append(all, c)
	}
	return all
}

// key names a test among those of all packages.
func key(path, test string) string { return path + " " + test }
