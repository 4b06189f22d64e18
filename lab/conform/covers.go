package conform

import "github.com/rouse-go/rouse/lab/covers"

// Result says what became of a test that a table of package covers names: pass, fail or skip,
// or nothing if it did not run or did not end.
func (r *Report) Result(by string) string {
	path, test, _ := covers.Split(by)
	return r.results[key(path, test)]
}

// Covered reports whether all tests of an entry have passed.
func (r *Report) Covered(c covers.Cover) bool {
	for _, by := range c.By {
		if r.Result(by) != "pass" {
			return false
		}
	}
	return true
}

// key names a test among those of all packages.
func key(path, test string) string { return path + " " + test }
