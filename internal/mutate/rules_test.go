package mutate

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tracecheck/tracecheck/replay"
)

// TestFaultsNameTheirRule: of the rules that may name a planted fault, which all exist, the one whose fault it is lists it
// (the others meet its consequences); and rules list faults and damages by their ids.
func TestFaultsNameTheirRule(t *testing.T) {
	catches := map[string][]string{}
	for _, r := range replay.Rules() {
		catches[r.ID] = strings.Fields(r.Faults)
		for _, id := range catches[r.ID] {
			require.Regexp(t, `^(F|D)\d+$`, id, r.ID)
		}
	}
	for _, f := range Faults {
		for _, rule := range f.Rules {
			require.Contains(t, catches, rule, "%s is to be named by a rule that does not exist", f.ID)
		}
		if !slices.ContainsFunc(f.Rules, func(rule string) bool { return slices.Contains(catches[rule], f.ID) }) {
			t.Errorf("%s: none of %v lists it", f.ID, f.Rules)
		}
	}
}
