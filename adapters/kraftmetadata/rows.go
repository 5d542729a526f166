package kraftmetadata

import (
	"bytes"
	"path/filepath"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/tracecheck/tracecheck/adapters"
	"github.com/tracecheck/tracecheck/spec"
	"github.com/tracecheck/tracecheck/spec/kraft"
)

// rows are the kinds of lines by what they begin with. The frequent ones stand first.
var rows = []struct {
	begins string
	read   func(d *decoder, rest []byte) adapters.Outcome
}{
	{"baseOffset: ", (*decoder).batch},
	{"| ", (*decoder).record},
	{"snapshot | ", (*decoder).snapshotRecord},
	{"log begins at offset ", (*decoder).begins},
	{"Log starting offset: ", (*decoder).starts},
	{"Starting offset: ", (*decoder).starts},
	{"snapshot end offset: ", (*decoder).snapshotID},
	{"Snapshot end offset: ", (*decoder).snapshotID},
	{"Dumping ", (*decoder).dumping},
	{"leader-epoch-checkpoint: epoch ", (*decoder).epochStart},
	{"quorum-state: ", (*decoder).quorumState},
	{"torn: ", func(*decoder, []byte) adapters.Outcome { return ignored("a last batch that was not wholly written") }},
	{"damaged: ", func(*decoder, []byte) adapters.Outcome { return damaged("a batch cannot be read") }},
	{"ClusterId:", (*decoder).describes},
	{"LeaderId:", (*decoder).leaderID},
	{"LeaderEpoch:", (*decoder).leaderEpoch},
	{"HighWatermark:", (*decoder).highWatermark},
	{"MaxFollowerLag", described},
	{"CurrentVoters:", described},
	{"CurrentObservers:", described},
	{"NodeId", (*decoder).table},
}

// value returns the number behind a key.
func value(text []byte, key string) (n uint64, ok bool) {
	i := bytes.Index(text, []byte(key))
	if i < 0 {
		return 0, false
	}
	return number(text[i+len(key):])
}

// number reads the digits that b begins with, up to a blank or another sign that may follow.
func number(b []byte) (n uint64, ok bool) {
	i := 0
	for i < len(b) && '0' <= b[i] && b[i] <= '9' && i < 18 {
		n = n*10 + uint64(b[i]-'0')
		i++
	}
	return n, i > 0 && (i == len(b) || b[i] == ' ' || b[i] == ',' || b[i] == '\t')
}

// batch reads the line of a batch, which has the same words everywhere.
func (d *decoder) batch(rest []byte) adapters.Outcome {
	base, ok1 := number(rest)
	last, ok2 := value(rest, " lastOffset: ")
	epoch, ok3 := value(rest, " partitionLeaderEpoch: ")
	crc, ok4 := value(rest, " crc: ")
	control := bytes.Contains(rest, []byte(" isControl: true"))
	switch {
	case d.snapshot:
		return ignored("of a snapshot")
	case !ok1 || !ok2 || !ok3 || !ok4 || last < base || crc > 1<<32-1:
		return cut
	case bytes.Contains(rest, []byte(" isvalid: false")):
		return damaged("the checksum of a batch does not match")
	}
	own := &d.own
	own.Kind, own.Base, own.Offset, own.Epoch, own.Content, own.Control = kraft.BatchHeld, base, last+1, epoch, uint32(crc), control
	own.Fresh = d.hasEnd && base != d.end && d.folder != "" && !d.trusted(rest)
	d.end, d.hasEnd = last+1, true
	if at := bytes.Index(rest, []byte(" LeaderChange: ")); at >= 0 {
		d.change(rest[at+len(" LeaderChange: "):])
		return adapters.Outcome{}
	}
	if control && d.folder != "" {
		d.held, d.holds = *own, true
		return ignored("a control batch, whose first record follows")
	}
	return adapters.Outcome{}
}

// trusted reports whether nothing is missing between the last batch of a dump and this one: they are of one file, since
// only the first has position 0.
func (d *decoder) trusted(rest []byte) bool {
	position, ok := value(rest, " position: ")
	return ok && position > 0
}

// record reads the line of a record. Of a control batch in a dump only the first says something here.
func (d *decoder) record(rest []byte) adapters.Outcome {
	if d.snapshot {
		return d.snapshotRecord(rest)
	}
	if !d.holds {
		return d.payload(rest, kraft.RecordHeld)
	}
	d.own, d.holds = d.held, false
	switch at := bytes.Index(rest, []byte(" LeaderChange: ")); {
	case at >= 0:
		d.change(rest[at+len(" LeaderChange: "):])
	case bytes.Contains(rest, []byte(" LEADER_CHANGE(2)")), bytes.Contains(rest, []byte(" LeaderChange")):
		d.own.Kind = kraft.LeaderChangeHeld
	}
	return adapters.Outcome{}
}

