// Package replay steps the reference machine through the actions of a trace,
// lets the invariants look at what became a fact, and collects what is found
// and what was covered.
//
// It takes actions from anywhere: a file's adapter, a slice in a test, a
// simulator. It knows neither files nor formats.
package replay
