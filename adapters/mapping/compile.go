package mapping

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/tracecheck/tracecheck/spec"
)

// Mapping is a file that was found to be in order.
type Mapping struct {
	Name, Title, Doc string
	Tests            []Test

	profile   spec.Profile
	shows     spec.Facts
	envelope  *pattern        // nil: the whole line, or JSON
	toTheEnd  bool            // the message is all that follows the envelope
	json      map[string]text // paths by what they hold; nil: no JSON
	mark      words           // none: every line is of the source
	detect    []*pattern
	sentinels []*pattern
	rows      []*row
}

// row is one kind of line. Without an action it is known to say nothing that could
// be checked; it may change what is remembered all the same.
type row struct {
	line
	pattern *pattern
	begin   *pattern // of a record of several lines: its first
	fields  map[string]string
	acts    bool
	kind    spec.Kind
	message spec.MessageType
	set     []value
	forget  []string
	needs   []string
	server  value
	group   value
	peer    value
	index   value
	term    value
	before  []value
	after   []value
	about   []value // the message's fields
	entry   []value
}

// value is a key with what it gets: a literal, or a captured or remembered value.
type value struct {
	key, text string
	variable  bool
	template  []value // of "${a} ${b}": texts and variables in turn
}

// actions are the specification's names of steps.
var actions = func() map[string][2]int {
	m := make(map[string][2]int)
	for k := range spec.NumKinds {
		if k != spec.Send && k != spec.Receive {
			m[k.String()] = [2]int{int(k), 0}
			continue
		}
		for t := spec.RequestVoteRequest; t < spec.NumMessageTypes; t++ {
			m[spec.ActionName(k, t)] = [2]int{int(k), int(t)}
		}
	}
	return m
}()

var stateKeys = map[string]spec.StateFields{
	"role": spec.HasRole, "currentTerm": spec.HasTerm, "votedFor": spec.HasVote, "lastIndex": spec.HasLastIndex,
	"lastTerm": spec.HasLastTerm, "commitIndex": spec.HasCommit, "appliedIndex": spec.HasApplied,
	"snapshotIndex": spec.HasSnapshot, "snapshotTerm": spec.HasSnapshot, "firstIndex": spec.HasFirstIndex,
}

var messageKeys = map[string]spec.MessageFields{
	"from": 0, "to": 0, "term": spec.MsgTerm, "logIndex": spec.MsgLogIndex, "logTerm": spec.MsgLogTerm,
	"entries": spec.MsgEntries, "lastTerm": spec.MsgLastTerm, "commit": spec.MsgCommit,
	"success": spec.MsgSuccess, "match": spec.MsgMatch,
}

var entryKeys = map[string]bool{"index": true, "term": true, "contents": true}

var factNames = map[string]spec.Facts{
	"term": spec.ShowsTerm, "role": spec.ShowsRole, "vote": spec.ShowsVote, "lastIndex": spec.ShowsLastIndex,
	"logTerms": spec.ShowsLogTerms, "contents": spec.ShowsContents, "commit": spec.ShowsCommit, "apply": spec.ShowsApply,
	"sends": spec.ShowsSends, "receives": spec.ShowsReceives, "restart": spec.ShowsRestart,
	"snapshots": spec.ShowsSnapshots, "preVote": spec.ShowsPreVote, "persist": spec.ShowsPersist,
}

// Parse reads a mapping file. Errors begin with file:line:column.
func Parse(name string, src []byte) (*Mapping, error) {
	f, err := decodeFile(name, src)
	if err != nil {
		return nil, err
	}
	m, err := f.compile()
	return m, place(name, err)
}

