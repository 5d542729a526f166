package adapters

import "github.com/tracecheck/tracecheck/spec"

// The rules about the trace itself. A finding under one of them is never a
// protocol violation.
var (
	LineTooLong = &spec.Rule{
		ID: "Q01", Name: "line-too-long",
		Statement: "a line is at most 16 MiB long",
		Doc:       "A longer line is not read into memory. It counts as damaged, reading goes on after it, and what it said is unknown from there on.",
		Faults:    "D12",
	}
	InvalidText = &spec.Rule{
		ID: "Q02", Name: "invalid-text",
		Statement: "a trace is UTF-8 text without control bytes",
		Doc:       "Bytes that are not UTF-8, or NULs, come from a torn write, a disk error or a binary file in the wrong place.",
		Faults:    "D12",
	}
	CutLine = &spec.Rule{
		ID: "Q03", Name: "cut-line",
		Statement: "every line is whole",
		Doc:       "A line that does not parse was cut by a crash, by rotation or by a copy in mid-write, or had another line written into it. What it said is unknown.",
		Faults:    "D05 D12",
	}
	DuplicateKey = &spec.Rule{
		ID: "Q04", Name: "duplicate-key",
		Statement: "a JSON object has each key once",
		Doc:       "Readers disagree on which of two values counts. The last one is taken, as encoding/json does.",
		Faults:    "D13",
	}
	InexactNumber = &spec.Rule{
		ID: "Q05", Name: "inexact-number",
		Statement: "a number that names something is an integer of at most 2^53 or a string",
		Doc:       "Tools that hold JSON numbers as doubles round integers above 2^53, so two servers may end up with one id. The digits are read exactly; whether the writer rounded them cannot be seen.",
		Faults:    "D14",
	}
	RepeatedLine = &spec.Rule{
		ID: "Q06", Name: "repeated-line",
		Statement: "no line stands in the trace twice in a row",
		Doc:       "A line that repeats the one before it to the byte, its time stamp or sequence number included, was written twice by whatever collected the log. It is not replayed again.",
		Faults:    "D02",
	}
	UnknownKey = &spec.Rule{
		ID: "Q09", Name: "unknown-key",
		Statement: "every key of a line in the native format is one that the format has",
		Doc:       "A misspelt key says nothing, and so weakens the check without anybody noticing.",
	}
)

// QualityRules are the rules about the trace itself, in order.
var QualityRules = []*spec.Rule{
	LineTooLong, InvalidText, CutLine, DuplicateKey, InexactNumber, RepeatedLine, UnknownKey,
}
