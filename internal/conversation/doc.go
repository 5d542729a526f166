// Package conversation plays the conversations in the testdata of packages spec
// and invariants: texts that show, for each rule, what breaks it and the nearest
// thing that is allowed. Only tests import it.
//
// A file is a list of blocks (see github.com/cockroachdb/datadriven): a command,
// lines, `----`, and what comes of them. The commands are
//
//	given     the servers, and lines that establish what is known; no breach
//	broken    lines that break the named rules, no more and no fewer
//	allowed   lines that break nothing; each named rule is decided and holds
//	unknown   lines that break nothing; each named rule cannot be decided
//
// broken, allowed and unknown begin each time from what was given last. After
// `----` stands each line that came to something, below it what it breaks and
// what it changes of the server; after given, the servers. The argument facts
// lists the new facts, why the evidence of each breach.
//
// The arguments of given:
//
//	voters=(1,2,3)       the servers of the configuration; they start empty, in term 0
//	term=4 commit=2 log=(1..3@1,4@2)   they start with that instead
//	midway               nothing is known of them
//	profile=(raft-tla)   raft.tla to the letter; otherwise a candidate votes for itself at
//	                     once. Also self-ack, config-on-apply, unchecked-configs, signed,
//	                     bootstrap, commit-late, commands-only, last-match, request-term,
//	                     asks-first, announced, votes-unsent
//	hides=(receives) shows=(persist)   what the source shows: by default all but persist
//
// A line is one step of one server:
//
//	2 becomes-candidate term=2              also becomes-leader, becomes-follower,
//	                                        becomes-pre-candidate, restarts, stops
//	2 shows log=5@1 commit=3                values; was-term=1 is one from before the step
//	2 appends 6@2 7@2:x                     entries, x stands for what the second holds
//	2 writes 6..9@2                         entries are written to its log
//	2 proposes 6@2={1,2,3,4}                a configuration entry
//	2 commits 6, applies 6@2, reads, tells-client 6@2, takes-snapshot 6@2,
//	  installs-snapshot 6@2, compacts 5, transfers-to 3
//	                                        6@2:x is a snapshot that holds x, and
//	                                        state=x what the state is after applying
//	2 -> 3 request-vote term=2 last=5@1     2 sends to 3
//	3 <- 2 request-vote term=2 last=5@1     3 receives it from 2
//	2 => 3 request-vote term=2 last=5@1     both
//	  also grants, refuses, request-pre-vote, pre-grants, pre-refuses, append-entries
//	  (prev=5@1 6@2 commit=5, or count=1 for entries that are not shown), accepts
//	  (match=6), rejects (at=5@1), heartbeat, heartbeat-response, install-snapshot
//	  (last=5@1), snapshot-response, timeout-now
//	3 -> 2 grants term=2 | vote=2           values of the server behind the bar
//
// Any line may be tentative, persisting, durable, hands-out, restarted,
// sparse-seq, clock-seq or lines-lost, and have a number among its server's lines, line=7;
// `gap` alone says that lines were lost. Four words stand for many lines:
//
//	4 starts term=3 log=1..9@2,10@3 commit=9   a restart that reads this back
//	1 wins term=2 from=2,3                  the whole election, with these votes
//	1 replicates 4@2 to=2,3 [commit=3]      append, send, store, answer, receive
//	1 stores 4@2 from=2                     a request of 2 with these entries
package conversation
