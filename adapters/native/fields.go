package native

import (
	"hash/fnv"
	"strconv"

	"github.com/tidwall/gjson"

	"github.com/tracecheck/tracecheck/adapters"
	"github.com/tracecheck/tracecheck/spec"
)

// server interns a name, which is a string or an integer.
func (d *decoder) server(v gjson.Result) spec.ID {
	switch v.Type {
	case gjson.Null:
		return spec.Nil
	case gjson.String:
		return d.group.Server([]byte(v.Str))
	case gjson.Number:
		if d.number(v) > 1<<53 {
			d.warn = adapters.InexactNumber
		}
		return d.group.Server([]byte(v.Raw))
	}
	d.bad = "a server is a string or an integer"
	return spec.Nil
}

// number reads an integer exactly.
func (d *decoder) number(v gjson.Result) uint64 {
	n, err := strconv.ParseUint(v.Raw, 10, 64)
	if v.Type != gjson.Number || err != nil {
		d.bad = "a number is negative, fractional or too large, or something else stands in its place"
	}
	return n
}

func (d *decoder) truth(v gjson.Result) bool {
	if v.Type != gjson.True && v.Type != gjson.False {
		d.bad = "true or false was expected"
	}
	return v.Type == gjson.True
}

// hash reads a hash: up to 16 hexadecimal digits are the hash itself, and any
// other text is hashed.
func hash(v gjson.Result) uint64 {
	s := v.String()
	if len(s) <= 16 {
		if h, err := strconv.ParseUint(s, 16, 64); err == nil {
			return h
		}
	}
	f := fnv.New64a()
	f.Write([]byte(s))
	return f.Sum64()
}

var roleByName = map[string]spec.Role{
	"Follower": spec.Follower, "PreCandidate": spec.PreCandidate, "Candidate": spec.Candidate, "Leader": spec.Leader,
}

// state reads the object of before or after.
func (d *decoder) state(v gjson.Result) (s spec.State) {
	if !v.IsObject() {
		d.bad = "before and after are objects"
		return s
	}
	v.ForEach(func(key, v gjson.Result) bool {
		switch key.Str {
		case "role":
			role, ok := roleByName[v.String()]
			if !ok {
				d.bad = "unknown role"
			}
			s.Role, s.Has = role, s.Has|spec.HasRole
		case "currentTerm":
			s.CurrentTerm, s.Has = d.number(v), s.Has|spec.HasTerm
		case "votedFor":
			s.VotedFor, s.Has = d.server(v), s.Has|spec.HasVote
		case "lastLogIndex":
			s.LastIndex, s.Has = d.number(v), s.Has|spec.HasLastIndex
		case "lastLogTerm":
			s.LastTerm, s.Has = d.number(v), s.Has|spec.HasLastTerm
		case "commitIndex":
			s.CommitIndex, s.Has = d.number(v), s.Has|spec.HasCommit
		case "lastApplied":
			s.AppliedIndex, s.Has = d.number(v), s.Has|spec.HasApplied
		case "config":
			s.Config, s.Has = d.config(v), s.Has|spec.HasConfig
		case "snapshotIndex":
			s.SnapshotIndex, s.Has = d.number(v), s.Has|spec.HasSnapshot
		case "snapshotTerm":
			s.SnapshotTerm = d.number(v)
		case "firstIndex":
			s.FirstIndex, s.Has = d.number(v), s.Has|spec.HasFirstIndex
		case "committable":
			s.Committable, s.Has = d.number(v), s.Has|spec.HasCommittable
		default:
			d.warn = UnknownKey
		}
		return d.bad == ""
	})
	return s
}

