package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tracecheck/tracecheck/ingest"
	"github.com/tracecheck/tracecheck/ingest/metadatalog"
)

// serverLog is the log of one server: a file, or the pieces into which it was
// rotated, the oldest first.
type serverLog struct {
	paths  []string
	server string // as its lines call the server, or as it is called otherwise
	name   string // as the server is called where the lines do not say
	glance *glance
}

// job is what becomes one report: a single file, which is read as it is, or the
// logs of the servers of one cluster.
type job struct {
	path  string
	logs  []*serverLog          // nil: path is read as it is
	disks []*metadatalog.Folder // in place of both: the metadata logs of the nodes of one cluster
	err   error                 // why path cannot be read
}

// title names the trace of a job in reports.
func (j *job) title() string {
	var names []string
	for _, l := range j.logs {
		names = append(names, l.paths[len(l.paths)-1])
	}
	for _, d := range j.disks {
		names = append(names, d.Path)
	}
	if names == nil {
		return j.path
	}
	if n := len(names); n > 5 {
		names = append(names[:4], fmt.Sprintf("%d more", n-4))
	}
	return strings.Join(names, ", ")
}

// open opens the files of a job.
func (j *job) open(ctx context.Context, number int, stdin io.Reader, adapter string) (*trace, error) {
	switch {
	case j.err != nil:
		return nil, j.err
	case j.disks != nil:
		return openDisks(j, number, adapter)
	case j.logs != nil:
		return openCluster(j)
	}
	return openTrace(ctx, j.path, number, stdin, adapter)
}

// plan says which files are one trace together. The note says why they are not, or
// that they are, in one line; it is empty if there was nothing to decide.
func (f *checkFlags) plan(paths []string) (jobs []*job, note string, err error) {
	named, err := f.named(paths)
	if err != nil {
		return nil, "", err
	}
	for _, path := range slices.Sorted(maps.Keys(named)) {
		if !slices.Contains(paths, path) {
			paths = append(paths, path)
		}
	}
	disks, paths, note := f.disks(paths, named)
	if len(paths) == 0 {
		return disks, note, nil
	}
	jobs, note, err = f.planFiles(paths, named)
	return append(disks, jobs...), note, err
}

// planFiles is plan for files of lines.
func (f *checkFlags) planFiles(paths []string, named map[string]string) (jobs []*job, note string, err error) {
	each := func(note string) ([]*job, string, error) {
		for _, p := range paths {
			jobs = append(jobs, &job{path: p})
		}
		return jobs, note, nil
	}
	if f.separate || len(paths) < 2 && len(named) == 0 || slices.ContainsFunc(paths, isTopic) {
		return each("")
	}
	for _, p := range paths {
		if info, err := os.Stat(p); p == "-" || err == nil && !info.Mode().IsRegular() {
			return each(fmt.Sprintf("%s can be read only once", p))
		}
	}
	logs := f.logs(paths, named)
	together, reason := oneCluster(logs, len(named) > 0)
	switch {
	case reason != "" && len(named) > 0:
		return nil, "", exit{2, fmt.Errorf("--node: the files are not those of one cluster: %s", reason)}
	case reason != "" && !anyRotated(logs):
		return each(reason)
	case reason != "":
		together = nil
	}
	// What cannot be read, and what is not of the cluster, is a trace by itself, in
	// the place in which it stands.
	placed := false
	for _, l := range logs {
		switch in := slices.Contains(together, l); {
		case in && !placed:
			jobs = append(jobs, &job{logs: together})
			placed = true
		case in:
		case len(l.paths) > 1:
			jobs = append(jobs, &job{logs: []*serverLog{l}})
		default:
			jobs = append(jobs, &job{path: l.paths[0]})
		}
	}
	return jobs, reason, nil
}

// named reads --node NAME=FILE.
func (f *checkFlags) named(paths []string) (map[string]string, error) {
	named := make(map[string]string)
	for _, n := range f.nodes {
		name, path, ok := strings.Cut(n, "=")
		if !ok || name == "" || path == "" {
			return nil, exit{2, fmt.Errorf("--node %s: it is NAME=FILE", n)}
		}
		for _, p := range paths {
			if filepath.Clean(p) == filepath.Clean(path) {
				path = p
			}
		}
		for other, has := range named {
			if has == name && other != path {
				return nil, exit{2, fmt.Errorf("--node: %s and %s are both called %s", other, path, name)}
			}
		}
		named[path] = name
	}
	if len(named) > 0 && (f.separate || slices.Contains(paths, "-")) {
		return nil, exit{2, errors.New("--node names a file of a cluster; it does not go with --separate or standard input")}
	}
	return named, nil
}

func anyRotated(logs []*serverLog) bool {
	return slices.ContainsFunc(logs, func(l *serverLog) bool { return len(l.paths) > 1 })
}

// logs looks at the files and joins the pieces of rotated ones.
func (f *checkFlags) logs(paths []string, named map[string]string) (logs []*serverLog) {
	bases := map[string]int{}
	sets := ingest.Rotated(paths)
	for _, set := range sets {
		bases[base(set[0])]++
	}
	for _, set := range sets {
		name := nameOf(set[0], bases[base(set[0])] == 1)
		for _, p := range set {
			if given := named[p]; given != "" {
				name = given
			}
		}
		var looks []*glance
		for _, p := range set {
			looks = append(looks, look(p, name, f.adapter))
		}
		if ordered := pieces(looks); ordered != nil {
			logs = append(logs, newLog(name, ordered))
			continue
		}
		for _, g := range looks {
			logs = append(logs, newLog(nameOf(g.path, true), []*glance{g}))
		}
	}
	return logs
}

// base is the name of the log that a file is a piece of, without its folder.
func base(path string) string { return filepath.Base(ingest.PieceOf(path).Log) }

func newLog(name string, looks []*glance) *serverLog {
	l := &serverLog{name: name, server: name, glance: looks[0]}
	for _, g := range looks {
		l.paths = append(l.paths, g.path)
	}
	if len(l.glance.acting) == 1 {
		l.server = l.glance.acting[0]
	}
	return l
}

// pieces says whether files whose names are those of a rotated log are one, and
// puts them into the order of their first stamps. It returns nil if they are not:
// then the numbers at the end of their names mean something else.
func pieces(looks []*glance) []*glance {
	if len(looks) == 1 {
		return looks
	}
	current := ingest.PieceOf(looks[len(looks)-1].path)
	same := current.Current()
	for _, g := range looks {
		if g.err != nil || g.adapter != looks[0].adapter || len(g.acting) > 1 || g.reversed {
			return nil
		}
		if len(g.acting) == 1 && len(looks[0].acting) == 1 {
			if g.acting[0] != looks[0].acting[0] {
				return nil
			}
			same = true
		}
	}
	if !same {
		return nil
	}
	byTime := func(a, b *glance) int {
		if a.first.Time == 0 || b.first.Time == 0 {
			return 0
		}
		return int(min(1, max(-1, a.first.Time-b.first.Time)))
	}
	if slices.IsSortedFunc(looks, byTime) {
		return looks
	}
	if current.Current() {
		return nil // the log itself is the youngest piece, and a clock that says otherwise was set back, or they are none
	}
	slices.Reverse(looks) // some number the other way round
	if slices.IsSortedFunc(looks, byTime) {
		return looks
	}
	return nil
}
