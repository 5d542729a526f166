package spec

// Group is one Raft group: one replicated log and the servers that keep it. A
// trace may hold thousands. A Group is the meeting point of an adapter, which
// interns names and configurations and declares what the source shows, and of
// the machine, which reads them.
type Group struct {
	Index   uint32 // position in its Groups
	Name    string // as the trace calls it; empty for the only group of a trace
	Profile Profile
	Shows   Facts
	Counted bool // the decoder would know of any line that is missing, and says so with [LinesLost]

	// Protocol makes the group's reference machine over its Machine; nil is Raft.
	// A decoder sets it before the group's first action.
	Protocol func(*Machine) Protocol

	names   []string
	ids     map[string]ID
	configs []Config

	configIDs map[string]ConfigID // by their key
}

// Groups is the table of the groups of one trace, in order of appearance.
type Groups struct {
	List   []*Group
	byName map[string]*Group
}

// Get returns the group of that name, made on first use with the given profile
// and facts, which later calls leave as they are.
func (gs *Groups) Get(name string, profile Profile, shows Facts) *Group {
	if g := gs.byName[name]; g != nil {
		return g
	}
	g := &Group{
		Index: uint32(len(gs.List)), Name: name, Profile: profile, Shows: shows,
		names: []string{"none"}, ids: make(map[string]ID), configs: []Config{{}}, configIDs: make(map[string]ConfigID),
	}
	if gs.byName == nil {
		gs.byName = make(map[string]*Group)
	}
	gs.List = append(gs.List, g)
	gs.byName[name] = g
	return g
}

// Server interns a server's name. An empty name is [Nil]. A group that has
// shown 65,535 different names gives [Nil] for any further one.
func (g *Group) Server(name []byte) ID {
	if len(name) == 0 {
		return Nil
	}
	if id, ok := g.ids[string(name)]; ok {
		return id
	}
	if len(g.names) > 65535 {
		return Nil
	}
	id := ID(len(g.names))
	s := string(name)
	g.names = append(g.names, s)
	g.ids[s] = id
	return id
}

// Alias gives a server another name, unless that name is one already.
func (g *Group) Alias(name []byte, id ID) {
	if _, ok := g.ids[string(name)]; !ok && len(name) > 0 && id != Nil {
		g.ids[string(name)] = id
	}
}

// NameOf returns the name under which id was interned; "none" for [Nil].
func (g *Group) NameOf(id ID) string { return g.names[id] }

// Servers returns how many servers the group has seen.
func (g *Group) Servers() int { return len(g.names) - 1 }

// Config interns a configuration. The sets must not be changed afterwards.
func (g *Group) Config(c Config) ConfigID {
	key := c.key()
	if id, ok := g.configIDs[key]; ok {
		return id
	}
	id := ConfigID(len(g.configs))
	g.configs = append(g.configs, c)
	g.configIDs[key] = id
	return id
}

// ConfigOf returns the configuration of an id; nil for zero, "not known".
func (g *Group) ConfigOf(id ConfigID) *Config {
	if id == 0 {
		return nil
	}
	return &g.configs[id]
}
