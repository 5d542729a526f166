// Package mutate plants known faults in traces that conform. Each fault is one
// of those that real implementations had; its plant looks for a place where it
// could have happened, changes or adds the lines that would have shown it there,
// and says which rules ought to name it. What the checker finds of the plants is
// the score in docs/faults.md.
package mutate
