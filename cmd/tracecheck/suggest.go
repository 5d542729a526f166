package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

// suggest returns " (did you mean …?)" for the nearest of the known words, or
// nothing if none is near.
func suggest(word string, known []string) string {
	best, distance := "", len(word)/2+1
	for _, k := range known {
		if d := editDistance(strings.ToLower(word), strings.ToLower(k)); d < distance {
			best, distance = k, d
		}
	}
	if best == "" {
		return ""
	}
	return fmt.Sprintf(" (did you mean %q?)", best)
}

// editDistance is Levenshtein's: how many bytes have to be put in, taken out or
// changed to make b of a.
func editDistance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}

// oneArgument demands exactly one argument and says what it is.
func oneArgument(what string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) == 1 {
			return nil
		}
		return exit{2, fmt.Errorf("%s needs one argument, %s; %d were given", c.Name(), what, len(args))}
	}
}
