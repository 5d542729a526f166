package kraft

import "bytes"

// prefixes are the beginnings of what Kafka puts before the messages of a node,
// up to the number of the node.
var prefixes = [][]byte{
	[]byte("[RaftManager id="), []byte("[RaftManager nodeId="),
	[]byte("[QuorumController id="), []byte("[Controller "), []byte("[SnapshotGenerator id="), []byte("[SnapshotEmitter id="),
	[]byte("[MetadataLoader id="), []byte("[MetadataLoader "),
	[]byte("[RaftLog partition=__cluster_metadata-0, nodeId="), []byte("[MetadataLog partition=__cluster_metadata-0, nodeId="),
}

// message is the text of a line of a node, without what the layout puts around it.
type message struct {
	node     []byte // digits
	text     []byte
	from     int // where text begins in the line
	raft     bool
	snapshot bool
}

// find finds a node's message in a line of any layout: the layouts differ in what
// is before the node's prefix and in what is after the message.
func find(line []byte) (m message, ok bool) {
	at := bytes.IndexByte(line, '[')
	for at >= 0 && at < len(line) {
		for i, p := range prefixes {
			if !bytes.HasPrefix(line[at:], p) {
				continue
			}
			_, rest, digits := leading(line[at+len(p):])
			if !digits || len(rest) < 2 || rest[0] != ']' {
				continue
			}
			end := len(line) - len(rest)
			m.node = line[at+len(p) : end]
			m.from = end + 1
			for m.from < len(line) && line[m.from] == ' ' {
				m.from++
			}
			m.text = line[m.from:]
			m.raft, m.snapshot = i < 2, i == 4
			return m, true
		}
		next := bytes.IndexByte(line[at+1:], '[')
		if next < 0 || at > 200 {
			break
		}
		at += 1 + next
	}
	return m, false
}

// clock reads the time of day and date that stands near the beginning of a line,
// as in 2026-12-01 14:58:28,436, in milliseconds; 0 if there is none. Months count
// as 31 days: the numbers are only compared.
func clock(line []byte) uint64 {
	for i := 0; i+19 <= len(line) && i < 40; i++ {
		if line[i] < '0' || line[i] > '9' {
			continue
		}
		b := line[i : i+19]
		if b[4] != '-' || b[7] != '-' || b[13] != ':' || b[16] != ':' {
			continue
		}
		var v [6]uint64
		for k, at := range [6][2]int{{0, 4}, {5, 7}, {8, 10}, {11, 13}, {14, 16}, {17, 19}} {
			n, ok := number(b[at[0]:at[1]])
			if !ok {
				return 0
			}
			v[k] = n
		}
		ms := uint64(0)
		if rest := line[i+19:]; len(rest) >= 4 && (rest[0] == ',' || rest[0] == '.') {
			ms, _ = number(rest[1:4])
		}
		return ((((v[0]*12+v[1])*31+v[2])*24+v[3])*3600+v[4]*60+v[5])*1000 + ms
	}
	return 0
}
