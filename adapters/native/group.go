package native

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/tracecheck/tracecheck/spec"
)

// group is a Raft group of the trace while it is read.
type group struct {
	*spec.Group
	texts map[string]spec.ConfigID // configurations, by the JSON text that stands for them

	voters       spec.ConfigID // the header's; 0 if it names none
	reconfigured bool          // a line has shown another configuration, or a change to one
	started      spec.Set      // servers that have acted
}

// header is what the header line of a group declares.
type header struct {
	profile spec.Profile
	shows   spec.Facts
	voters  string // as JSON; empty if there are none
}

// Declared implements [adapters.Declaring]: what the headers have said.
func (d *decoder) Declared() string {
	describe := func(h header) string {
		return fmt.Sprintf("%+v %x %s", h.profile, h.shows, strings.Join(strings.Fields(h.voters), ""))
	}
	text := describe(d.common)
	for _, name := range slices.Sorted(maps.Keys(d.own)) {
		text += fmt.Sprintf("\n%q %s", name, describe(d.own[name]))
	}
	return text
}

// declare reads a header line. With a group it speaks of that group, without one
// of every group that has no header of its own. What it leaves out stays as it was.
func (d *decoder) declare(name string, named bool) {
	h := d.common
	if own, ok := d.own[name]; ok && named {
		h = own
	}
	if v, ok := d.get(keyProfile); ok {
		h.profile = d.profile(v)
	}
	if v, ok := d.get(keyShows); ok {
		h.shows = d.facts(v)
	}
	if v, ok := d.get(keyVoters); ok {
		h.voters = strings.Clone(v.Raw)
		d.group = newGroup(&spec.Groups{}, "", &h) // only to see that it can be read
		d.config("voters", v)
	}
	if d.bad != "" {
		return
	}
	if named {
		d.own[strings.Clone(name)] = h
		if g := d.byName[name]; g != nil {
			d.redeclare(g, &h)
		}
		return
	}
	d.common = h
	for name, g := range d.byName {
		if _, ok := d.own[name]; !ok {
			d.redeclare(g, &h)
		}
	}
}

// redeclare applies a header line to a group that has begun.
func (d *decoder) redeclare(g *group, h *header) {
	g.Profile, g.Shows = h.profile, h.shows
	if _, ok := d.get(keyVoters); ok {
		d.setVoters(g, h)
	}
}

// facts reads the kinds of facts of which a trace shows all.
func (d *decoder) facts(v gjson.Result) (shows spec.Facts) {
	d.list("shows", v, func(v gjson.Result) {
		for i, name := range factNames {
			if v.Type == gjson.String && v.Str == name {
				shows |= 1 << i
				return
			}
		}
		d.fail("shows", "a list of kinds of facts that docs/trace-format.md names")
	})
	return shows
}

// choose makes the group of that name the group of the line.
func (d *decoder) choose(name string) {
	if d.group = d.byName[name]; d.group != nil {
		return
	}
	name = strings.Clone(name)
	h, ok := d.own[name]
	if !ok {
		h = d.common
	}
	d.group = newGroup(d.groups, name, &h)
	d.byName[name] = d.group
	d.setVoters(d.group, &h)
}

func newGroup(groups *spec.Groups, name string, h *header) *group {
	return &group{Group: groups.Get(name, h.profile, h.shows), texts: make(map[string]spec.ConfigID)}
}

// setVoters gives a group the voters of its header.
func (d *decoder) setVoters(g *group, h *header) {
	if h.voters == "" {
		return
	}
	current := d.group
	d.group = g
	g.voters = d.config("voters", gjson.Parse(h.voters))
	g.reconfigured = false
	d.group = current
}

// firstConfig claims the header's configuration for a voter of it that begins,
// or begins again, and shows none itself. It stops once a line has shown another
// configuration: with which one a server begins then is not known.
func (g *group) firstConfig(a *spec.Action) {
	if a.Kind == spec.ChangeConfiguration || a.Kind == spec.ApplyConfiguration {
		g.reconfigured = true
	}
	if g.voters == 0 || g.reconfigured || (a.Before.Has|a.After.Has)&spec.HasConfig != 0 {
		return
	}
	again := a.Kind == spec.Restart || a.Flags&spec.Restarted != 0
	if g.started.Has(a.Server) && !again || !g.ConfigOf(g.voters).IsVoter(a.Server) {
		return
	}
	g.started.Add(a.Server)
	side := &a.Before
	if a.Kind == spec.Restart {
		side = &a.After // a restart forgets what was known before it
	}
	side.Has |= spec.HasConfig
	side.Config = g.voters
}
