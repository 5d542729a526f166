// Package report writes the outcome of a check for people and for programs:
// text with the line that cannot be explained and why, one JSON document, or a
// stream of findings. The same trace gives the same bytes: nothing in a report
// depends on time, on the machine or on the order of a map.
package report
