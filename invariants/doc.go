// Package invariants holds the safety properties of Raft, one file each.
//
// An invariant is a check on facts. The machine of package spec says what
// became a fact with each step; an invariant remembers what it needs of the
// earlier ones and says whether the new one agrees. Facts never expire, so an
// invariant is stated over terms and indexes and not over the order of lines,
// and skewed clocks cannot make it fail. Each check is O(1) amortised.
package invariants