func (f *file) compile() (*Mapping, error) {
	if f.Name.string == "" {
		return nil, f.Name.errorf("the key name is missing: what the mapping is called")
	}
	m := &Mapping{Name: f.Name.string, Title: f.Title, Doc: f.Doc, Tests: f.Tests, profile: f.Profile.spec(f.Name.string)}
	for _, s := range f.Shows {
		fact, ok := factNames[s.string]
		if !ok {
			return nil, s.errorf("unknown fact %q; there are %s", s.string, keys(factNames))
		}
		m.shows |= fact
	}
	if err := f.Envelope.compile(m); err != nil {
		return nil, err
	}
	var err error
	if m.detect, err = patterns(f.Detect); err != nil {
		return nil, err
	}
	if m.sentinels, err = patterns(f.Sentinels); err != nil {
		return nil, err
	}
	for i := range f.Lines {
		r, err := f.Lines[i].compile(m)
		if err != nil {
			return nil, err
		}
		m.rows = append(m.rows, r)
	}
	for _, why := range slices.Sorted(maps.Keys(f.Ignore)) {
		p, err := compilePattern(f.Ignore[why])
		if err != nil {
			return nil, err
		}
		m.rows = append(m.rows, &row{line: line{Why: why}, pattern: p})
	}
	if len(m.rows)+len(m.sentinels) == 0 {
		return nil, f.Name.errorf("there is neither a line nor a sentinel to look for")
	}
	return m, nil
}

func (p profile) spec(name string) spec.Profile {
	return spec.Profile{
		Name: name, SelfVoteOnTimeout: p.SelfVoteOnTimeout, SelfAck: p.SelfAck, ConfigOnApply: p.ConfigOnApply,
		AppliesCommandsOnly: p.AppliesCommandsOnly, SendsAfterStepDown: p.SendsAfterStepDown,
		AsksBeforeVoting: p.AsksBeforeVoting, CountsByFormerConfig: p.CountsByFormerConfig,
		ReplyInRequestTerm: p.ReplyInRequestTerm, BootstrapTerm: p.BootstrapTerm,
	}
}

// theRest is how most envelopes end. What follows is the message then, and the
// regular expression need not walk over it.
const theRest = "(?P<message>.*)$"

func (e *envelope) compile(m *Mapping) (err error) {
	switch {
	case e.Regexp.string != "" && len(e.JSON) > 0:
		return e.Regexp.errorf("an envelope is a regexp or json, not both")
	case len(e.JSON) > 0:
		if e.JSON["message"].string == "" {
			return e.Mark.errorf("envelope: json needs the path of message")
		}
		m.json = e.JSON
	case e.Regexp.string != "":
		before := e.Regexp
		if _, err := compilePattern(before); err != nil {
			return err
		}
		before.string, m.toTheEnd = strings.CutSuffix(before.string, theRest)
		if m.envelope, err = compilePattern(before); err != nil {
			return err
		}
		m.mark = m.envelope.words
	}
	if e.Mark.string != "" {
		m.mark = words{[]byte(e.Mark.string)}
	}
	return nil
}

func (l *line) compile(m *Mapping) (*row, error) {
	r := &row{line: *l, fields: make(map[string]string)}
	if l.Pattern.string == "" {
		return nil, l.Action.errorf("the key pattern is missing: the sentence to look for")
	}
	var err error
	if r.pattern, err = compilePattern(l.Pattern); err != nil {
		return nil, err
	}
	if l.Begin.string != "" {
		if r.begin, err = compilePattern(l.Begin); err != nil {
			return nil, err
		}
	}
	if l.Action.string != "" {
		step, ok := actions[l.Action.string]
		if !ok {
			return nil, l.Action.errorf("unknown action %q; there are %s", l.Action.string, keys(actions))
		}
		r.acts, r.kind, r.message = true, spec.Kind(step[0]), spec.MessageType(step[1])
	} else if l.Why == "" && len(l.Set) == 0 {
		return nil, l.Pattern.errorf("a line has an action, or else why it is ignored")
	}
	for k, path := range l.Fields {
		if m.json == nil {
			return nil, path.errorf("fields are paths into JSON, and the envelope is none")
		}
		r.fields[k] = path.string
	}
	return r, r.bind(m)
}

