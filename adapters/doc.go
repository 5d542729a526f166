// Package adapters says what an adapter is: the one place that knows what a
// source writes, and turns each line of it into at most one action of the
// specification with claims about the acting server's variables.
//
// An adapter knows nothing of rules. Where an implementation is freer than the
// paper it picks fields of [spec.Profile]; what its source shows it declares as
// [spec.Facts]. Everything else about checking is the same for every source.
package adapters
