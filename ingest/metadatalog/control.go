package metadatalog

import (
	"encoding/binary"
	"strconv"

	"github.com/twmb/franz-go/pkg/kmsg"
)

// typeLeaderChange is the type of the control record that begins an epoch.
const typeLeaderChange = 2

// leaderChange opens the first record of a control batch. false: it is not a LeaderChange, or cannot be read.
func leaderChange(b *Batch) (change kmsg.LeaderChangeMessage, ok bool) {
	if !b.Control || b.Codec != 0 || b.Count < 1 {
		return change, false
	}
	length, n := binary.Varint(b.Records)
	if n <= 0 || length < 0 || length > int64(len(b.Records)-n) {
		return change, false
	}
	var record kmsg.Record
	if record.ReadFrom(b.Records[:n+int(length)]) != nil || len(record.Key) < 4 || binary.BigEndian.Uint16(record.Key[2:]) != typeLeaderChange {
		return change, false
	}
	return change, change.ReadFrom(record.Value) == nil
}

// appendChange writes a LeaderChange as kafka-dump-log does from version 4.1 on.
func appendChange(line []byte, c *kmsg.LeaderChangeMessage) []byte {
	line = append(line, ` LeaderChange: {"version":`...)
	line = strconv.AppendInt(line, int64(c.Version), 10)
	line = append(line, `,"leaderId":`...)
	line = strconv.AppendInt(line, int64(c.LeaderID), 10)
	line = appendVoters(append(line, `,"voters":[`...), c.Voters)
	line = appendVoters(append(line, `],"grantingVoters":[`...), c.GrantingVoters)
	return append(line, "]}"...)
}

func appendVoters(line []byte, voters []kmsg.LeaderChangeMessageVoter) []byte {
	for i, v := range voters {
		if i > 0 {
			line = append(line, ',')
		}
		line = append(line, `{"voterId":`...)
		line = strconv.AppendInt(line, int64(v.VoterID), 10)
		line = append(line, '}')
	}
	return line
}
