package kraft

import (
	"github.com/tracecheck/tracecheck/spec"
	"github.com/tracecheck/tracecheck/spec/metadata"
)

// recordHeld applies a metadata record of the log on a server's disk.
func (m *Machine) recordHeld(n *node, a *Action) {
	if n.image == nil {
		n.image = metadata.New(false)
	}
	m.apply(n, n.image, &a.Record)
}

// snapshotRecordHeld applies a record of a snapshot. A snapshot that was read to its end
// is what the log before it comes to.
func (m *Machine) snapshotRecordHeld(n *node, a *Action) {
	if a.Record.Type == metadata.SnapshotHeader {
		n.load = metadata.New(true)
	}
	if n.load == nil {
		return
	}
	m.apply(n, n.load, &a.Record)
	if a.Record.Type != metadata.SnapshotFooter {
		return
	}
	n.ready, n.load = n.load, nil
	if n.image != nil && n.image.Whole() {
		if n.disk.known && n.disk.end == n.ends {
			if v := n.image.Compare(n.ready); m.decide(len(Rules)+v.Rule, v.Truth) {
				m.explain(n, &v, endsSnapshot)
			}
		}
		n.ready = nil
		return
	}
	m.comesTo(n, n.disk.end)
}

// comesTo: the log of a server comes to an offset. If a snapshot ends there, it is the image
// from there on, unless the log itself tells.
func (m *Machine) comesTo(n *node, offset uint64) {
	if n.ready == nil || n.ends != offset {
		return
	}
	if n.image == nil || !n.image.Whole() {
		n.image = n.ready
	}
	n.ready = nil
}

// apply shows a record to an image, and makes breaches of what is wrong with it.
func (m *Machine) apply(n *node, image *metadata.Image, r *metadata.Record) {
	verdicts := image.Apply(r, m.base.Ref())
	for i := range verdicts {
		v := &verdicts[i]
		if !m.decide(len(Rules)+v.Rule, v.Truth) {
			continue
		}
		m.explain(n, v, r.Type.String())
	}
}

// explain makes a breach of a verdict that fails.
func (m *Machine) explain(n *node, v *metadata.Verdict, what string) {
	b := m.breach(metadata.Rules[v.Rule], n, spec.FieldAction)
	b.Message = sprintf("in the metadata of server %s %s", m.base.Name(n.id), v.Message)
	if what == endsSnapshot {
		b.Message = sprintf("a snapshot of server %s is not what its log comes to: %s", m.base.Name(n.id), v.Message)
	}
	b.Allowed = v.Allowed
	if v.Ref != 0 {
		m.because(b, v.Ref, n.id, v.Earlier)
	}
	m.finish(b, what)
}

// endsSnapshot is what the last record of a snapshot does.
const endsSnapshot = "ends the snapshot"
