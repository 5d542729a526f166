package conversation

import (
	"fmt"
	"strings"

	"github.com/cockroachdb/datadriven"

	"github.com/tracecheck/tracecheck/spec"
)

var facts = map[string]spec.Facts{
	"receives": spec.ShowsReceives, "sends": spec.ShowsSends, "persist": spec.ShowsPersist,
	"pre-votes": spec.ShowsPreVote, "votes": spec.ShowsVote, "roles": spec.ShowsRole,
}

// profiles are the words for the fields of a profile.
var profiles = map[string]func(p *spec.Profile){
	"raft-tla":          func(p *spec.Profile) { p.SelfVoteOnTimeout, p.MatchAsLastSaid = false, true },
	"self-ack":          func(p *spec.Profile) { p.SelfAck = true },
	"config-on-apply":   func(p *spec.Profile) { p.ConfigOnApply = true },
	"unchecked-configs": func(p *spec.Profile) { p.UncheckedConfigs = true },
	"signed":            func(p *spec.Profile) { p.SignedCommits = true },
	"bootstrap":         func(p *spec.Profile) { p.BootstrapTerm = 1 },
	"commit-late":       func(p *spec.Profile) { p.CommitFactsLate = true },
	"commands-only":     func(p *spec.Profile) { p.AppliesCommandsOnly = true },
	"last-match":        func(p *spec.Profile) { p.MatchAsLastSaid = true },
	"asks-first":        func(p *spec.Profile) { p.AsksBeforeVoting = true },
	"former-config":     func(p *spec.Profile) { p.CountsByFormerConfig = true },
	"announced":         func(p *spec.Profile) { p.RolesAnnounced, p.EntriesAnnounced = true, true },
	"votes-unsent":      func(p *spec.Profile) { p.VoteAnswersUnsent = true },
	"request-term":      func(p *spec.Profile) { p.ReplyInRequestTerm = true },
}

// setUp makes the group and its machine, and starts the voters.
func (c *conversation) setUp(args []datadriven.CmdArg) error {
	profile, shows := spec.Profile{SelfVoteOnTimeout: true}, ^spec.Facts(0)&^spec.ShowsPersist
	var voters []string
	midway := false
	for _, arg := range args {
		switch arg.Key {
		case "voters":
			voters = arg.Vals
		case "midway":
			midway = true
		case "profile":
			for _, v := range arg.Vals {
				if profiles[v] == nil {
					return fmt.Errorf("there is no profile %s", v)
				}
				profiles[v](&profile)
			}
		case "hides":
			for _, v := range arg.Vals {
				shows &^= facts[v]
			}
		case "shows":
			for _, v := range arg.Vals {
				shows |= facts[v]
			}
		default:
			c.defaults = append(c.defaults, arg.Key+"="+strings.Join(arg.Vals, ","))
		}
	}
	c.group = c.groups.Get("", profile, shows)
	c.m = spec.New(c.group)
	for _, v := range voters {
		c.server(v)
	}
	if len(voters) > 0 {
		c.defaults = append(c.defaults, "config={"+strings.Join(voters, ",")+"}")
	}
	for _, v := range voters {
		if midway {
			break
		}
		if err := c.starts(v, nil); err != nil {
			return err
		}
	}
	return nil
}

func (c *conversation) server(name string) spec.ID {
	if name == "none" {
		return spec.Nil
	}
	return c.group.Server([]byte(name))
}

// line plays one line.
func (c *conversation) line(text string) error {
	words := strings.Fields(text)
	if text == "gap" {
		c.m.Gap()
		return nil
	}
	if len(words) < 2 {
		return fmt.Errorf("who does what?")
	}
	who, verb, rest := words[0], words[1], words[2:]
	switch verb {
	case "starts":
		return c.starts(who, rest)
	case "wins":
		return c.wins(who, rest)
	case "replicates":
		return c.replicates(who, rest)
	case "stores":
		return c.stores(who, rest)
	case "->", "<-", "=>":
		return c.message(text, who, verb, rest)
	}
	kind, known := kinds[verb]
	if !known {
		return fmt.Errorf("a server does not do %q", verb)
	}
	return c.one(text, who, kind, message{}, "", rest)
}

func (c *conversation) one(text, who string, kind spec.Kind, msg message, peer string, words []string) error {
	a, err := c.action(who, kind, msg, peer, words)
	if err != nil {
		return err
	}
	c.step(a, text)
	return nil
}