// message reads a message. The names of the paper differ by type; each stands
// for one field.
func (d *decoder) message(v gjson.Result, a *spec.Action) {
	if !v.IsObject() {
		d.bad = "message is an object"
		return
	}
	m := &a.Message
	v.ForEach(func(key, v gjson.Result) bool {
		switch key.Str {
		case "from":
			m.From = d.server(v)
		case "to":
			m.To = d.server(v)
		case "type":
			for t := spec.RequestVoteRequest; t < spec.NumMessageTypes; t++ {
				if t.String() == v.String() {
					m.Type = t
				}
			}
		case "term":
			m.Term, m.Has = d.number(v), m.Has|spec.MsgTerm
		case "prevLogIndex", "lastLogIndex", "lastIncludedIndex", "conflictIndex":
			m.LogIndex, m.Has = d.number(v), m.Has|spec.MsgLogIndex
		case "prevLogTerm", "lastLogTerm", "lastIncludedTerm", "conflictTerm":
			m.LogTerm, m.Has = d.number(v), m.Has|spec.MsgLogTerm
		case "entries":
			m.Has |= spec.MsgEntries
			if v.IsArray() {
				d.entries(v, a)
				m.Entries = uint64(len(a.Entries))
			} else {
				m.Entries = d.number(v)
			}
		case "lastEntryTerm":
			m.LastTerm, m.Has = d.number(v), m.Has|spec.MsgLastTerm
		case "leaderCommit":
			m.Commit, m.Has = d.number(v), m.Has|spec.MsgCommit
		case "voteGranted", "success":
			m.Success, m.Has = d.truth(v), m.Has|spec.MsgSuccess
		case "matchIndex":
			m.Match, m.Has = d.number(v), m.Has|spec.MsgMatch
		case "transfer":
			m.Transfer, m.Has = d.truth(v), m.Has|spec.MsgTransfer
		case "id":
			m.Has |= spec.MsgID
			if v.Type == gjson.Number {
				m.ID = d.number(v)
			} else {
				f := fnv.New64a()
				f.Write([]byte(v.String()))
				m.ID = f.Sum64()
			}
		default:
			d.warn = UnknownKey
		}
		return d.bad == ""
	})
}

var entryKinds = map[string]spec.EntryKind{
	"command": spec.Command, "config": spec.Configuration, "noop": spec.NoOp, "signature": spec.Signature,
}

func (d *decoder) entries(v gjson.Result, a *spec.Action) {
	if !v.IsArray() {
		d.bad = "entries is a list"
		return
	}
	v.ForEach(func(_, v gjson.Result) bool {
		var e spec.Entry
		if !v.IsObject() {
			d.bad = "an entry is an object"
			return false
		}
		v.ForEach(func(key, v gjson.Result) bool {
			switch key.Str {
			case "index":
				e.Index = d.number(v)
			case "term":
				e.Term = d.number(v)
			case "kind":
				kind, ok := entryKinds[v.String()]
				if !ok {
					d.bad = "unknown kind of entry"
				}
				e.Kind = kind
			case "hash":
				e.Hash, e.HasHash = hash(v), true
			case "config":
				e.Config = d.config(v)
				if e.Kind == spec.UnknownEntry {
					e.Kind = spec.Configuration
				}
			default:
				d.warn = UnknownKey
			}
			return d.bad == ""
		})
		a.Entries = append(a.Entries, e)
		return d.bad == ""
	})
}

// config reads a configuration: a list of voters, or an object with voters,
// outgoing and learners, or with quorums.
func (d *decoder) config(v gjson.Result) spec.ConfigID {
	var c spec.Config
	switch {
	case v.IsArray():
		c.Quorums = []spec.Set{d.set(v)}
	case v.IsObject():
		if q := v.Get("voters"); q.Exists() {
			c.Quorums = append(c.Quorums, d.set(q))
		}
		if q := v.Get("outgoing"); q.Exists() && len(q.Array()) > 0 {
			c.Quorums = append(c.Quorums, d.set(q))
		}
		v.Get("quorums").ForEach(func(_, q gjson.Result) bool {
			c.Quorums = append(c.Quorums, d.set(q))
			return true
		})
		if l := v.Get("learners"); l.Exists() {
			c.Learners = d.set(l)
		}
	default:
		d.bad = "a configuration is a list of voters or an object"
		return 0
	}
	return d.group.Config(c)
}

func (d *decoder) set(v gjson.Result) (s spec.Set) {
	if !v.IsArray() {
		d.bad = "a set of servers is a list"
		return s
	}
	v.ForEach(func(_, v gjson.Result) bool {
		if id := d.server(v); id != spec.Nil {
			s.Add(id)
		}
		return true
	})
	return s
}

