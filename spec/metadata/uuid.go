package metadata

import "encoding/base64"

// String writes an id as Kafka's tools do.
func (id UUID) String() string { return base64.RawURLEncoding.EncodeToString(id[:]) }

// ParseUUID reads an id as Kafka's tools write it.
func ParseUUID(text string) (id UUID, ok bool) {
	if len(text) != 22 {
		return id, false
	}
	n, err := base64.RawURLEncoding.Decode(id[:], []byte(text))
	return id, err == nil && n == len(id)
}
