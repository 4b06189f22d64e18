package mutants

var latchPatches = []Patch{}
