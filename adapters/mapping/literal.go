package mapping

import "regexp/syntax"

// literalOf returns the longest text that every match of a regular expression
// holds; empty if there is none.
func literalOf(pattern string) string {
	re, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return ""
	}
	best := ""
	var walk func(re *syntax.Regexp)
	walk = func(re *syntax.Regexp) {
		switch re.Op {
		case syntax.OpLiteral:
			if s := string(re.Rune); re.Flags&syntax.FoldCase == 0 && len(s) > len(best) {
				best = s
			}
		case syntax.OpConcat, syntax.OpCapture, syntax.OpPlus:
			for _, sub := range re.Sub {
				walk(sub)
			}
		case syntax.OpRepeat:
			if re.Min > 0 {
				walk(re.Sub[0])
			}
		}
	}
	walk(re)
	return best
}
