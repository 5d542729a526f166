package spec

// The rules about the trace itself, as far as only the machine can see them.
var (
	// RepeatedLine is noticed by whoever reads lines; the machine is told by
	// [SameLine] where it could be a step.
	RepeatedLine = &Rule{
		ID: "Q06", Name: "repeated-line",
		Statement: "no line stands in the trace twice in a row",
		Doc:       "A line that repeats the one before it to the byte, its time stamp or sequence number included, was written twice by whatever collected the log. It is not replayed again. Where a line has neither, the step may as well have been taken twice: it is replayed, and what it then breaks proves nothing (Q13).",
		Breaks:    "the same line, with its time stamp, twice in a row",
		Allowed:   "two lines that differ in the time stamp only",
		Causes:    "a collector that sends again after an error",
		Cite:      "docs/trace-format.md, seq",
		Faults:    "D2",
	}
	MessageSent = &Rule{
		ID: "Q08", Name: "message-was-sent",
		Statement: "every message that is received was sent",
		Doc:       "A message without a sender says that the trace misses lines, so what follows is judged with less certainty. It is never a violation. Messages may be lost, late or repeated.",
		Breaks:    "2 receives a heartbeat of 1; no line of 1 sends one",
		Allowed:   "1 sends a heartbeat; 2 receives it twice, or never",
		Causes:    "log files that are missing, rotated away or cut, clocks so far apart that the files are merged in the wrong order, sends that are logged at another level",
		Cite:      "raft.tla Receive: m ∈ DOMAIN messages",
		Needs:     ShowsSends | ShowsReceives,
		Faults:    "D1 D6",
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
	TimeGoesOn = &Rule{
		ID: "Q07", Name: "time-goes-on",
		Statement: "the time stamps of a server's lines never go back",
		Doc:       "A server writes its lines in the order in which things happen. One with an earlier time than the line before is out of order or comes again, or the clock was set back: none of that can be told apart, so such lines are passed over until the clock has caught up, or a few lines in a row show that one before them was stamped too late. Times of different servers are not compared.",
		Breaks:    "a line of server 2 of 10:00:07, then its line of 10:00:05",
		Allowed:   "a line of server 2 of 10:00:07, a line of server 3 of 10:00:05, another of server 2 of 10:00:07",
		Causes:    "a log shown newest first, files joined in the wrong order, a collector that sends again, a clock that was set back",
		Faults:    "D2 D10",
	}
	ChangeHasLine = &Rule{
		ID: "Q14", Name: "change-has-its-line",
		Statement: "where a source writes a line for every change of a value, the value changes on such a line",
		Doc:       "The code that changes a role or a term writes the line that says so. Another line that shows it changed says that lines are missing, and what the server did meanwhile is unknown.",
		Breaks:    "a follower of term 2 sends a heartbeat as leader of term 3; no line of it becomes candidate or leader",
		Allowed:   "it becomes candidate of term 3, becomes leader, and sends a heartbeat",
		Causes:    "a log file that was rotated away, a collector that drops lines under load",
		Cite:      "docs/trace-format.md, rolesAnnounced and entriesAnnounced",
		Faults:    "D1 D6",
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
