package metadatalog

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A Folder is the metadata log of one node: its folder, or a single file of that.
type Folder struct {
	Path    string
	More    []string // the files beside Path, if it is one
	Node    string   // its node.id, or else the name of a folder that is its own
	Cluster string   // cluster.id; empty if it is not told

	segments  []file // by their first offset
	snapshots []file // by their end offset
	epochs    []listed
	state     string // what quorum-state holds; empty if there is none
	whole     bool   // it is what a node has, and not some files of it
}

// file is a segment, which begins at offset, or a snapshot, which ends there.
type file struct {
	path          string
	offset, epoch int64
}

// listed is a line of leader-epoch-checkpoint.
type listed struct{ epoch, start int64 }

var (
	segmentName  = regexp.MustCompile(`^(\d{20})\.log$`)
	snapshotName = regexp.MustCompile(`^(\d{20})-(\d{10})\.checkpoint$`)
)

// Is reports whether a path is the folder of a metadata log, or one of its files.
func Is(path string) bool {
	info, err := os.Stat(path)
	if err != nil {
		return false
	}
	if !info.IsDir() {
		name := filepath.Base(path)
		return info.Mode().IsRegular() && (snapshotName.MatchString(name) || segmentName.MatchString(name) && isBatch(path))
	}
	if strings.HasPrefix(filepath.Base(filepath.Clean(path)), "__cluster_metadata-") {
		return true
	}
	found, _ := filepath.Glob(filepath.Join(path, strings.Repeat("[0-9]", 20)+".log"))
	if len(found) == 0 {
		return false
	}
	_, err = os.Stat(filepath.Join(path, "quorum-state"))
	return err == nil
}

// aside are the files that Kafka keeps beside the metadata log.
var aside = []string{
	"meta.properties", "bootstrap.checkpoint", "cleaner-offset-checkpoint", "log-start-offset-checkpoint",
	"recovery-point-offset-checkpoint", "replication-offset-checkpoint",
}

// Aside reports whether a path lies beside the metadata log in a node's folder of data, and is none: the partitions of
// other topics, and what Kafka notes about them.
func Aside(path string) bool {
	if slices.Contains(aside, filepath.Base(path)) {
		return true
	}
	_, err := os.Stat(filepath.Join(path, "partition.metadata"))
	return err == nil && !Is(path)
}

// isBatch reports whether a file begins as a batch does, or is empty as a new segment is.
func isBatch(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	head := make([]byte, headerSize)
	n, _ := f.Read(head)
	return n == 0 || n == headerSize && head[16] == 2 || allZero(head[:n])
}

// Look lists what a folder holds, or takes single files of one folder together.
func Look(path string, more ...string) (*Folder, error) {
	f := &Folder{Path: path, More: more}
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	dir := filepath.Dir(path)
	var names []string
	for _, file := range append([]string{path}, more...) {
		names = append(names, filepath.Base(file))
	}
	if info.IsDir() {
		dir, names = path, nil
		entries, err := os.ReadDir(path)
		if err != nil {
			return nil, err
		}
		for _, e := range entries {
			names = append(names, e.Name())
		}
	}
	for _, name := range names {
		at := filepath.Join(dir, name)
		if m := segmentName.FindStringSubmatch(name); m != nil {
			f.segments = append(f.segments, file{path: at, offset: number(m[1])})
		} else if m := snapshotName.FindStringSubmatch(name); m != nil {
			f.snapshots = append(f.snapshots, file{at, number(m[1]), number(m[2])})
		} else if name == "leader-epoch-checkpoint" {
			if f.epochs, err = epochs(at); err != nil {
				return nil, err
			}
		} else if name == "quorum-state" {
			text, err := os.ReadFile(at)
			if err != nil {
				return nil, err
			}
			f.state, f.whole = strings.TrimSpace(string(text)), true
		} else if name == "partition.metadata" {
			f.whole = true
		}
	}
	byOffset := func(a, b file) int { return int(a.offset - b.offset) }
	slices.SortFunc(f.segments, byOffset)
	slices.SortFunc(f.snapshots, byOffset)
	if len(f.segments)+len(f.snapshots) == 0 {
		return nil, fmt.Errorf("%s: holds no segment and no snapshot of a metadata log", path)
	}
	f.name(dir)
	return f, nil
}

func number(digits string) int64 {
	n, _ := strconv.ParseInt(digits, 10, 64) // 0 where it is beyond: there is no such file of Kafka's
	return n
}

// name finds out whose the folder is: meta.properties stands beside it.
func (f *Folder) name(dir string) {
	if whole, err := filepath.Abs(dir); err == nil {
		dir = whole
	}
	above := filepath.Dir(dir)
	f.Node = filepath.Base(above)
	text, _ := os.ReadFile(filepath.Join(above, "meta.properties")) // where it is not there the folder's name serves
	for line := range strings.Lines(string(text)) {
		key, value, _ := strings.Cut(strings.TrimSpace(line), "=")
		switch {
		case value == "":
		case key == "node.id", key == "broker.id":
			f.Node = value
		case key == "cluster.id":
			f.Cluster = value
		}
	}
	f.Node = strings.Map(func(r rune) rune {
		if r == ' ' || r == ':' {
			return '_'
		}
		return r
	}, f.Node)
}

// epochs reads leader-epoch-checkpoint: a version, a count, and a line for each epoch. What cannot be read is left out.
func epochs(path string) (list []listed, err error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	lines := bufio.NewScanner(bytes.NewReader(text))
	for lines.Scan() {
		if fields := strings.Fields(lines.Text()); len(fields) == 2 {
			epoch, err1 := strconv.ParseInt(fields[0], 10, 64)
			start, err2 := strconv.ParseInt(fields[1], 10, 64)
			if err1 == nil && err2 == nil && epoch >= 0 && start >= 0 {
				list = append(list, listed{epoch, start})
			}
		}
	}
	return list, nil
}
