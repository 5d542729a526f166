package ingest

import (
	"cmp"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Piece is a file by its name: the log that it is a piece of, and how old it is
// among the pieces.
type Piece struct {
	Path string
	Log  string // the path of the log that is being written, which other pieces were before
	age  int    // of name.1, name.2: the higher the older; 0 if it has no such number
	date string // of name-20261201: the higher the younger; empty if it has none
}

var (
	packed   = regexp.MustCompile(`\.(gz|zst|bz2)$`)
	numbered = regexp.MustCompile(`^(.+)\.(\d{1,4})$`)
	dateTail = regexp.MustCompile(`^(.+?)[-._](\d{4}-?\d\d-?\d\d(?:[-T_.]?[\d:.-]*\d)?|\d{10,19})$`)
	dateStem = regexp.MustCompile(`^(.+?)[-._](\d{4}-?\d\d-?\d\d(?:[-T_.]?[\d:.-]*\d)?|\d{10,19})(\.[a-z]+)$`)
)

// PieceOf reads the name of a file as logrotate, lumberjack, hclog and container
// runtimes write the names of rotated logs: node.log.1, node.log.2.gz,
// node.log-20261201.gz, node-2026-12-01T05-17-20.503.log.
func PieceOf(path string) Piece {
	dir, name := filepath.Split(path)
	name = packed.ReplaceAllString(name, "")
	p := Piece{Path: path, Log: dir + name}
	if m := numbered.FindStringSubmatch(name); m != nil {
		p.age, _ = strconv.Atoi(m[2])
		p.Log = dir + m[1]
	} else if m := dateTail.FindStringSubmatch(name); m != nil {
		p.Log, p.date = dir+m[1], m[2]
	} else if m := dateStem.FindStringSubmatch(name); m != nil {
		p.Log, p.date = dir+m[1]+m[3], m[2]
	}
	return p
}

// Current says whether the name is that of the log itself.
func (p *Piece) Current() bool { return p.age == 0 && p.date == "" }

// Rotated groups files into logs, each with its pieces from the oldest to the
// youngest, in the order in which the first piece of each stands. Two files of one
// age are not pieces of one log.
func Rotated(paths []string) (logs [][]string) {
	byLog := map[string]int{}
	var pieces [][]Piece
	for _, path := range paths {
		p := PieceOf(path)
		i, ok := byLog[p.Log]
		if !ok {
			i = len(pieces)
			byLog[p.Log] = i
			pieces = append(pieces, nil)
		}
		pieces[i] = append(pieces[i], p)
	}
	for _, set := range pieces {
		slices.SortStableFunc(set, olderFirst)
		twice := false
		for i := range set[1:] {
			twice = twice || olderFirst(set[i], set[i+1]) == 0
		}
		var log []string
		for _, p := range set {
			if twice {
				logs = append(logs, []string{p.Path})
			} else {
				log = append(log, p.Path)
			}
		}
		if !twice {
			logs = append(logs, log)
		}
	}
	return logs
}

func olderFirst(a, b Piece) int {
	if a.Current() != b.Current() {
		if a.Current() {
			return 1
		}
		return -1
	}
	return cmp.Or(strings.Compare(a.date, b.date), cmp.Compare(b.age, a.age))
}
