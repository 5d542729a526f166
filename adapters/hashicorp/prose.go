package hashicorp

// prose puts a line of before version 1.1.2 into the words of later ones.
func (l *line) prose() bool { return false }
