package main

import (
	"fmt"
	"slices"
)

// oneCluster says which logs are those of the servers of one cluster: all that can
// be read, if one adapter reads them, each is of one server, of another one than the
// others, none declares what another does not, and they know each other. Sure is
// that they do, where the user has said which server's each is. The reason says in
// a few words why they are not.
func oneCluster(logs []*serverLog, sure bool) (together []*serverLog, reason string) {
	for _, l := range logs {
		if l.glance.err == nil && !empty(l) {
			together = append(together, l)
		}
	}
	if len(together) < 2 {
		return nil, ""
	}
	first := together[0]
	owner := map[string]*serverLog{}
	for _, l := range together {
		g := l.glance
		switch other := owner[l.server]; {
		case g.adapter != first.glance.adapter:
			return nil, fmt.Sprintf("%s is read by adapter %s, %s by %s", first.glance.path, first.glance.adapter.Name, g.path, g.adapter.Name)
		case len(g.acting) > 1:
			return nil, fmt.Sprintf("%s holds the lines of several servers, such as %s and %s", g.path, g.acting[0], g.acting[1])
		case g.reversed:
			return nil, fmt.Sprintf("%s has its newest line first, and what is packed cannot be read from its end", g.path)
		case other != nil:
			return nil, fmt.Sprintf("%s and %s are both of server %s", other.glance.path, g.path, l.server)
		case g.declared != first.glance.declared:
			return nil, fmt.Sprintf("the headers of %s and %s differ", first.glance.path, g.path)
		}
		owner[l.server] = l
	}
	if sure {
		return together, ""
	}
	for _, l := range unknown(together) {
		if !silent(l) {
			return nil, fmt.Sprintf("the first lines of %s and of the others do not name each other's servers; --node NAME=FILE says that they are of one cluster",
				l.glance.path)
		}
		together = slices.DeleteFunc(together, func(other *serverLog) bool { return other == l })
	}
	if len(together) < 2 {
		return nil, ""
	}
	return together, ""
}

// silent: no line shows a server, as in the log of one that has never joined.
// Unless others name it, it says nothing of the cluster, nor against it.
func silent(l *serverLog) bool { return len(l.glance.acting) == 0 && len(l.glance.known) == 0 }

func empty(l *serverLog) bool { return len(l.glance.head) == 0 }

// unknown returns the logs that are not linked to the first that shows a server by
// servers that name each other.
func unknown(logs []*serverLog) (strangers []*serverLog) {
	first := max(0, slices.IndexFunc(logs, func(l *serverLog) bool { return !silent(l) }))
	linked := map[*serverLog]bool{logs[first]: true}
	for grown := true; grown; {
		grown = false
		for _, a := range logs {
			for _, b := range logs {
				if linked[a] && !linked[b] && (a.glance.names(b.server) || b.glance.names(a.server)) {
					linked[b], grown = true, true
				}
			}
		}
	}
	for _, l := range logs {
		if !linked[l] {
			strangers = append(strangers, l)
		}
	}
	return strangers
}
