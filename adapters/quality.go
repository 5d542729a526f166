package adapters

import "github.com/tracecheck/tracecheck/spec"

// The rules about the trace itself. A finding under one of them is never a
// protocol violation.
var (
	LineTooLong = &spec.Rule{
		ID: "Q01", Name: "line-too-long",
		Statement: "a line is at most 16 MiB long",
		Doc:       "A longer line is not read into memory. It counts as damaged, reading goes on after it, and what it said is unknown from there on.",
		Breaks:    "a line of 20 MiB",
		Allowed:   "a line of 15 MiB",
		Causes:    "a binary file, or a log without line ends",
		Faults:    "D12",
	}
	InvalidText = &spec.Rule{
		ID: "Q02", Name: "invalid-text",
		Statement: "a trace is UTF-8 text without control bytes",
		Doc:       "Bytes that are not UTF-8, or NULs, come from a torn write, a disk error or a binary file in the wrong place.",
		Breaks:    "a line with a NUL or with the byte FF",
		Allowed:   "a line in UTF-8, whatever its language",
		Causes:    "a torn write, a compressed or binary file among the logs",
		Faults:    "D12",
	}
	CutLine = &spec.Rule{
		ID: "Q03", Name: "cut-line",
		Statement: "every line is whole",
		Doc:       "A line that does not parse was cut by a crash, by rotation or by a copy in mid-write, or had another line written into it. What it said is unknown.",
		Breaks:    "{\"name\":\"BecomeLe",
		Allowed:   "an empty line",
		Causes:    "a crash or a copy in mid-write, rotation, two writers on one file",
		Faults:    "D5 D12",
	}
	DuplicateKey = &spec.Rule{
		ID: "Q04", Name: "duplicate-key",
		Statement: "a JSON object has each key once",
		Doc:       "Readers disagree on which of two values counts. The last one is taken, as encoding/json does.",
		Breaks:    "{\"term\":1,\"term\":2}",
		Allowed:   "{\"term\":1,\"state\":{\"term\":2}}",
		Causes:    "fields of a logger and of the event written into one object",
		Faults:    "D13",
	}
	InexactNumber = &spec.Rule{
		ID: "Q05", Name: "inexact-number",
		Statement: "a number that names something is an integer of at most 2^53 or a string",
		Doc:       "Tools that hold JSON numbers as doubles round integers above 2^53, so two servers may end up with one id. The digits are read exactly; whether the writer rounded them cannot be seen.",
		Breaks:    "{\"node\":9007199254740993}",
		Allowed:   "{\"node\":\"9007199254740993\"}",
		Causes:    "64-bit ids that went through a tool that knows doubles only",
		Faults:    "D14",
	}
	UnknownKey = &spec.Rule{
		ID: "Q09", Name: "unknown-key",
		Statement: "every key of a line in the native format is one that the format has",
		Doc:       "A misspelt key says nothing, and so weakens the check without anybody noticing.",
		Breaks:    "{\"comit\":3}",
		Allowed:   "{\"commit\":3}",
		Causes:    "a misspelt key, a trace of a later version of the format",
	}
	ImplementationAlarm = &spec.Rule{
		ID: "Q11", Name: "implementation-alarm",
		Statement: "the implementation itself does not say that its consensus is broken",
		Doc:       "A sentence that an implementation prints when it finds itself in a state that cannot be. It is its own word, reported as such; whether a rule is broken is judged by what the lines show.",
		Breaks:    "tocommit(8) is out of range [lastIndex(3)]. Was the raft log corrupted, truncated, or lost?",
		Allowed:   "a warning about time, disks or peers",
		Causes:    "a data folder that was deleted, restored from an old copy or shared by two members",
		Faults:    "F95",
	}
	ClockAgainstCausality = &spec.Rule{
		ID: "Q15", Name: "clock-against-causality",
		Statement: "by the clocks of the servers, no message is received before it was sent",
		Doc:       "Where each server has a file of its own, the files are put into one order by causality: a message is received after it was sent, whatever the clocks say. A clock that says otherwise is wrong by at least the difference. It changes nothing about the verdict, and it misleads whoever reads the files side by side. Less than 5 ms, or than the stamps can show, is taken for the delay of the logger.",
		Breaks:    "1 sends at 10:00:05; 2 receives it at 10:00:01",
		Allowed:   "1 sends at 10:00:01; 2 receives it at 10:00:05",
		Causes:    "a server without NTP, a clock that was set, stamps in local time without their zone, which are taken for UTC",
		Faults:    "D6",
	}
	RecordsMissing = &spec.Rule{
		ID: "Q16", Name: "records-missing",
		Statement: "a source that numbers its records, as a topic does by offset, gives all of them",
		Doc:       "What the missing records said is unknown. Offsets of transaction markers, and those that compaction of the topic has taken away, are named as such where the broker tells them apart.",
		Breaks:    "offset 17 is followed by offset 40",
		Allowed:   "offset 17 is followed by offset 19, and 18 is the marker of a transaction",
		Causes:    "retention that removed segments while they were read, a compacted topic, an offset that was reset",
		Faults:    "D1",
	}
)

// QualityRules are the rules about the trace itself, in order.
var QualityRules = []*spec.Rule{
	LineTooLong, InvalidText, CutLine, DuplicateKey, InexactNumber, spec.RepeatedLine, UnknownKey, ImplementationAlarm, ClockAgainstCausality,
	RecordsMissing,
}