// bind looks at all the values of a row.
func (r *row) bind(m *Mapping) (err error) {
	known := func(k string) bool {
		if slices.Contains(r.pattern.names, k) || r.fields[k] != "" || m.json[k].string != "" {
			return true
		}
		return m.envelope != nil && slices.Contains(m.envelope.names, k) || k == "server" || k == "group"
	}
	bind := func(key string, t text) value {
		if strings.Contains(t.string, "${") {
			return value{key: key, template: parts(t.string)}
		}
		v, isVariable := strings.CutPrefix(t.string, "$")
		return value{key: key, text: v, variable: isVariable}
	}
	all := func(values map[string]text, allowed func(string) bool, names string) (list []value, err error) {
		for _, k := range slices.Sorted(maps.Keys(values)) {
			if allowed != nil && !allowed(k) {
				return nil, values[k].errorf("unknown key %q; there are %s", k, names)
			}
			list = append(list, bind(k, values[k]))
		}
		return list, nil
	}
	inState := func(k string) bool { _, ok := stateKeys[k]; return ok }
	inMessage := func(k string) bool { _, ok := messageKeys[k]; return ok }
	if r.set, err = all(r.Set, nil, ""); err != nil {
		return err
	}
	for _, s := range r.set {
		if s.variable && !known(s.text) {
			return r.Set[s.key].errorf("%q is not captured on this line", s.text)
		}
	}
	if r.before, err = all(r.Before, inState, keys(stateKeys)); err != nil {
		return err
	}
	if r.after, err = all(r.After, inState, keys(stateKeys)); err != nil {
		return err
	}
	if r.about, err = all(r.Message, inMessage, keys(messageKeys)); err != nil {
		return err
	}
	if r.entry, err = all(r.Entry, func(k string) bool { return entryKeys[k] }, keys(entryKeys)); err != nil {
		return err
	}
	for _, list := range []map[string]text{r.Before, r.After} {
		if role, ok := list["role"]; ok && !strings.HasPrefix(role.string, "$") && roleNamed(role.string) == spec.UnknownRole {
			return role.errorf("unknown role %q; there are Candidate, Follower, Leader, PreCandidate", role.string)
		}
	}
	if len(r.about) > 0 && r.message == spec.NoMessage {
		return r.Action.errorf("a step without a message has no message fields")
	}
	for _, t := range r.Needs {
		r.needs = append(r.needs, t.string)
	}
	for _, t := range r.Forget {
		r.forget = append(r.forget, t.string)
	}
	r.server, r.group, r.peer = bind("server", r.Server), bind("group", r.Group), bind("peer", r.Peer)
	r.index, r.term = bind("index", r.Index), bind("term", r.Term)
	return nil
}

// parts cuts "a ${b} c" into a text, a variable and a text.
func parts(s string) (list []value) {
	for {
		before, rest, found := strings.Cut(s, "${")
		if before != "" {
			list = append(list, value{text: before})
		}
		if !found {
			return list
		}
		name, after, _ := strings.Cut(rest, "}")
		list = append(list, value{text: name, variable: true})
		s = after
	}
}

func patterns(texts []text) (list []*pattern, err error) {
	for _, t := range texts {
		p, err := compilePattern(t)
		if err != nil {
			return nil, err
		}
		list = append(list, p)
	}
	return list, nil
}

// pattern is a regular expression with words that every match holds, so that most
// lines cost no regular expression.
type pattern struct {
	*regexp.Regexp
	words words
	names []string
}

func compilePattern(t text) (*pattern, error) {
	re, err := regexp.Compile(t.string)
	if err != nil {
		return nil, t.errorf("%v", err)
	}
	return &pattern{Regexp: re, words: wordsOf(t.string), names: re.SubexpNames()}, nil
}

func keys[V any](m map[string]V) string {
	return strings.Join(slices.Sorted(maps.Keys(m)), ", ")
}

func roleNamed(s string) spec.Role {
	for r := spec.Follower; r <= spec.Leader; r++ {
		if strings.EqualFold(r.String(), s) {
			return r
		}
	}
	return spec.UnknownRole
}
