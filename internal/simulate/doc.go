// Package simulate is a small Raft cluster that runs by itself and says what it
// does. One seed decides everything: which message arrives next, which is lost
// or comes twice, who is cut off, who restarts, when the configuration changes.
// What it writes is what a well instrumented implementation would write, so it
// must conform; package mutate breaks it.
//
// It shares nothing with the reference machine but the types of actions: it is
// an implementation of Raft of its own, with whole logs and plain loops.
package simulate
