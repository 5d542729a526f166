package mapping

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestShipped runs the inline tests of every mapping that comes with the program.
func TestShipped(t *testing.T) {
	require.NotEmpty(t, Shipped())
	for _, m := range Shipped() {
		require.NotEmpty(t, m.Tests, m.Name)
		require.NotEmpty(t, m.Title, m.Name)
		require.NotEmpty(t, m.detect, m.Name)
		for i, test := range m.Tests {
			require.Empty(t, m.Run(test), "%s: test %d", m.Name, i+1)
		}
	}
}
