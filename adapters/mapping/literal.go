package mapping

import (
	"bytes"
	"regexp/syntax"
)

// words are texts one of which stands in everything that a pattern matches; none if
// the pattern promises nothing.
type words [][]byte

// in reports whether a text may match.
func (w words) in(text []byte) bool {
	if len(w) == 0 {
		return true
	}
	for _, word := range w {
		if bytes.Contains(text, word) {
			return true
		}
	}
	return false
}

// maxWords is how many alternatives are looked for before the regular expression
// itself is cheaper.
const maxWords = 24

// wordsOf finds the longest texts of which every match of a regular expression holds
// one: those of all branches, if it branches.
func wordsOf(pattern string) (w words) {
	re, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return nil
	}
	for _, s := range literals(re) {
		w = append(w, []byte(s))
	}
	return w
}

func literals(re *syntax.Regexp) (best []string) {
	switch re.Op {
	case syntax.OpLiteral:
		if re.Flags&syntax.FoldCase == 0 {
			return []string{string(re.Rune)}
		}
	case syntax.OpConcat:
		for _, sub := range re.Sub {
			if l := literals(sub); shortest(l) > shortest(best) {
				best = l
			}
		}
		return best
	case syntax.OpCapture, syntax.OpPlus:
		return literals(re.Sub[0])
	case syntax.OpRepeat:
		if re.Min > 0 {
			return literals(re.Sub[0])
		}
	case syntax.OpAlternate:
		for _, sub := range re.Sub {
			l := literals(sub)
			if len(l) == 0 || len(best)+len(l) > maxWords {
				return nil
			}
			best = append(best, l...)
		}
		return best
	}
	return nil
}

// shortest is the length of the shortest text; 0 if there is none.
func shortest(list []string) int {
	n := 0
	for i, s := range list {
		if i == 0 || len(s) < n {
			n = len(s)
		}
	}
	return n
}
