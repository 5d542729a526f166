package mapping

import (
	"cmp"
	"maps"
	"regexp"
	"slices"
)

var (
	quoted   = regexp.MustCompile(`"[^"]*"`)
	longHex  = regexp.MustCompile(`\b(0x)?[0-9a-fA-F]*[0-9][0-9a-fA-F]{5,}\b`)
	mixed    = regexp.MustCompile(`\b[A-Za-z]+[0-9][A-Za-z0-9]*\b|\b[0-9]+[A-Za-z][A-Za-z0-9]*\b`)
	numerals = regexp.MustCompile(`[0-9]+([.:,][0-9]+)*`)
)

// Shape is a line with what differs from line to line taken out: numbers, ids, hex
// and quoted text.
func Shape(line []byte) string {
	const most = 400
	line = line[:min(len(line), most)]
	line = quoted.ReplaceAll(line, []byte(`"…"`))
	line = longHex.ReplaceAll(line, []byte("#"))
	line = mixed.ReplaceAll(line, []byte("ID"))
	return string(numerals.ReplaceAll(line, []byte("#")))
}

// Shapes counts the shapes of lines.
type Shapes struct{ counts map[string]int }

// maxShapes bounds the memory; shapes beyond it are not counted.
const maxShapes = 100_000

// Add counts a line.
func (s *Shapes) Add(line []byte) {
	if s.counts == nil {
		s.counts = make(map[string]int)
	}
	shape := Shape(line)
	if _, ok := s.counts[shape]; ok || len(s.counts) < maxShapes {
		s.counts[shape]++
	}
}

// Counted is a shape with how many lines have it.
type Counted struct {
	Shape string
	Lines int
}

// Most returns the n most frequent shapes.
func (s *Shapes) Most(n int) (list []Counted) {
	for _, shape := range slices.Collect(maps.Keys(s.counts)) {
		list = append(list, Counted{shape, s.counts[shape]})
	}
	slices.SortFunc(list, func(a, b Counted) int {
		return cmp.Or(cmp.Compare(b.Lines, a.Lines), cmp.Compare(a.Shape, b.Shape))
	})
	return list[:min(n, len(list))]
}