// message plays a line about a message: sent, received, or one after the other.
func (c *conversation) message(text, who, arrow string, words []string) error {
	if len(words) < 2 {
		return fmt.Errorf("what message, to whom?")
	}
	peer, name, rest := words[0], words[1], words[2:]
	msg, known := messages[name]
	if !known {
		return fmt.Errorf("there is no message %q", name)
	}
	if arrow != "<-" {
		if err := c.one(text, who, spec.Send, msg, peer, rest); err != nil {
			return err
		}
	}
	switch arrow {
	case "<-":
		return c.one(text, who, spec.Receive, msg, peer, rest)
	case "=>":
		for i, w := range rest {
			if w == "|" {
				rest = rest[:i]
				break
			}
		}
		return c.one(peer+" <- "+who+" "+strings.Join(words[1:2+len(rest)], " "), peer, spec.Receive, msg, who, rest)
	}
	return nil
}

// lines plays lines that a word stands for.
func (c *conversation) lines(texts ...string) error {
	for _, text := range texts {
		if err := c.line(text); err != nil {
			return fmt.Errorf("%s: %w", text, err)
		}
	}
	return nil
}

// starts gives a server a history that nobody has seen, and starts it: a later
// value of a name counts.
func (c *conversation) starts(who string, words []string) error {
	values := map[string]string{"term": "0", "vote": "none", "log": "", "commit": "0"}
	for _, w := range append(append([]string{}, c.defaults...), words...) {
		key, value, _ := strings.Cut(w, "=")
		values[key] = value
	}
	if values["applied"] == "" {
		values["applied"] = values["commit"]
	}
	last := "0"
	if log := strings.Split(values["log"], ","); values["log"] != "" {
		// Whatever the log holds was there before anything was seen.
		profile := c.group.Profile
		c.group.Profile.BootstrapTerm = ^uint64(0)
		err := c.lines(who+" restarts", who+" writes "+strings.Join(log, " "))
		c.group.Profile = profile
		if err != nil {
			return err
		}
		last = fmt.Sprint(c.m.Server(c.server(who)).Log.Index)
	}
	text := fmt.Sprintf("%s restarts term=%s vote=%s log=%s commit=%s applied=%s", who, values["term"], values["vote"],
		last, values["commit"], values["applied"])
	for _, key := range []string{"config", "snapshot", "first"} {
		if values[key] != "" {
			text += " " + key + "=" + values[key]
		}
	}
	return c.line(text)
}

// listed takes key=a,b from words.
func listed(words []string, key string) (list, rest []string) {
	for _, w := range words {
		if value, found := strings.CutPrefix(w, key+"="); found {
			list = strings.FieldsFunc(value, func(r rune) bool { return r == ',' })
		} else {
			rest = append(rest, w)
		}
	}
	return list, rest
}

// wins is an election: who asks each of the servers in from, and they grant.
func (c *conversation) wins(who string, words []string) error {
	from, rest := listed(words, "from")
	term := strings.Join(rest, " ")
	if err := c.line(who + " becomes-candidate " + term); err != nil {
		return err
	}
	last := c.m.TipText(c.m.Server(c.server(who)).Log)
	for _, v := range from {
		err := c.lines(fmt.Sprintf("%s => %s request-vote %s last=%s", who, v, term, last),
			fmt.Sprintf("%s => %s grants %s | %s vote=%s role=follower", v, who, term, term, who))
		if err != nil {
			return err
		}
	}
	return c.line(who + " becomes-leader " + term)
}

// replicates appends entries to a leader's log, if they are not there, and takes
// them to the servers in to.
func (c *conversation) replicates(who string, words []string) error {
	to, rest := listed(words, "to")
	commit, entries := listed(rest, "commit")
	a, err := c.action(who, spec.ClientRequest, message{}, "", entries)
	if err != nil {
		return err
	}
	leader := c.m.Server(c.server(who))
	first, last := a.Entries[0].Index, a.Entries[len(a.Entries)-1].Index
	if first > leader.Log.Index {
		if err := c.line(who + " appends " + strings.Join(entries, " ")); err != nil {
			return err
		}
	}
	if commit == nil {
		commit = []string{fmt.Sprint(leader.CommitIndex)}
	}
	prev, _ := c.m.Lineage.At(leader.Log, first-1)
	for _, peer := range to {
		err := c.lines(
			fmt.Sprintf("%s => %s append-entries term=%d prev=%s %s commit=%s", who, peer, leader.CurrentTerm, c.m.TipText(prev), strings.Join(entries, " "), commit[0]),
			fmt.Sprintf("%s shows term=%d role=follower log=%d", peer, leader.CurrentTerm, last),
			fmt.Sprintf("%s => %s accepts term=%d match=%d", peer, who, leader.CurrentTerm, last))
		if err != nil {
			return err
		}
	}
	return nil
}

// stores is a request of the leader in from that a follower takes.
func (c *conversation) stores(who string, words []string) error {
	from, entries := listed(words, "from")
	return c.replicates(from[0], append(entries, "to="+who))
}
