package kafkatest

import (
	"archive/zip"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var updateRecords = flag.Bool("update-records", false, "rewrite ingest/metadatalog/records.txt")

// message is a message definition of Kafka, as its jars carry it.
type message struct {
	APIKey        int    `json:"apiKey"`
	Type          string `json:"type"`
	Name          string `json:"name"`
	ValidVersions string `json:"validVersions"`
	Flexible      string `json:"flexibleVersions"`
	Fields        []messageField
}

type messageField struct {
	Name, Type, Versions             string
	NullableVersions, TaggedVersions string
	Tag                              *int
	Fields                           []messageField
}

var comment = regexp.MustCompile(`(?m)^\s*//.*$`)

// recordTable checks that the table by which metadata records are decoded says what the
// message definitions in the jars of a release say.
func recordTable(t *testing.T, release Release) {
	jars, err := filepath.Glob(filepath.Join(release.jars, "kafka-metadata-*.jar"))
	if err != nil || len(jars) != 1 {
		t.Fatalf("jars %v: %v", jars, err)
	}
	archive, err := zip.OpenReader(jars[0])
	if err != nil {
		t.Fatal(err)
	}
	defer archive.Close()
	var all []message
	for _, f := range archive.File {
		if !strings.HasPrefix(f.Name, "common/metadata/") || !strings.HasSuffix(f.Name, ".json") {
			continue
		}
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		var m message
		if err := json.Unmarshal(comment.ReplaceAll(text, nil), &m); err != nil {
			t.Fatalf("%s: %v", f.Name, err)
		}
		if m.Flexible != "0+" {
			t.Fatalf("%s: flexible versions %s", m.Name, m.Flexible)
		}
		all = append(all, m)
	}
	slices.SortFunc(all, func(a, b message) int { return a.APIKey - b.APIKey })
	var b strings.Builder
	fmt.Fprintf(&b, "# The fields of the records in Kafka's metadata log, from the message definitions in kafka-metadata %s\n"+
		"# (Apache License 2.0). A record: its key, its name, its versions. A field: its name, its type, the versions that have it,\n"+
		"# those in which it may be null, its tag and the versions that have it as a tagged field.\n", release.Version)
	for _, m := range all {
		fmt.Fprintf(&b, "%d %s %s\n", m.APIKey, m.Name, m.ValidVersions)
		writeFields(&b, m.Fields, "\t")
	}
	const path = "../../ingest/metadatalog/records.txt"
	if *updateRecords {
		if err := os.WriteFile(path, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	have, err := os.ReadFile(path)
	if err != nil || string(have) != b.String() {
		t.Fatalf("%s differs from the definitions of %s (%v); -update-records rewrites it", path, release.Version, err)
	}
}

func writeFields(b *strings.Builder, fields []messageField, indent string) {
	for _, f := range fields {
		kind := f.Type
		if len(f.Fields) > 0 {
			kind = "[]struct"
		}
		fmt.Fprintf(b, "%s%s %s %s", indent, f.Name, kind, f.Versions)
		if f.NullableVersions != "" {
			fmt.Fprintf(b, " null %s", f.NullableVersions)
		}
		if f.Tag != nil {
			fmt.Fprintf(b, " tag %d %s", *f.Tag, f.TaggedVersions)
		}
		b.WriteByte('\n')
		writeFields(b, f.Fields, indent+"\t")
	}
}
