package main

import (
	"bytes"
	"path/filepath"
	"regexp"

	"github.com/tracecheck/tracecheck/adapters"
	"github.com/tracecheck/tracecheck/ingest"
	"github.com/tracecheck/tracecheck/spec"
)

// glance is what the first lines of a file tell about it: enough to say whether it
// is the log of one server, of which, and whom it knows.
type glance struct {
	path     string
	err      error // it cannot be read
	adapter  *adapters.Adapter
	how      string
	acting   []string        // the servers that its lines are of
	known    map[string]bool // every server that they name
	declared string
	head     []byte
	first    ingest.Stamp // zero if the lines have none
	reversed bool         // the newest line stands first, and it is packed
}

// glanced is how many of the first lines are looked at.
const glanced = 2000

// look reads the first lines of a file. The file is called name where its lines do
// not say whose they are.
func look(path, name, adapter string) *glance {
	g := &glance{path: path, known: make(map[string]bool)}
	src, _, err := openSource(path, 0)
	if err != nil {
		g.err = err
		return g
	}
	defer src.Close()
	if g.adapter, g.how, g.err = choose(src, adapter); g.err != nil {
		return g
	}
	lines := src.Head(glanced)
	g.head = bytes.Join(lines, []byte("\n"))
	g.reversed = ingest.NewestFirst(lines[:min(len(lines), sniffed)])
	g.first = firstStamp(lines)
	groups := &spec.Groups{}
	d := g.adapter.New(groups)
	introduce(d, name, src)
	var a spec.Action
	for i, line := range lines {
		a.Reset()
		rec := ingest.Record{Data: line, Ref: ingest.MakeRef(0, uint64(i+1))}
		if len(line) == 0 || d.Decode(&rec, &a).Verdict != adapters.Checked || a.Server == spec.Nil {
			continue
		}
		if server := groups.List[a.Group].NameOf(a.Server); !acts(g.acting, server) {
			g.acting = append(g.acting, server)
		}
		if d, ok := d.(adapters.Declaring); ok && g.declared == "" {
			g.declared = d.Declared()
		}
	}
	for _, group := range groups.List {
		for id := 1; id <= group.Servers(); id++ {
			g.known[group.NameOf(spec.ID(id))] = true
		}
	}
	return g
}

// firstStamp is when the first line that tells it was written.
func firstStamp(lines [][]byte) (stamp ingest.Stamp) {
	var s ingest.Stamps
	for _, line := range lines {
		if stamp, ok := s.Read(line); ok {
			return stamp
		}
	}
	return stamp
}

func acts(acting []string, server string) bool {
	for _, s := range acting {
		if s == server {
			return true
		}
	}
	return false
}

// introduce tells a decoder whose lines may not say whose they are.
func introduce(d adapters.Decoder, name string, src *ingest.Source) {
	if d, ok := d.(adapters.Introduced); ok {
		d.Introduce(name, src.Head(sniffed))
	}
}

// names says whether the first lines name a server: as one of the cluster, or, if
// its name is one that does not come by chance, anywhere.
func (g *glance) names(server string) bool {
	if g.known[server] {
		return true
	}
	if len(server) < 2 || plainNumber.MatchString(server) {
		return false
	}
	for rest := g.head; ; {
		at := bytes.Index(rest, []byte(server))
		if at < 0 {
			return false
		}
		end := at + len(server)
		if (at == 0 || !wordByte(rest[at-1])) && (end == len(rest) || !wordByte(rest[end])) {
			return true
		}
		rest = rest[end:]
	}
}

var plainNumber = regexp.MustCompile(`^[0-9a-f]{1,3}$`)

func wordByte(c byte) bool {
	return c == '_' || c == '-' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

var logSuffix = regexp.MustCompile(`(?i)\.(gz|zst|bz2|log|txt|text|out|json|ndjson|jsonl)$`)

// nameOf is what the server of a log is called if nothing else says: the name of
// the file without what says that it is a log, or of its folder if the files of
// several servers have one name.
func nameOf(path string, alone bool) string {
	log := ingest.PieceOf(path).Log
	if !alone {
		log = filepath.Dir(log)
	}
	name := filepath.Base(log)
	for {
		short := logSuffix.ReplaceAllString(name, "")
		if short == name || short == "" {
			return name
		}
		name = short
	}
}
