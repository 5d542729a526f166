package conversation

import (
	"fmt"
	"strings"

	"github.com/tracecheck/tracecheck/spec"
)

// field is one variable of a server, in words.
type field struct{ name, value string }

// fields are the variables of a server as far as they are known.
func (c *conversation) fields(id spec.ID) (fields []field) {
	s := c.m.Server(id)
	if s == nil {
		return nil
	}
	add := func(has spec.StateFields, name, value string) {
		if s.Known&has == 0 {
			value = "?"
		}
		fields = append(fields, field{name, value})
	}
	number := func(has spec.StateFields, name string, n uint64) { add(has, name, fmt.Sprint(n)) }
	add(spec.HasRole, "role", s.Role.String())
	number(spec.HasTerm, "term", s.CurrentTerm)
	add(spec.HasVote, "votedFor", c.m.Name(s.VotedFor))
	add(spec.HasLastIndex, "log", c.m.TipText(s.Log))
	number(spec.HasCommit, "commit", s.CommitIndex)
	number(spec.HasApplied, "applied", s.Applied)
	number(spec.HasSnapshot, "snapshot", s.Snapshot)
	number(spec.HasFirstIndex, "first", s.FirstIndex)
	fields = append(fields, field{"config", c.configText(s.Config)})
	if s.Role == spec.Candidate {
		fields = append(fields, field{"votesGranted", c.setText(s.VotesGranted)})
	}
	if s.Role == spec.Leader {
		match := []string{}
		for id, n := range s.MatchIndex {
			if n > 0 {
				match = append(match, fmt.Sprintf("%s:%d", c.m.Name(spec.ID(id)), n))
			}
		}
		fields = append(fields, field{"matchIndex", strings.Join(match, " ")})
	}
	return fields
}

// changes writes what differs between two states of a server.
func changes(before, after []field) string {
	was := make(map[string]string)
	for _, f := range before {
		was[f.name] = f.value
	}
	var parts []string
	for _, f := range after {
		old, had := was[f.name]
		switch {
		case had && old == f.value, !had && (f.value == "" || f.value == "?" || f.value == "{}"):
		case !had || old == "":
			parts = append(parts, f.name+" "+f.value)
		default:
			parts = append(parts, fmt.Sprintf("%s %s→%s", f.name, old, f.value))
		}
	}
	return strings.Join(parts, ", ")
}

// views writes every server of the conversation.
func (c *conversation) views() string {
	var b strings.Builder
	for id := 1; id <= c.group.Servers(); id++ {
		if s := c.m.Server(spec.ID(id)); s != nil {
			fmt.Fprintln(&b, strings.TrimPrefix(c.m.View(s), "server "))
		}
	}
	if b.Len() == 0 {
		return "nothing is known\n"
	}
	return b.String()
}

func (c *conversation) setText(set spec.Set) string {
	names := []string{}
	for _, id := range set.Members() {
		names = append(names, c.m.Name(id))
	}
	return "{" + strings.Join(names, ",") + "}"
}

func (c *conversation) configText(id spec.ConfigID) string {
	config := c.group.ConfigOf(id)
	if config == nil {
		return "?"
	}
	parts := []string{}
	for _, q := range config.Quorums {
		parts = append(parts, c.setText(q))
	}
	text := strings.Join(parts, "+")
	if config.Learners.Len() > 0 {
		text += "/" + c.setText(config.Learners)
	}
	return text
}

var factKinds = [...]string{
	"Elected", "Voted", "Persisted", "TermMoved", "LogMoved", "Diverged", "Content", "Committed", "Applied",
	"Incarnated", "Sent", "StateShown",
}

// factText writes a fact: who, and what of its fields is set.
func (c *conversation) factText(f *spec.Fact) string {
	text := factKinds[f.Kind] + " " + c.m.Name(f.Server)
	if f.Peer != spec.Nil {
		text += " for " + c.m.Name(f.Peer)
	}
	if f.Term != 0 {
		text += fmt.Sprintf(", term %d", f.Term)
	}
	switch {
	case f.Kind == spec.TermMoved:
		text += fmt.Sprintf(" after %d", f.Old)
	case f.Kind == spec.LogMoved:
		text += fmt.Sprintf(", log %s→%s", c.m.TipText(f.OldTip), c.m.TipText(f.Tip))
	case f.Tip.Index != 0:
		text += ", log " + c.m.TipText(f.Tip)
	case f.Index != 0:
		text += fmt.Sprintf(", index %d", f.Index)
	}
	return text
}
