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
	LinesInSequence = &Rule{
		ID: "Q12", Name: "lines-in-sequence",
		Statement: "the numbered lines of a server come one after the other",
		Doc:       "Where each server counts its lines, a line that is missing, repeated or out of order can be told from a fault. After missing lines the server's state is unknown; a repeated or late line is passed over.",
		Breaks:    "line 7 of server 2, then its line 9",
		Allowed:   "line 7 of server 2, line 4 of server 3, line 8 of server 2; a restart that counts from 1 again",
		Causes:    "a log collector that drops lines under load, a file that was rotated away, two copies of one file",
		Cite:      "docs/trace-format.md, seq",
		Faults:    "D1 D2 D6 D10",
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