var flagNames = []struct {
	name string
	flag spec.ActionFlags
}{
	{"tentative", spec.Tentative}, {"persisting", spec.Persisting}, {"durable", spec.Durable},
	{"hands-out", spec.HandsOut}, {"restarted", spec.Restarted},
}

var flagByName = map[string]spec.ActionFlags{
	"tentative": spec.Tentative, "persisting": spec.Persisting, "durable": spec.Durable,
	"hands-out": spec.HandsOut, "restarted": spec.Restarted,
}

// factNames are the names in shows: factNames[i] is the bit 1<<i of spec.Facts.
var factNames = []string{
	"terms", "roles", "votes", "last-index", "entry-terms", "entry-contents", "commit-index", "applied",
	"sends", "receives", "config", "config-entries", "restarts", "snapshots", "pre-votes", "reads",
	"persistence", "client-answers", "transfers", "progress",
}

var factByName = func() map[string]spec.Facts {
	m := make(map[string]spec.Facts)
	for i, name := range factNames {
		m[name] = 1 << i
	}
	return m
}()

func readProfile(v gjson.Result) spec.Profile {
	b := func(key string) bool { return v.Get(key).Bool() }
	return spec.Profile{
		Name: v.Get("name").String(), SelfVoteOnTimeout: b("selfVoteOnTimeout"), SelfAck: b("selfAck"),
		ConfigOnApply: b("configOnApply"), UncheckedConfigs: b("uncheckedConfigs"), SignedCommits: b("signedCommits"),
		BootstrapTerm: v.Get("bootstrapTerm").Uint(), CommitFactsLate: b("commitFactsLate"),
		AppliesCommandsOnly: b("appliesCommandsOnly"), MatchAsLastSaid: b("matchAsLastSaid"),
		ReplyInRequestTerm: b("replyInRequestTerm"),
	}
}

// spans maps the fields that findings point at to where the format has them.
var spans = [spec.NumFields][]string{
	spec.FieldAction: {"action"}, spec.FieldServer: {"server"}, spec.FieldPeer: {"message.to", "message.from", "peer"},
	spec.FieldRole: {"after.role", "before.role"}, spec.FieldTerm: {"after.currentTerm", "before.currentTerm"},
	spec.FieldVote: {"after.votedFor", "before.votedFor"}, spec.FieldLastIndex: {"after.lastLogIndex", "before.lastLogIndex"},
	spec.FieldLastTerm: {"after.lastLogTerm", "before.lastLogTerm"}, spec.FieldCommit: {"after.commitIndex", "before.commitIndex", "index"},
	spec.FieldApplied: {"after.lastApplied", "before.lastApplied"}, spec.FieldConfig: {"after.config", "before.config", "entries.0.config"},
	spec.FieldMessageTerm:    {"message.term"},
	spec.FieldMessageIndex:   {"message.prevLogIndex", "message.lastLogIndex", "message.matchIndex", "message.lastIncludedIndex", "message.conflictIndex"},
	spec.FieldMessageLogTerm: {"message.prevLogTerm", "message.lastLogTerm", "message.conflictTerm", "message.lastIncludedTerm"},
	spec.FieldMessageEntries: {"message.entries"}, spec.FieldMessageCommit: {"message.leaderCommit"},
	spec.FieldMessageResult: {"message.voteGranted", "message.success"},
	spec.FieldEntryIndex:    {"index", "entries.0.index", "message.entries.0.index"},
	spec.FieldEntryTerm:     {"term", "entries.0.term", "message.entries.0.term"},
	spec.FieldEntryHash:     {"entries.0.hash", "hash"}, spec.FieldSnapshotIndex: {"index", "after.snapshotIndex", "message.lastIncludedIndex"},
	spec.FieldSnapshotTerm: {"term", "after.snapshotTerm", "message.lastIncludedTerm"},
}

// Span implements [adapters.Decoder].
func (d *decoder) Span(line []byte, f spec.Field) (start, end int) {
	for _, path := range spans[f] {
		if start, end = adapters.JSONSpan(line, path); end > start {
			return start, end
		}
	}
	return 0, 0
}
