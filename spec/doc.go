// Package spec is the reference state machine of Raft: what the specification
// allows a server to do, and what it has to leave alone.
//
// The machine is fed one [Action] at a time. An action is what one line of a
// trace says: which server did what, with which message, and which values the
// line claims for the server's variables before or after the step. The machine
// keeps two things. The view is what it knows of each server now: its term,
// role, vote, log and commit index, each of which may be unknown. The facts are
// what can never become untrue again: who voted for whom in a term, who led a
// term, what stands at an index, what is committed. A step that the view or the
// facts rule out is a [Breach]; a step that cannot be judged, because the trace
// does not show enough, is accepted and counted as assumed. Nothing that is
// unknown is ever a breach.
//
// The package is pure: it does no input or output, starts no goroutine, reads
// no clock and imports only the standard library. It knows nothing of files and
// formats; package ingest and the packages under adapters do.
//
// The names are those of the specification: Ongaro and Ousterhout's paper ("In
// Search of an Understandable Consensus Algorithm", cited as Raft §n), Ongaro's
// dissertation (cited as thesis §n) and his TLA+ module raft.tla, whose actions
// the small steps of this package are.
package spec
