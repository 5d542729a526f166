package adapters

// Member is a [Decoder] that wants to know that its trace is the log of one server
// of a cluster, and that the logs of the others are read into the same groups, each
// by a decoder of its own. It is told before the first line, after Introduce. What
// only one file can tell, such as that the same server begins anew, is then named
// after that server, so that nothing of another file is taken for it.
type Member interface {
	Member(server string)
}

// Declaring is a [Decoder] whose traces say something about the whole cluster. It
// returns what the lines so far have declared, in a form in which files of one
// cluster have the same; empty if nothing.
type Declaring interface {
	Declared() string
}
