package native

import (
	"strings"

	"github.com/tidwall/gjson"

	"github.com/tracecheck/tracecheck/spec"
)

// Presets are the profiles that a header may name.
var Presets = map[string]spec.Profile{
	"raft":  {Name: "raft", SelfVoteOnTimeout: true},
	"paper": {Name: "paper"},
	"etcd-raft": {Name: "etcd-raft", SelfVoteOnTimeout: true, SelfAck: true, ConfigOnApply: true,
		BootstrapTerm: 1, CommitFactsLate: true, RolesAnnounced: true},
	"hashicorp": {Name: "hashicorp", SelfVoteOnTimeout: true, BootstrapTerm: 1, AppliesCommandsOnly: true,
		SendsAfterStepDown: true, AsksBeforeVoting: true, CountsByFormerConfig: true},
	"ccf": {Name: "ccf", SelfVoteOnTimeout: true, UncheckedConfigs: true, SignedCommits: true, BootstrapTerm: 2,
		ReplyInRequestTerm: true, VoteAnswersUnsent: true, RolesAnnounced: true, EntriesAnnounced: true},
}

// defaultProfile is the preset of a trace that names none.
const defaultProfile = "raft"

// profileFlags are the fields of [spec.Profile] that are true or false.
var profileFlags = [...]struct {
	key string
	at  func(*spec.Profile) *bool
}{
	{"selfVoteOnTimeout", func(p *spec.Profile) *bool { return &p.SelfVoteOnTimeout }},
	{"selfAck", func(p *spec.Profile) *bool { return &p.SelfAck }},
	{"configOnApply", func(p *spec.Profile) *bool { return &p.ConfigOnApply }},
	{"uncheckedConfigs", func(p *spec.Profile) *bool { return &p.UncheckedConfigs }},
	{"signedCommits", func(p *spec.Profile) *bool { return &p.SignedCommits }},
	{"commitFactsLate", func(p *spec.Profile) *bool { return &p.CommitFactsLate }},
	{"appliesCommandsOnly", func(p *spec.Profile) *bool { return &p.AppliesCommandsOnly }},
	{"matchAsLastSaid", func(p *spec.Profile) *bool { return &p.MatchAsLastSaid }},
	{"rolesAnnounced", func(p *spec.Profile) *bool { return &p.RolesAnnounced }},
	{"entriesAnnounced", func(p *spec.Profile) *bool { return &p.EntriesAnnounced }},
	{"voteAnswersUnsent", func(p *spec.Profile) *bool { return &p.VoteAnswersUnsent }},
	{"sendsAfterStepDown", func(p *spec.Profile) *bool { return &p.SendsAfterStepDown }},
	{"asksBeforeVoting", func(p *spec.Profile) *bool { return &p.AsksBeforeVoting }},
	{"countsByFormerConfig", func(p *spec.Profile) *bool { return &p.CountsByFormerConfig }},
	{"replyInRequestTerm", func(p *spec.Profile) *bool { return &p.ReplyInRequestTerm }},
}

// profile reads the name of a preset, or an object that says where the
// implementation differs from the preset that it names.
func (d *decoder) profile(v gjson.Result) spec.Profile {
	if v.Type == gjson.String {
		p, ok := Presets[v.Str]
		if !ok {
			d.fail("profile", "the name of one, or an object")
		}
		return p
	}
	p := Presets[defaultProfile]
	if name := v.Get("name"); name.Type == gjson.String {
		if preset, ok := Presets[name.Str]; ok {
			p = preset
		}
		p.Name = strings.Clone(name.Str)
	}
	d.object("profile", v, func(key string, v gjson.Result) {
		switch key {
		case "name":
			d.text(key, v)
		case "bootstrapTerm":
			p.BootstrapTerm = d.number(key, v)
		default:
			for i := range profileFlags {
				if f := &profileFlags[i]; f.key == key {
					*f.at(&p) = d.truth(key, v)
					return
				}
			}
			d.unknown(key)
		}
	})
	return p
}

// profile writes a preset by its name, and any other profile in full.
func (e *Encoder) profile(p spec.Profile) {
	e.key("profile")
	if preset, ok := Presets[p.Name]; ok && preset == p {
		e.value(p.Name)
		return
	}
	e.begin('{')
	e.text("name", p.Name)
	for i := range profileFlags {
		e.truth(profileFlags[i].key, *profileFlags[i].at(&p))
	}
	e.number("bootstrapTerm", p.BootstrapTerm)
	e.end('}')
}
