package native

import (
	"strings"

	"github.com/tidwall/gjson"

	"github.com/tracecheck/tracecheck/spec"
)

// maxTexts is how many texts of configurations are remembered for each group.
// A group has few; a trace that writes one in ever new ways is read all the same.
const maxTexts = 1024

// config reads a configuration. It is parsed once for each way in which it is
// written, since every line of a trace may show it.
func (d *decoder) config(key string, v gjson.Result) spec.ConfigID {
	g := d.group
	id, ok := g.texts[v.Raw]
	if !ok {
		warning := d.warning
		c := d.parseConfig(key, v)
		if d.bad != "" {
			return 0
		}
		id = g.Config(c)
		if d.warning == warning { // otherwise every line that has this text shall be warned of
			if len(g.texts) == maxTexts {
				clear(g.texts)
			}
			g.texts[strings.Clone(v.Raw)] = id
		}
	}
	if id != g.voters {
		g.reconfigured = true
	}
	return id
}

// parseConfig reads a list of voters, or an object: with voters, and with
// outgoing too if it is joint; or with any number of sets of which each must
// agree, as quorums; and with learners.
func (d *decoder) parseConfig(key string, v gjson.Result) (c spec.Config) {
	if v.IsArray() {
		addQuorum(&c, d.servers(key, v))
		return c
	}
	var voters, outgoing spec.Set
	named := false
	d.object(key, v, func(key string, v gjson.Result) {
		switch key {
		case "voters":
			voters, named = d.servers(key, v), true
		case "outgoing":
			outgoing, named = d.servers(key, v), true
		case "quorums":
			c.Quorums = nil
			d.list(key, v, func(v gjson.Result) { c.Quorums = append(c.Quorums, d.servers(key, v)) })
		case "learners":
			c.Learners = d.servers(key, v)
		default:
			d.unknown(key)
		}
	})
	if named && len(c.Quorums) > 0 {
		d.fail(key, "either voters or quorums")
	}
	addQuorum(&c, voters)
	addQuorum(&c, outgoing)
	return c
}

// addQuorum adds a set of voters; an empty one stands for none.
func addQuorum(c *spec.Config, voters spec.Set) {
	if voters.Len() > 0 {
		c.Quorums = append(c.Quorums, voters)
	}
}

func (e *Encoder) config(key string, g *spec.Group, id spec.ConfigID) {
	c := g.ConfigOf(id)
	if c == nil {
		c = &spec.Config{}
	}
	e.key(key)
	if len(c.Quorums) == 1 && c.Learners.Len() == 0 && c.Quorums[0].Len() > 0 {
		e.servers(g, c.Quorums[0])
		return
	}
	e.begin('{')
	if namedSets(c) {
		for i, name := range []string{"voters", "outgoing"}[:len(c.Quorums)] {
			e.key(name)
			e.servers(g, c.Quorums[i])
		}
	} else {
		e.key("quorums")
		e.begin('[')
		for i := range c.Quorums {
			e.comma()
			e.servers(g, c.Quorums[i])
		}
		e.end(']')
	}
	if c.Learners.Len() > 0 {
		e.key("learners")
		e.servers(g, c.Learners)
	}
	e.end('}')
}

// namedSets reports whether voters and outgoing can express a configuration.
func namedSets(c *spec.Config) bool {
	for i := range c.Quorums {
		if c.Quorums[i].Len() == 0 {
			return false
		}
	}
	return len(c.Quorums) <= 2
}

func (e *Encoder) servers(g *spec.Group, s spec.Set) {
	e.begin('[')
	for _, id := range s.Members() {
		e.comma()
		e.value(g.NameOf(id))
	}
	e.end(']')
}
