package native

import (
	"slices"

	"pgregory.net/rapid"

	"github.com/tracecheck/tracecheck/spec"
)

// Random actions: everything that the fields of spec.Action can say, whether or
// not any Raft would do it. A field whose bit is not in Has is zero, as its
// comment demands.

var names = []string{"1", "2", "n3", "none", `a "b"\`, "ключ", "\u2028 <&>", "9007199254740993"}

func drawGroups(t *rapid.T) *spec.Groups {
	groups := &spec.Groups{}
	titles := rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"", "7", "shard/1"}), 1, 3, rapid.ID).Draw(t, "groups")
	for _, title := range titles {
		g := groups.Get(title, drawProfile(t), spec.Facts(rapid.Uint32Range(0, 1<<len(factNames)-1).Draw(t, "shows")))
		for _, name := range rapid.Permutation(names).Draw(t, "names") {
			g.Server([]byte(name))
		}
	}
	return groups
}

func drawProfile(t *rapid.T) spec.Profile {
	if rapid.Bool().Draw(t, "preset") {
		return Presets[rapid.SampledFrom([]string{"raft", "paper", "etcd-raft", "hashicorp", "ccf"}).Draw(t, "profile")]
	}
	p := spec.Profile{Name: rapid.SampledFrom([]string{"", "mine", "etcd-raft"}).Draw(t, "profile")}
	for i := range profileFlags {
		*profileFlags[i].at(&p) = rapid.Bool().Draw(t, profileFlags[i].key)
	}
	p.BootstrapTerm = number(t)
	return p
}

func drawAction(t *rapid.T, g *spec.Group) spec.Action {
	a := spec.Action{
		Kind:  spec.Kind(rapid.Uint8Range(0, uint8(spec.NumKinds)-1).Draw(t, "kind")),
		Flags: spec.ActionFlags(rapid.Uint8Range(0, 1<<len(flagNames)-1).Draw(t, "flags")),
		Group: g.Index, Server: server(t, g), Seq: number(t), Index: number(t), Term: number(t),
		Before: drawState(t, g), After: drawState(t, g),
	}
	if rapid.Bool().Draw(t, "peer") {
		a.Peer = server(t, g)
	}
	if a.HasHash = rapid.Bool().Draw(t, "hash"); a.HasHash {
		a.Hash = rapid.Uint64().Draw(t, "hash")
	}
	for range rapid.IntRange(0, 3).Draw(t, "entries") {
		a.Entries = append(a.Entries, drawEntry(t, g))
	}
	carries := []spec.Kind{spec.Send, spec.Receive, spec.DropMessage, spec.DuplicateMessage}
	if slices.Contains(carries, a.Kind) || rapid.Bool().Draw(t, "message") {
		a.Message = drawMessage(t, g, &a)
	}
	return a
}

func drawState(t *rapid.T, g *spec.Group) (s spec.State) {
	s.Has = spec.StateFields(rapid.Uint16Range(0, uint16(spec.HasCommittable)<<1-1).Draw(t, "state"))
	draw := func(bit spec.StateFields, field *uint64) {
		if s.Has&bit != 0 {
			*field = number(t)
		}
	}
	draw(spec.HasTerm, &s.CurrentTerm)
	draw(spec.HasLastIndex, &s.LastIndex)
	draw(spec.HasLastTerm, &s.LastTerm)
	draw(spec.HasCommit, &s.CommitIndex)
	draw(spec.HasApplied, &s.AppliedIndex)
	draw(spec.HasSnapshot, &s.SnapshotIndex)
	draw(spec.HasSnapshot, &s.SnapshotTerm)
	draw(spec.HasFirstIndex, &s.FirstIndex)
	draw(spec.HasCommittable, &s.Committable)
	if s.Has&spec.HasRole != 0 {
		s.Role = spec.Role(rapid.Uint8Range(uint8(spec.Follower), uint8(spec.Leader)).Draw(t, "role"))
	}
	if s.Has&spec.HasVote != 0 && rapid.Bool().Draw(t, "voted") {
		s.VotedFor = server(t, g)
	}
	if s.Has&spec.HasConfig != 0 {
		s.Config = drawConfig(t, g)
	}
	return s
}

func drawMessage(t *rapid.T, g *spec.Group, a *spec.Action) (m spec.Message) {
	m.Type = spec.MessageType(rapid.Uint8Range(1, uint8(spec.NumMessageTypes)-1).Draw(t, "type"))
	m.Has = spec.MessageFields(rapid.Uint16Range(0, uint16(spec.MsgTransfer)<<1-1).Draw(t, "fields"))
	draw := func(bit spec.MessageFields, field *uint64) {
		if m.Has&bit != 0 {
			*field = number(t)
		}
	}
	draw(spec.MsgTerm, &m.Term)
	draw(spec.MsgLogIndex, &m.LogIndex)
	draw(spec.MsgLogTerm, &m.LogTerm)
	draw(spec.MsgEntries, &m.Entries)
	draw(spec.MsgLastTerm, &m.LastTerm)
	draw(spec.MsgCommit, &m.Commit)
	draw(spec.MsgMatch, &m.Match)
	draw(spec.MsgID, &m.ID)
	if m.Has&spec.MsgEntries != 0 && rapid.Bool().Draw(t, "own entries") {
		m.Entries = uint64(len(a.Entries))
	}
	m.Success = m.Has&spec.MsgSuccess != 0 && rapid.Bool().Draw(t, "success")
	m.Transfer = m.Has&spec.MsgTransfer != 0 && rapid.Bool().Draw(t, "transfer")
	m.From, m.To = server(t, g), server(t, g)
	return m
}

func drawEntry(t *rapid.T, g *spec.Group) spec.Entry {
	e := spec.Entry{
		Kind:    spec.EntryKind(rapid.Uint8Range(0, uint8(spec.Signature)).Draw(t, "entry")),
		HasHash: rapid.Bool().Draw(t, "hash"), Index: number(t), Term: number(t),
	}
	if e.HasHash {
		e.Hash = rapid.Uint64().Draw(t, "hash")
	}
	if e.Kind == spec.Configuration {
		e.Config = drawConfig(t, g)
	}
	return e
}

// drawConfig draws a simple or joint configuration, one of many sets, with or
// without learners, or none.
func drawConfig(t *rapid.T, g *spec.Group) spec.ConfigID {
	set := func() (s spec.Set) {
		for range rapid.IntRange(0, 3).Draw(t, "members") {
			s.Add(server(t, g))
		}
		return s
	}
	var c spec.Config
	for range rapid.IntRange(0, 3).Draw(t, "quorums") {
		c.Quorums = append(c.Quorums, set())
	}
	c.Learners = set()
	return g.Config(c)
}

func server(t *rapid.T, g *spec.Group) spec.ID {
	return spec.ID(rapid.IntRange(1, g.Servers()).Draw(t, "server"))
}

// number draws a number, often a small one or none, and now and then one that a
// double cannot hold.
func number(t *rapid.T) uint64 {
	return rapid.OneOf(rapid.Uint64Range(0, 5), rapid.Uint64()).Draw(t, "number")
}

func sorted(s []string) []string {
	slices.Sort(s)
	return s
}
