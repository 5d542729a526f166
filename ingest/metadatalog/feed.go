package metadatalog

import (
	"io"
	"sort"

	"github.com/tracecheck/tracecheck/ingest"
)

// Feed reads the folders of the nodes of one cluster side by side, by offset. It implements [ingest.Feed].
type Feed struct {
	nodes []*node
	last  *node // whose row was returned last
}

// Open returns a feed of folders, each of another node of one cluster.
func Open(folders []*Folder) *Feed {
	f := &Feed{}
	for _, folder := range folders {
		f.nodes = append(f.nodes, newNode(folder))
	}
	return f
}

// Next implements [ingest.Feed]. A row's offset is that of the record times the number of nodes, plus that of the node: so
// it rises from row to row, and tells where a row stands; see [Feed.Place].
func (f *Feed) Next() (ingest.Row, error) {
	if f.last != nil {
		f.last.hasRow, f.last = false, nil
	}
	best := -1
	for i, n := range f.nodes {
		row, err := n.peek()
		if err == io.EOF {
			continue
		}
		if err != nil {
			return ingest.Row{}, err
		}
		if best < 0 || row.Offset < f.nodes[best].row.Offset {
			best = i
		}
	}
	if best < 0 {
		return ingest.Row{}, io.EOF
	}
	f.last = f.nodes[best]
	row := f.last.row
	row.Offset = row.Offset*uint64(len(f.nodes)) + uint64(best)
	return row, nil
}

// Place says in which file the record of a row stands, and at which offset. It implements [ingest.Placer].
func (f *Feed) Place(at uint64) (path string, offset uint64) {
	n := f.nodes[at%uint64(len(f.nodes))]
	offset = at / uint64(len(f.nodes))
	segments := n.folder.segments
	i := sort.Search(len(segments), func(i int) bool { return segments[i].offset > int64(offset) })
	if i == 0 {
		return n.folder.Path, offset
	}
	return segments[i-1].path, offset
}

// Ready implements [ingest.Feed].
func (f *Feed) Ready() bool { return true }

// Read is how many bytes were read.
func (f *Feed) Read() (bytes int64) {
	for _, n := range f.nodes {
		bytes += n.read
	}
	return bytes
}

// Close implements [ingest.Feed].
func (f *Feed) Close() error {
	for _, n := range f.nodes {
		n.shut()
	}
	return nil
}
