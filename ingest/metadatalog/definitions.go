package metadatalog

import (
	_ "embed"
	"fmt"
	"strconv"
	"strings"
	"unicode"
)

//go:embed records.txt
var recordsText string

// definitions are the records of the metadata log by their apiKey.
var definitions = mustParse(recordsText)

// definition is what a record of one apiKey holds.
type definition struct {
	name     string // as Kafka's tools write it: PARTITION_CHANGE_RECORD
	versions versions
	fields   []field
}

type field struct {
	key      string // with quotes and a colon, as it stands in JSON
	kind     string
	versions versions
	nullable versions
	tagged   versions
	tag      uint64
	fields   []field // of []struct
}

// versions is a range of versions of a record; the zero value holds none.
type versions struct{ from, to int64 }

func (v versions) has(n int64) bool { return v.from <= n && n < v.to }

// mustParse reads records.txt, which is part of the program.
func mustParse(text string) map[uint64]*definition {
	all := make(map[uint64]*definition)
	var open []*[]field // by depth: where the next field goes
	for line := range strings.Lines(text) {
		words := strings.Fields(line)
		if len(words) == 0 || words[0] == "#" {
			continue
		}
		depth := len(line) - len(strings.TrimLeft(line, "\t"))
		if depth == 0 {
			d := &definition{name: upperSnake(words[1]), versions: parseVersions(words[2])}
			all[parseNumber(words[0])] = d
			open = []*[]field{&d.fields}
			continue
		}
		f := field{key: strconv.Quote(strings.ToLower(words[0][:1])+words[0][1:]) + ":", kind: words[1], versions: parseVersions(words[2])}
		for rest := words[3:]; len(rest) > 0; {
			if rest[0] == "null" {
				f.nullable, rest = parseVersions(rest[1]), rest[2:]
				continue
			}
			f.tag, f.tagged, rest = parseNumber(rest[1]), parseVersions(rest[2]), rest[3:]
		}
		to := open[depth-1]
		*to = append(*to, f)
		open = append(open[:depth], &(*to)[len(*to)-1].fields)
	}
	return all
}

func parseVersions(text string) versions {
	if from, ok := strings.CutSuffix(text, "+"); ok {
		return versions{int64(parseNumber(from)), 1 << 15}
	}
	from, to, ok := strings.Cut(text, "-")
	if !ok {
		to = from
	}
	return versions{int64(parseNumber(from)), int64(parseNumber(to)) + 1}
}

func parseNumber(text string) uint64 {
	n, err := strconv.ParseUint(text, 10, 15)
	if err != nil {
		panic(fmt.Sprintf("metadatalog: records.txt: %v", err))
	}
	return n
}

// upperSnake writes PartitionChangeRecord as PARTITION_CHANGE_RECORD.
func upperSnake(name string) string {
	var b strings.Builder
	for i, c := range name {
		if i > 0 && unicode.IsUpper(c) {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToUpper(c))
	}
	return b.String()
}
