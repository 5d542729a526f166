package etcdraft

import (
	"strings"

	"github.com/tidwall/gjson"

	"github.com/tracecheck/tracecheck/spec"
)

// conf is a configuration as a line writes it.
type conf struct {
	text string // JSON
	id   spec.ConfigID
}

// maxConfs bounds how many different texts are remembered. A trace has as many
// as it has membership changes in all; forgetting one costs reading it again.
const maxConfs = 1024

// config returns the configuration that a conf shows: its incoming and, while
// it is joint, its outgoing voters. It is zero for a node that has none yet. As
// long as the configuration stays, a line costs one comparison of bytes.
func (c *cluster) config(e *event) spec.ConfigID {
	if c.last != nil && c.last.text == e.conf {
		return c.last.id
	}
	known := c.confs[e.conf]
	if known == nil {
		known = &conf{text: strings.Clone(e.conf)}
		if quorums := c.quorums(e); len(quorums) > 0 {
			known.id = c.group.Config(spec.Config{Quorums: quorums})
		}
		if e.wrong {
			return 0
		}
		if len(c.confs) == maxConfs {
			clear(c.confs)
		}
		c.confs[known.text] = known
	}
	c.last = known
	return known.id
}

// quorums reads a conf, such as [["1","2"],["1"]].
func (c *cluster) quorums(e *event) (sets []spec.Set) {
	halves := gjson.Parse(e.conf)
	e.wrong = e.wrong || !halves.IsArray()
	halves.ForEach(func(_, half gjson.Result) bool {
		if half.Type == gjson.Null {
			return true
		}
		e.wrong = e.wrong || !half.IsArray()
		var voters spec.Set
		half.ForEach(func(_, v gjson.Result) bool {
			name := v.Str
			if v.Type != gjson.String {
				name = v.Raw
				e.numericID(name)
			}
			if id := c.server(e, name); id != spec.Nil {
				voters.Add(id)
			}
			return true
		})
		if voters.Len() > 0 {
			sets = append(sets, voters)
		}
		return true
	})
	return sets
}
