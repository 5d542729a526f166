package hashicorp

import (
	"bytes"
	"cmp"
	"fmt"
	"path/filepath"
	"regexp"

	"github.com/tracecheck/tracecheck/spec"
)

// stream is the log of one server. A file has one, unless a collector has put
// several into it and says on each line whose it is. What it says of others is
// not compared: nothing tells whether two servers are of one cluster.
type stream struct {
	groups *spec.Groups
	group  *spec.Group
	key    string
	name   string
	id     spec.ID
	life   int // how many logs the server has had, each beginning empty

	address string // as the server calls itself
	self    string // its id, by which others know it
	started bool   // it has started since the last line that shows its address
	role    spec.Role
	mixed   bool

	stamp []byte // of the last line

	campaign  uint64 // term of the candidate line, while nothing has come after it
	restoring [2]uint64
	seen      bool

	configIndex uint64 // of the last initial configuration
	servers     string // the last configuration shown
}

// Introduce implements [adapters.Introduced]: the server is called as it calls
// itself in the first lines, or else as the file is called.
func (d *decoder) Introduce(file string, head [][]byte) {
	d.name = filepath.Base(file)
	address := ""
	for _, text := range head {
		if !d.line.readKnown(text) {
			continue
		}
		if own := d.line.address(); address == "" && len(own) > 0 {
			address = string(own)
		}
		for _, m := range idAndAddress.FindAllSubmatch(d.line.get("servers"), maxFields) {
			d.cluster = append(d.cluster, [2]string{string(m[2]), string(m[1])})
		}
	}
	d.name = cmp.Or(address, d.name)
}

// idAndAddress is a server in a configuration: {Suffrage:Voter ID:n1 Address:10.0.0.1:8300}.
var idAndAddress = regexp.MustCompile(`\bID:(\S+) Address:([^\s}]+)`)

// Member implements [adapters.Member]. A server calls itself by its address and the
// others by their ids; which are the same, a configuration tells.
func (d *decoder) Member(server string) {
	d.name, d.member = server, server+" "
	group := d.groups.Get("", profile, shows)
	for _, s := range d.cluster {
		group.Alias([]byte(s[1]), group.Server([]byte(s[0])))
	}
}

// maxStreams is how many servers in one file are told apart, maxLives how many
// logs that one of them has one after another.
const (
	maxStreams = 1024
	maxLives   = 1024
)

// stream returns the stream of a line, nil if there are too many.
func (d *decoder) stream(l *line) *stream {
	d.key = append(d.key[:0], l.module...)
	n := len(d.key)
	d.key = appendOuter(d.key, l.outer)
	if len(l.suffix) > 0 {
		d.key = append(append(d.key, ' '), l.suffix...)
	}
	if st := d.byKey[string(d.key)]; st != nil {
		return st
	}
	if len(d.byKey) == maxStreams {
		return nil
	}
	st := &stream{groups: d.groups, key: d.member + string(d.key), name: string(bytes.TrimSpace(d.key[n:]))}
	if st.name == "" || d.member != "" && len(d.byKey) == 0 {
		st.name = cmp.Or(d.name, "self")
	}
	d.byKey[string(d.key)] = st
	group := ""
	if len(d.byKey) > 1 {
		group = st.key
	}
	st.begin(group)
	return st
}

func (st *stream) begin(group string) {
	st.group = st.groups.Get(group, profile, shows)
	st.id = st.group.Server([]byte(st.name))
}

// appendOuter appends what stays the same of what a collector puts before the
// lines of a server: everything but time stamps and process ids.
func appendOuter(key, outer []byte) []byte {
	for len(outer) > 0 {
		var word []byte
		if at := bytes.IndexAny(outer, " \t"); at >= 0 {
			word, outer = outer[:at], outer[at+1:]
		} else {
			word, outer = outer, nil
		}
		if len(word) == 0 || timeWord(word) {
			continue
		}
		if at := bytes.IndexByte(word, '['); at > 0 {
			word = word[:at]
		}
		key = append(append(key, ' '), word...)
	}
	return key
}

