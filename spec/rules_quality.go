package spec

// The rules about trace itself, as far as only the machine can see them.
var (
	MessageSent = &Rule{
		ID: "Q08", Name: "message-was-sent",
		Statement: "every message that is received was sent",
		Doc:       "A message without a sender says that the trace misses lines, so what follows is judged with less certainty. It is never a violation. Messages may be lost, late or repeated.",
		Breaks:    "2 receives a heartbeat of 1; no line of 1 sends one",
		Allowed:   "1 sends a heartbeat; 2 receives it twice, or never",
		Causes:    "log files that are missing, rotated away or cut, clocks so far apart that the files are merged in the wrong order, sends that are logged at another level",
		Cite:      "raft.tla Receive: m ∈ DOMAIN messages",
		Needs:     ShowsSends | ShowsReceives,
		Faults:    "D01 D06",
	}
	RestartShown = &Rule{
		ID: "Q10", Name: "restart-is-shown",
		Statement: "a server that starts again says so",
		Doc:       "A commit index that falls back to just what a server begins with, as a follower, is a restart whose line is missing, and is taken as one. A fall to anything else is C06.",
		Breaks:    "2, a follower whose snapshot ends at 5, shows commit 9, then commit 5",
		Allowed:   "the same with a restart of 2 between",
		Causes:    "a log file that begins anew, a process manager whose lines were filtered out, a trace that does not write its restarts",
		Cite:      "raft.tla Restart",
		Needs:     ShowsCommit | ShowsRestart,
		Faults:    "D11",
	}
)