// change reads the JSON of a LeaderChange record.
func (d *decoder) change(text []byte) {
	d.own.Kind = kraft.LeaderChangeHeld
	if !adapters.ValidJSON(text) {
		return
	}
	all := gjson.ParseBytes(text)
	leader := all.Get("leaderId")
	if leader.Type != gjson.Number || leader.Int() < 0 {
		return
	}
	c := &d.own.Change
	c.Known, c.Leader = true, d.group.Server([]byte(leader.Raw))
	c.Voters, c.Granting = d.voters(all.Get("voters")), d.voters(all.Get("grantingVoters"))
}

// maxVoters bounds the sets that are believed.
const maxVoters = 1000

func (d *decoder) voters(list gjson.Result) (set spec.Set) {
	count := 0
	list.ForEach(func(_, v gjson.Result) bool {
		if id := v.Get("voterId"); id.Type == gjson.Number {
			set.Add(d.group.Server([]byte(id.Raw)))
		}
		count++
		return count < maxVoters
	})
	return set
}

// begins reads where the log of a folder begins.
func (d *decoder) begins(rest []byte) adapters.Outcome {
	start, ok := number(rest)
	if !ok {
		return cut
	}
	d.own.Kind, d.own.Offset = kraft.LogBegins, start
	d.own.Base, d.own.HasEpoch = value(rest, " latest snapshot ends at ")
	return adapters.Outcome{}
}

// dumping reads which file kafka-dump-log prints next.
func (d *decoder) dumping(rest []byte) adapters.Outcome {
	path := strings.TrimSpace(string(rest))
	d.snapshot = strings.HasSuffix(path, ".checkpoint")
	folder := filepath.Dir(path)
	if d.folder != "" && folder != d.folder {
		d.name, d.hasEnd = folder, false // of another server
	}
	d.folder = folder
	return ignored("the name of a file")
}

// starts reads at which offset the file begins that kafka-dump-log prints.
func (d *decoder) starts(rest []byte) adapters.Outcome {
	start, ok := number(rest)
	if !ok {
		return cut
	}
	if d.hasEnd && d.end == start {
		return ignored("the next segment")
	}
	d.own.Kind, d.own.Offset = kraft.LogBegins, start
	d.end, d.hasEnd = start, true
	return adapters.Outcome{}
}

// snapshotID reads the id of a snapshot.
func (d *decoder) snapshotID(rest []byte) adapters.Outcome {
	end, ok1 := number(rest)
	epoch, ok2 := value(rest, " epoch: ")
	if !ok1 || !ok2 {
		return cut
	}
	d.own.Kind, d.own.Offset, d.own.Epoch, d.own.HasOffset, d.own.HasEpoch = kraft.SnapshotHeld, end, epoch, true, true
	return adapters.Outcome{}
}

// epochStart reads a line of leader-epoch-checkpoint.
func (d *decoder) epochStart(rest []byte) adapters.Outcome {
	epoch, ok1 := number(rest)
	start, ok2 := value(rest, " startOffset ")
	if !ok1 || !ok2 {
		return cut
	}
	d.own.Kind, d.own.Epoch, d.own.Offset = kraft.EpochListed, epoch, start
	return adapters.Outcome{}
}

// quorumState reads the file of that name: the leader and the vote of the latest epoch.
func (d *decoder) quorumState(rest []byte) adapters.Outcome {
	if !adapters.ValidJSON(rest) {
		return damaged("quorum-state cannot be read")
	}
	all := gjson.ParseBytes(rest)
	epoch := all.Get("leaderEpoch")
	if epoch.Type != gjson.Number || epoch.Int() < 0 {
		return damaged("quorum-state cannot be read")
	}
	d.own.Kind, d.own.Epoch, d.own.HasEpoch = kraft.QuorumStateHeld, epoch.Uint(), true
	if id := all.Get("leaderId"); id.Type == gjson.Number && id.Int() >= 0 {
		d.own.Leader = d.group.Server([]byte(id.Raw))
	}
	if id := all.Get("votedId"); id.Type == gjson.Number && id.Int() >= 0 {
		d.own.Vote.Candidate.ID = d.group.Server([]byte(id.Raw))
	}
	return adapters.Outcome{}
}
