package mapping

import (
	"github.com/tracecheck/tracecheck/adapters"
)

// memory returns what is remembered of the server of a line; nil if there is
// nothing yet and none is to be made.
func (d *decoder) memory(r *reading, make bool) *memory {
	if m := d.memories[memoryKey{string(r.group), string(r.server)}]; m != nil || !make {
		return m
	}
	m := &memory{values: map[string]string{}}
	d.memories[memoryKey{string(r.group), string(r.server)}] = m
	return m
}

// remember does what the row says about the memory, after the action was filled.
func (d *decoder) remember(r *reading) {
	if r.memory == nil {
		return
	}
	for _, name := range r.row.forget {
		delete(r.memory.values, name)
	}
	for _, v := range r.row.set {
		if text := d.value(r, v); text != nil {
			r.memory.values[v.key] = string(text)
		} else {
			delete(r.memory.values, v.key)
		}
	}
}

// joins reports whether a record of several lines may be going on.
func (d *decoder) joins() bool {
	m := d.memories[memoryKey{}]
	return m != nil && m.row != nil
}

// begin is for a line of no row: it may be the first of a record.
//
// There is one record at a time, since the lines that go on with it mostly carry
// no name; a line between them that is of a row itself ends it.
func (d *decoder) begin(r *reading) adapters.Outcome {
	for _, row := range d.mapping.rows {
		if row.begin == nil || !row.begin.words.in(r.message) || !row.begin.Match(r.message) {
			continue
		}
		m := d.memories[memoryKey{}]
		if m == nil {
			m = &memory{values: map[string]string{}}
			d.memories[memoryKey{}] = m
		}
		m.row, m.lines, m.begun = row, 1, memoryKey{string(r.group), string(r.server)}
		m.record = append(m.record[:0], r.message...)
		return adapters.Outcome{Verdict: adapters.Ignored, Why: "part of a record"}
	}
	return d.unknown(r.line)
}

// join adds a line to the record that is going on. The line that completes it gives
// the record's action; the others are parts of it.
func (d *decoder) join(r *reading) (out adapters.Outcome, part bool) {
	m := d.memories[memoryKey{}]
	if d.find(r) || m.lines >= maxRecordLines || len(m.record)+len(r.message) > maxRecordBytes {
		m.row = nil
		return out, false
	}
	for _, row := range d.mapping.rows {
		if row.begin != nil && row.begin.Match(r.message) {
			m.row = nil
			return out, false // the next record
		}
	}
	m.record = append(append(m.record, ' '), r.message...)
	m.lines++
	if d.complete(r, m) {
		return out, false
	}
	return adapters.Outcome{Verdict: adapters.Ignored, Why: "part of a record"}, true
}

// complete looks whether the record is whole.
func (d *decoder) complete(r *reading, m *memory) bool {
	match := m.row.pattern.FindSubmatchIndex(m.record)
	if match == nil {
		return false
	}
	r.row, r.match, r.record = m.row, match, m.record
	r.group, r.server = []byte(m.begun.group), []byte(m.begun.server)
	m.row = nil
	return true
}