// timeWord says whether a word is part of a time stamp.
func timeWord(w []byte) bool {
	if len(w) == 3 && bytes.Contains([]byte("Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec Mon Tue Wed Thu Fri Sat Sun UTC GMT"), w) {
		return true
	}
	if w[0] == '[' || w[0] == '(' || w[0] == '<' {
		w = w[1:]
	}
	return len(w) > 0 && w[0] >= '0' && w[0] <= '9' && bytes.Trim(w, "0123456789:.,-/+TZ])>") == nil
}

// identify learns who the server is, and says whether that can be told.
func (st *stream) identify(l *line, r *row) bool {
	if address := l.address(); len(address) > 0 {
		st.is(&st.address, address)
		st.started = false
	}
	if r.own {
		st.is(&st.self, l.get("id"))
	}
	st.turns(r.role)
	return !st.mixed
}

// is compares a name that the server gives to itself with the one it had. It may
// have another one after a start; otherwise there are two servers.
func (st *stream) is(known *string, name []byte) {
	switch {
	case len(name) == 0 || *known == string(name):
		return
	case *known == "":
	case st.started: // another server, or this one has moved
		st.name = string(name)
		st.beginAgain()
	default:
		st.mixed = true
	}
	*known = string(name)
}

// turns follows the server's role, of which every change has a line of one level.
// If it turns into what it cannot become, these are the lines of several servers,
// or lines are missing, and nothing is compared from there on.
func (st *stream) turns(r spec.Role) {
	switch {
	case r == spec.UnknownRole:
		return
	case r == spec.Candidate && st.role == spec.Leader, r == spec.Leader && st.role == spec.Follower:
		st.mixed = true
	}
	st.role = r
}

// late says whether a line was written before the last one: goroutines overtake
// each other by microseconds, collectors send a piece twice, files are joined in
// the wrong order, clocks are set. Whatever it was, the line does not say what
// came next.
func (st *stream) late(stamp []byte) bool {
	if len(stamp) == len(st.stamp) && bytes.Compare(stamp, st.stamp) < 0 {
		st.role = spec.UnknownRole
		return true
	}
	st.stamp = append(st.stamp[:0], stamp...)
	return false
}

// address returns how the server calls itself in a line: "Node at ADDRESS [Role]".
func (l *line) address() []byte {
	for i := range l.fields {
		switch f := &l.fields[i]; string(f.key) {
		case "follower", "node", "leader":
			if v, ok := bytes.CutPrefix(f.value, []byte("Node at ")); ok {
				if at := bytes.LastIndexByte(v, ' '); at > 0 {
					v = v[:at]
				}
				return v
			}
		}
	}
	return nil
}

// peer returns the server of a name that a line gives to another one; Nil if it
// has none.
func (st *stream) peer(name []byte) spec.ID {
	if len(name) > 0 && (string(name) == st.self || string(name) == st.address) {
		return st.id
	}
	return st.group.Server(name)
}

// restarts notes a start with the given configuration. A server that starts with
// a log that begins anew, having had one, has a new life: a data folder was
// removed, or a file is written by one server after another. Terms of one life
// say nothing of the next.
func (st *stream) restarts(index uint64, servers []byte) {
	blank := index == 0
	again := st.seen && (blank || index < st.configIndex || index == st.configIndex && st.servers != "" && st.servers != string(servers))
	st.seen = true
	st.configIndex, st.servers = index, string(servers)
	st.started, st.role, st.campaign, st.restoring = true, spec.UnknownRole, 0, [2]uint64{}
	if again {
		st.beginAgain()
	}
}

func (st *stream) beginAgain() {
	if st.life++; st.life == maxLives {
		st.mixed = true
		return
	}
	st.self, st.address = "", ""
	st.begin(fmt.Sprintf("%s, log %d", st.key, st.life+1))
}
