package hashicorpwrapped

import (
	"strconv"

	"github.com/tidwall/gjson"

	"github.com/tracecheck/tracecheck/spec"
)

// line is what one line says. A key that is not there is zero: the wrapper
// leaves zeros out.
type line struct {
	ev, node, rpc, peer, cand, role, err string
	seq, ts, inc                         uint64
	id, term, i, t                       uint64
	lastI, lastT, prevI, prevT           uint64
	lc, min, max                         uint64
	ok, xfer, hasHash                    bool
	hash                                 uint64
	ents                                 gjson.Result

	keys  uint32 // which of them have come, to see one that comes twice
	twice bool
}

// read fills the line from a JSON object.
func (d *decoder) read(data []byte) {
	l := &d.line
	*l = line{}
	gjson.ParseBytes(data).ForEach(func(key, v gjson.Result) bool {
		bit := uint32(0)
		switch key.Str {
		case "ev":
			l.ev, bit = v.Str, 1<<0
		case "node":
			l.node, bit = v.Str, 1<<1
		case "rpc":
			l.rpc, bit = v.Str, 1<<2
		case "id":
			l.id, bit = v.Uint(), 1<<3
		case "peer":
			l.peer, bit = v.Str, 1<<4
		case "term":
			l.term, bit = v.Uint(), 1<<5
		case "cand":
			l.cand, bit = v.Str, 1<<6
		case "lastI":
			l.lastI, bit = v.Uint(), 1<<7
		case "lastT":
			l.lastT, bit = v.Uint(), 1<<8
		case "prevI":
			l.prevI, bit = v.Uint(), 1<<9
		case "prevT":
			l.prevT, bit = v.Uint(), 1<<10
		case "ents":
			l.ents, bit = v, 1<<11
		case "lc":
			l.lc, bit = v.Uint(), 1<<12
		case "ok":
			l.ok, bit = v.Bool(), 1<<13
		case "xfer":
			l.xfer, bit = v.Bool(), 1<<14
		case "err":
			l.err, bit = v.String(), 1<<15
		case "min":
			l.min, bit = v.Uint(), 1<<16
		case "max":
			l.max, bit = v.Uint(), 1<<17
		case "role":
			l.role, bit = v.Str, 1<<18
		case "i":
			l.i, bit = v.Uint(), 1<<19
		case "t":
			l.t, bit = v.Uint(), 1<<20
		case "h":
			l.hash, l.hasHash = hexadecimal(v.Str)
			bit = 1 << 21
		case "seq":
			l.seq, bit = v.Uint(), 1<<22
		case "ts":
			l.ts, bit = v.Uint(), 1<<23
		case "inc":
			l.inc, bit = v.Uint(), 1<<24
		}
		l.twice = l.twice || l.keys&bit != 0
		l.keys |= bit
		return true
	})
}

func hexadecimal(s string) (uint64, bool) {
	h, err := strconv.ParseUint(s, 16, 64)
	return h, err == nil
}

var entryKinds = map[string]spec.EntryKind{
	"cmd": spec.Command, "config": spec.Configuration, "noop": spec.NoOp, "barrier": spec.NoOp,
}

// entries reads the entries of a line.
func (d *decoder) entries(a *spec.Action) {
	d.ents.ForEach(func(_, v gjson.Result) bool {
		e := spec.Entry{}
		v.ForEach(func(key, v gjson.Result) bool {
			switch key.Str {
			case "i":
				e.Index = v.Uint()
			case "t":
				e.Term = v.Uint()
			case "k":
				e.Kind = entryKinds[v.Str]
			case "h":
				e.Hash, e.HasHash = hexadecimal(v.Str)
			case "c":
				e.Config = d.config(v)
			}
			return true
		})
		a.Entries = append(a.Entries, e)
		return true
	})
}

// config interns a configuration: servers with their suffrage.
func (d *decoder) config(v gjson.Result) spec.ConfigID {
	if id, ok := d.configs[v.Raw]; ok {
		return id
	}
	var voters, learners spec.Set
	v.ForEach(func(_, s gjson.Result) bool {
		id := d.group.Server([]byte(s.Get("id").String()))
		if s.Get("s").Str == "voter" {
			voters.Add(id)
		} else {
			learners.Add(id)
		}
		return true
	})
	c := spec.Config{Learners: learners}
	if voters.Len() > 0 {
		c.Quorums = []spec.Set{voters}
	}
	id := d.group.Config(c)
	if len(d.configs) < 1<<12 {
		d.configs[string([]byte(v.Raw))] = id
	}
	return id
}
