// Package kraft is the reference machine of KRaft, the metadata quorum of Apache
// Kafka (KIP-595, 630, 631, 853, 996), on the core of package spec.
//
// KRaft is Raft with other words and some other rules. An epoch is a term. Its
// leader and the vote are kept apart: a server knows the leader of its epoch, or
// does not, and beside that it has voted, or has not. Followers pull. A record has
// an offset, counted from 0; an end offset is exclusive, and so is the high
// watermark. So the record at offset k is the Raft entry of index k+1, a log end
// offset n is a last index n, and a high watermark n is a commit index n: numbers
// of ends and of high watermarks are used as indexes as they are.
//
// The machine sees what log lines show: states of a server with what they print,
// votes, high watermarks, truncations. Between two lines much may happen unseen,
// so a value counts as the present one only where the source shows every change;
// a guard that cannot be decided is unknown, and only one that fails is a breach.
// Leaders, votes, epochs and commits become facts for package invariants, which
// compares them whatever the order of the lines.
package kraft
