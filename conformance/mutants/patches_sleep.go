package mutants

var sleepPatches = []Patch{}
