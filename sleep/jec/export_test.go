package jec

// ToWake is how many sleepers a post rouses; less than one is none.
var ToWake = toWake
