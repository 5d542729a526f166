package main

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"

	"github.com/tracecheck/tracecheck/ingest"
	"github.com/tracecheck/tracecheck/ingest/metadatalog"
)

// maxDisks is how many nodes' metadata logs are read side by side.
const maxDisks = 255

// disks makes jobs of the metadata logs among the paths: the folders of the nodes of one cluster are one trace, as
// meta.properties beside them tells, and so are the segments of one folder. The rest are the other paths.
func (f *checkFlags) disks(paths []string, named map[string]string) (jobs []*job, rest []string, note string) {
	var folders []*job
	segments := map[string]*job{} // by their folder
	for _, p := range paths {
		switch info, err := os.Stat(p); {
		case p == "-" || isTopic(p) || err != nil || !metadatalog.Is(p):
			rest = append(rest, p)
		case info.IsDir() || f.separate:
			folders = append(folders, f.look(named[p], p))
		case segments[filepath.Dir(p)] != nil:
			j := segments[filepath.Dir(p)]
			*j = *f.look(named[p], j.path, append(j.more(), p)...)
		default:
			j := f.look(named[p], p)
			segments[filepath.Dir(p)] = j
			folders = append(folders, j)
		}
	}
	if f.separate {
		return folders, rest, ""
	}
	clusters := map[string]*job{}
	for _, j := range folders {
		if j.err != nil {
			jobs = append(jobs, j)
			continue
		}
		d := j.disks[0]
		c := clusters[d.Cluster]
		if c == nil {
			clusters[d.Cluster] = j
			jobs = append(jobs, j)
			continue
		}
		if other := c.disk(d.Node); other != nil || len(c.disks) == maxDisks {
			jobs = append(jobs, j)
			if other != nil {
				note = cmp.Or(note, fmt.Sprintf("%s and %s are both of node %s", other.Path, d.Path, d.Node))
			}
			continue
		}
		c.disks = append(c.disks, d)
	}
	return jobs, rest, note
}

// look makes a job of a folder, or of segments of one.
func (f *checkFlags) look(name, path string, more ...string) *job {
	d, err := metadatalog.Look(path, more...)
	if err != nil {
		return &job{path: path, err: err}
	}
	d.Node = cmp.Or(name, d.Node)
	return &job{path: path, disks: []*metadatalog.Folder{d}}
}

// more are the segments of a job beside its first.
func (j *job) more() []string {
	if j.err != nil {
		return nil
	}
	return j.disks[0].More
}

// disk is the folder of a node, or nil.
func (j *job) disk(node string) *metadatalog.Folder {
	for _, d := range j.disks {
		if d.Node == node {
			return d
		}
	}
	return nil
}

// openDisks opens the metadata logs of a job as one trace.
func openDisks(j *job, number int, adapter string) (*trace, error) {
	src := ingest.NewFeed(metadatalog.Open(j.disks), j.title(), number)
	t, err := newTrace(src, adapter)
	if err != nil {
		src.Close()
	}
	return t, err
}
