package spec

import (
	"fmt"
	"sort"
	"strings"
)

var sprintf = fmt.Sprintf

// breach begins a breach of a rule at the present action. What follows of the
// action is adopted without further checks.
func (m *Machine) breach(r *Rule, s *Server) *Breach {
	m.quiet = true
	b := &Breach{
		Rule: r, Group: m.Group.Index, Server: s.ID, Ref: m.ref,
		Before: m.viewBefore(s), Step: m.stepOf(m.action),
	}
	m.Breaches = append(m.Breaches, b)
	return b
}

// flaw begins a finding about the trace. Unlike a breach it leaves the action to
// be judged.
func (m *Machine) flaw(r *Rule, s *Server) *Breach {
	b := &Breach{Rule: r, Group: m.Group.Index, Server: s.ID, Ref: m.ref, Before: m.viewBefore(s), Step: m.stepOf(m.action)}
	m.Breaches = append(m.Breaches, b)
	return b
}

// stepOf names the step that an action is.
func (m *Machine) stepOf(a *Action) string {
	if m.protocol != nil {
		return m.protocol.StepName(a)
	}
	s := a.Name() + "(" + m.name(a.Server)
	switch msg := &a.Message; {
	case a.Kind == Send && msg.To != Nil:
		s += " → " + m.name(msg.To)
	case a.Kind == Receive && msg.From != Nil:
		s += " ← " + m.name(msg.From)
	case a.Peer != Nil:
		s += " → " + m.name(a.Peer)
	}
	if a.Message.Has&MsgTerm != 0 {
		s += sprintf(", term %d", a.Message.Term)
	}
	return s + ")"
}

func (m *Machine) name(id ID) string { return m.Group.NameOf(id) }

// tip writes a log position as index@term.
func (m *Machine) tip(t Tip) string {
	if t.Index == 0 {
		return "0"
	}
	if term, known := m.Lineage.Term(t); known {
		return sprintf("%d@%d", t.Index, term)
	}
	return sprintf("%d@?", t.Index)
}

// position writes a log position that a message names.
func position(index, term uint64) string {
	if index == 0 {
		return "0"
	}
	return sprintf("%d@%d", index, term)
}

// viewBefore writes what was known of a server before the present action.
func (m *Machine) viewBefore(s *Server) string {
	if m.action == nil || s.ID != m.action.Server {
		return m.View(s)
	}
	return m.View(&Server{ID: s.ID, Standing: m.was})
}

// View writes what is known of a server:
// "server 4: Follower  term 2  votedFor 2  log 5@1  commit 5".
func (m *Machine) View(s *Server) string {
	parts := []string{"server " + m.name(s.ID) + ": " + s.Role.String()}
	number := func(f StateFields, name string, v uint64) {
		if s.knows(f) {
			parts = append(parts, sprintf("%s %d", name, v))
		} else {
			parts = append(parts, name+" ?")
		}
	}
	number(HasTerm, "term", s.CurrentTerm)
	if s.knows(HasVote) {
		parts = append(parts, "votedFor "+m.name(s.VotedFor))
	} else {
		parts = append(parts, "votedFor ?")
	}
	if s.knows(HasLastIndex) {
		parts = append(parts, "log "+m.tip(s.Log))
	} else {
		parts = append(parts, "log ?")
	}
	number(HasCommit, "commit", s.CommitIndex)
	if s.knows(HasApplied) {
		number(HasApplied, "applied", s.Applied)
	}
	return strings.Join(parts, "  ")
}

// configText writes a configuration: "{1 2 3}", "{1 2 3}+{1 4}".
func (m *Machine) configText(c *Config) string {
	if c == nil {
		return "?"
	}
	parts := make([]string, len(c.Quorums))
	for i := range c.Quorums {
		parts[i] = m.setText(c.Quorums[i])
	}
	s := strings.Join(parts, "+")
	if c.Learners.Len() > 0 {
		s += " learners " + m.setText(c.Learners)
	}
	if s == "" {
		return "{}"
	}
	return s
}

func (m *Machine) setText(set Set) string {
	names := []string{}
	for _, id := range set.Members() {
		names = append(names, m.name(id))
	}
	return "{" + strings.Join(names, " ") + "}"
}

// because adds an earlier line to a breach's evidence.
func (m *Machine) because(b *Breach, ref Ref, server, peer ID, sends bool, what, change string) {
	if ref == 0 || ref == m.ref {
		return
	}
	e := Evidence{Ref: ref, Server: m.name(server), Sends: sends, What: what, Change: change}
	if peer != Nil {
		e.Peer = m.name(peer)
	}
	b.Why = append(b.Why, e)
}

// becauseOf adds the line that changed a variable of s last.
func (m *Machine) becauseOf(b *Breach, s *Server, variable int) {
	c := &s.last[variable]
	if c.ref == 0 {
		return
	}
	name := [...]string{"term", "role", "votedFor", "log", "commit"}[variable]
	var change string
	switch variable {
	case varRole:
		change = sprintf("%s %s→%s", name, Role(c.from), Role(c.to))
	case varVote:
		change = sprintf("%s %s→%s", name, m.name(ID(c.from)), m.name(ID(c.to)))
	default:
		change = sprintf("%s %d→%d", name, c.from, c.to)
	}
	m.because(b, c.ref, s.ID, c.peer, c.kind == Send, deed(c), change)
}

// deed says in plain words what the action was that made a change.
func deed(c *change) string {
	switch c.kind {
	case Timeout:
		return "becomes candidate"
	case BecomeLeader:
		return "becomes leader"
	case BecomeFollower:
		return "becomes follower"
	case Restart:
		return "restarts"
	case Send:
		if c.message == RequestVoteResponse {
			return "grants"
		}
	case Observe:
		return "shows"
	}
	return ActionName(c.kind, c.message)
}

// finish puts the evidence of a breach into the order of the lines, without
// repeats, and ends it with the line of the breach itself.
func (m *Machine) finish(b *Breach, what string) {
	sort.SliceStable(b.Why, func(i, j int) bool { return b.Why[i].Ref < b.Why[j].Ref })
	kept := b.Why[:0]
	for _, e := range b.Why {
		if n := len(kept); n > 0 && kept[n-1].Ref == e.Ref && kept[n-1].Server == e.Server {
			last := &kept[n-1]
			if e.Change != "" && !strings.Contains(last.Change, e.Change) {
				last.Change = strings.TrimPrefix(last.Change+", "+e.Change, ", ")
			}
			continue
		}
		kept = append(kept, e)
	}
	b.Why = kept
	a := m.action
	e := Evidence{Ref: m.ref, Server: m.name(a.Server), What: what}
	switch {
	case a.Kind == Send && a.Message.To != Nil:
		e.Peer, e.Sends = m.name(a.Message.To), true
	case a.Kind == Receive && a.Message.From != Nil:
		e.Peer = m.name(a.Message.From)
	}
	b.Why = append(b.Why, e)
}

// moved records what changed a variable, for later evidence.
func (m *Machine) moved(s *Server, variable int, from, to uint64) {
	a := m.action
	if a == nil {
		return
	}
	c := change{ref: m.ref, kind: a.Kind, message: a.Message.Type, from: from, to: to}
	switch a.Kind {
	case Send:
		c.peer = a.Message.To
	case Receive:
		c.peer = a.Message.From
	}
	s.last[variable] = c
}
