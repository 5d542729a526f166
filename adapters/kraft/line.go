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
